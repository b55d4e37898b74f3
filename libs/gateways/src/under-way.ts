import type { ChargeOutcome, LookUpOutcome, InDoubtCharge } from './payment-gateway.js';

interface Sendings {
  /** For how long a sending may be under way. */
  readonly underWayMs: number;
  /** How long after the first sending others may have followed it: the last of them is the one that counts from then on. */
  readonly repeatedForMs: number;
}

type Unknown = Extract<ChargeOutcome, { kind: 'unknown' }>;

/** How far back the charge of an attempt is looked for. */
export const searchMs = ({ ageMs, agoMs }: InDoubtCharge): number => Math.max(ageMs, agoMs ?? 0);

/**
 * What a look-up of an attempt that is not sent again (now) comes to. Not finding it is definite only when no sending can be on its way any
 * more, and never when the gateway itself has said that it has the charge.
 */
export function conclusion(found: LookUpOutcome, attempt: InDoubtCharge, sendings: Sendings): LookUpOutcome {
  if (found.kind !== 'notFound') return found;
  if (attempt.isKnownToGateway) return knownButNotShown();
  if (!mayBeUnderWay(attempt, sendings)) return found;
  return {
    kind: 'unknown',
    repeatable: false,
    message: 'It is not certain yet whether the payment went through.',
    detail: 'the gateway does not know the charge, but its sending may still be under way',
  };
}

/** Whether a sending of an attempt may still be on its way, if none follows. */
function mayBeUnderWay({ ageMs, quietMs }: InDoubtCharge, { underWayMs, repeatedForMs }: Sendings): boolean {
  if (quietMs !== null) return quietMs < underWayMs;
  return ageMs < underWayMs || (ageMs >= repeatedForMs && ageMs < repeatedForMs + underWayMs);
}

/** The gateway has the charge and does not show it: waiting does not help, and neither does sending it again. */
function knownButNotShown(): Unknown {
  return {
    kind: 'unknown',
    repeatable: false,
    duplicate: true,
    message: 'It is not certain whether the payment went through: the shop has to look it up at the payment gateway.',
    detail: 'the gateway has said that it has this charge, but no list of it shows it: a person has to look',
  };
}
