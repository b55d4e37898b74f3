import type { ChargeOutcome, InDoubtCharge, LookUpOutcome } from './payment-gateway.js';

/** For how long a look-up may miss a charge. */
export interface Unseen {
  /** How long a sending may be in flight. */
  readonly underWayMs: number;
  /** How much later than a charge the gateway's lists may show it. */
  readonly listLagMs: number;
}

interface Sendings extends Unseen {
  /** How long after the first sending it may have been repeated. The time in flight counts from the last repetition. */
  readonly repeatedForMs: number;
}

type Unknown = Extract<ChargeOutcome, { kind: 'unknown' }>;

/** How far back to search for the charge of an attempt. */
export const searchMs = ({ ageMs, agoMs }: InDoubtCharge): number => Math.max(ageMs, agoMs ?? 0);

/**
 * The result of a look-up for an attempt that is not sent again now. While a request may still be in flight, or the
 * lists be behind, a failed look-up does not prove that nothing was charged; nor does it when the gateway has said that
 * it has the charge.
 */
export function conclusion(found: LookUpOutcome, attempt: InDoubtCharge, sendings: Sendings): LookUpOutcome {
  if (found.kind !== 'notFound') return found;
  if (attempt.isKnownToGateway) return knownButNotShown();
  if (!mayBeUnderWay(attempt, sendings)) return found;
  return {
    kind: 'unknown',
    repeatable: false,
    message: 'It is not certain yet whether the payment went through.',
    detail: 'the gateway does not know the charge, but its request may still be in flight, or the lists may be behind',
  };
}

/**
 * The result for an attempt whose repetition has no clear answer, and that no list shows. A stored answer says that
 * what was sent first has ended; that may have been a repetition, so the lag of the lists counts from the first stored
 * answer.
 */
export function conclusionOfRepetition(
  again: Unknown,
  { ageMs, replayedMs }: Pick<InDoubtCharge, 'ageMs' | 'replayedMs'>,
  { underWayMs, listLagMs }: Unseen,
): LookUpOutcome {
  if (again.replayed !== true || ageMs < underWayMs) return again;
  // Negative: a clock that was ahead has dated it.
  const unseenMs = listLagMs - Math.max(0, replayedMs ?? 0);
  if (unseenMs <= 0) return { kind: 'notFound' };
  return { kind: 'postponed', message: again.message, retryAfterMs: unseenMs, replayed: true };
}

/** Whether a sending of an attempt may still be in flight, or its charge unseen, if it is not sent again. */
function mayBeUnderWay({ ageMs, quietMs }: InDoubtCharge, { underWayMs, listLagMs, repeatedForMs }: Sendings): boolean {
  const unseenMs = underWayMs + listLagMs;
  if (quietMs !== null) return quietMs < unseenMs;
  return ageMs < unseenMs || (ageMs >= repeatedForMs && ageMs < repeatedForMs + unseenMs);
}

/** The gateway has the charge but does not show it. Neither waiting nor another sending helps. */
function knownButNotShown(): Unknown {
  return {
    kind: 'unknown',
    repeatable: false,
    duplicate: true,
    message: 'It is not certain whether the payment went through: the shop has to look it up at the payment gateway.',
    detail: 'the gateway has said that it has this charge, but no list of it shows it: a person has to look',
  };
}
