import type { PastAttempt } from '#libs/ledger';

/**
 * How long after its first sending one of an attempt may still arrive at GatewayTwo: it is repeated for 7 hours 45
 * minutes, and a request that has not arrived when the duplicate window of 8 hours is over never will.
 */
const MAY_ARRIVE_MS = 16 * 3_600_000;

/** What must be known of an attempt. */
type Past = Pick<PastAttempt, 'PaymentMethodType' | 'StartedUtc' | 'LookUps'>;

/**
 * Those of the attempts whose sending may arrive late: an answer was missing once, so that the outcome was looked up,
 * or a repetition was answered instead. GatewayOne repeats its answer to the same key, and charges nothing then.
 */
export function withoutAnswer<Attempt extends Past>(attempts: readonly Attempt[]): Attempt[] {
  return attempts.filter(({ PaymentMethodType: type, LookUps }, index) => {
    return type === 'GatewayTwo' && LookUps > (attempts[index - 1]?.LookUps ?? 0);
  });
}

/** How long it cannot be excluded yet that such an attempt charges. */
export const mayArriveForMs = ({ StartedUtc }: Past, now: Date): number =>
  Math.max(0, Date.parse(StartedUtc) + MAY_ARRIVE_MS - now.getTime());
