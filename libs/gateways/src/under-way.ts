import type { ChargeOutcome, InDoubtCharge, LookUpOutcome } from './payment-gateway.js';

interface Sendings {
  /** How long a sending may be in flight. */
  readonly underWayMs: number;
  /** How long after the first sending it may have been repeated. The time in flight counts from the last repetition. */
  readonly repeatedForMs: number;
}

type Unknown = Extract<ChargeOutcome, { kind: 'unknown' }>;

/** How far back to search for the charge of an attempt. */
export const searchMs = ({ ageMs, agoMs }: InDoubtCharge): number => Math.max(ageMs, agoMs ?? 0);

/**
 * The result of a look-up for an attempt that is not sent again now. While a request may still be in flight, a failed
 * look-up does not prove that nothing was charged; nor does it when the gateway has said that it has the charge.
 */
export function conclusion(found: LookUpOutcome, attempt: InDoubtCharge, sendings: Sendings): LookUpOutcome {
  if (found.kind !== 'notFound') return found;
  if (attempt.isKnownToGateway) return knownButNotShown();
  if (!mayBeUnderWay(attempt, sendings)) return found;
  return {
    kind: 'unknown',
    repeatable: false,
    message: 'It is not certain yet whether the payment went through.',
    detail: 'the gateway does not know the charge, but its request may still be in flight',
  };
}

/** Whether a sending of an attempt may still be in flight, if it is not sent again. */
function mayBeUnderWay({ ageMs, quietMs }: InDoubtCharge, { underWayMs, repeatedForMs }: Sendings): boolean {
  if (quietMs !== null) return quietMs < underWayMs;
  return ageMs < underWayMs || (ageMs >= repeatedForMs && ageMs < repeatedForMs + underWayMs);
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
