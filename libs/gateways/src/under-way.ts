import type { LookUpOutcome } from './payment-gateway.js';

interface Sendings {
  /** For how long a sending may be under way. */
  readonly underWayMs: number;
  /** How long after the first sending others may have followed it: the last of them is the one that counts from then on. */
  readonly repeatedForMs: number;
}

/** Whether a sending of an attempt that was first sent `ageMs` ago, and is not repeated any more, may still be on its way. */
export function mayBeUnderWay(ageMs: number, { underWayMs, repeatedForMs }: Sendings): boolean {
  return ageMs < underWayMs || (ageMs >= repeatedForMs && ageMs < repeatedForMs + underWayMs);
}

/** What a look-up does not find may still be on its way, as long as a sending is young: unknown, not absent. */
export function notFoundUnlessUnderWay(found: LookUpOutcome, isUnderWay: boolean): LookUpOutcome {
  if (found.kind !== 'notFound' || !isUnderWay) return found;
  return {
    kind: 'unknown',
    repeatable: false,
    message: 'It is not certain yet whether the payment went through.',
    detail: 'the gateway does not know the charge, but its sending may still be under way',
  };
}
