import type { ChargeList } from '#libs/gateways';
import { INTEGRATION_RETRY_MS } from '#libs/ledger';
import { failure } from '#libs/rules';
import type { LeasedCycle } from './cycle.js';
import type { Outcome } from './outcome.js';

/** Why the charges of an integration cannot be compared with the cycles, so that its orders cannot be charged. */
export type Blocked = Exclude<ChargeList, { kind: 'listed' }>;

const AGAIN_MS = 60_000;

/** The outcome of a cycle that waits for the comparison; nothing was sent. */
export function blockedOutcome(cycle: LeasedCycle, why: Blocked): Outcome {
  if (why.kind === 'refused' && cycle.waitingSinceUtc === null)
    return { kind: 'failure', failure: failure('PaymentIntegrationNotFound', why.message) };
  if (why.kind === 'refused') return { kind: 'postponed', delayMs: INTEGRATION_RETRY_MS };
  return { kind: 'postponed', delayMs: againInMs(why), reason: `${UNCOMPARED} ${why.message}` };
}

const UNCOMPARED =
  "The gateway's charges must be compared with the ledger before anything is charged, but cannot be listed.";

/** When the gateway is asked again. */
export const againInMs = (why: Blocked | { readonly retryAfterMs: number }): number =>
  'retryAfterMs' in why ? (why.retryAfterMs ?? AGAIN_MS) : AGAIN_MS;
