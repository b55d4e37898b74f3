import type { LookUpOutcome } from './payment-gateway.js';

/** What a look-up does not find may still be on its way, as long as the sending is young: unknown, not absent. */
export function notFoundUnlessUnderWay(found: LookUpOutcome, mayBeUnderWay: boolean): LookUpOutcome {
  if (found.kind !== 'notFound' || !mayBeUnderWay) return found;
  return {
    kind: 'unknown',
    repeatable: false,
    message: 'It is not certain yet whether the payment went through.',
    detail: 'the gateway does not know the charge, but its sending may still be under way',
  };
}
