import type { PushState } from '#libs/entities';
import type { PushStanding } from '#libs/ledger';
import { shownInstant } from '#libs/rules';

/** How the Order of a cycle stands in the shop. */
export const pushSentence = (cycle: number, push: PushStanding): string =>
  `Order ${push.orderId} of cycle ${cycle} ${STATES[push.state](push)}`;

const STATES: Readonly<Record<PushState, (push: PushStanding) => string>> = {
  Waiting: (push) => `is not in the shop yet.${says(push)}${again('tried', push)}`,
  Sending: () => 'is being pushed into the shop.',
  Unknown: (push) => `may be in the shop: nobody knows yet.${again('looked up', push)}`,
  Pushed: (push) => `is in the shop${named(push)}.${says(push)}`,
  Differs: (push) => `needs somebody to look at it in the shop${named(push)}.${says(push)}`,
  Failed: (push) => `is not in the shop, and is not tried again by itself.${says(push)} Retry tries it again.`,
};

const named = ({ shopOrderNumber, shopOrderId }: PushStanding) =>
  shopOrderId === null ? '' : ` as order ${shopOrderNumber ?? shopOrderId}`;

const says = ({ message }: PushStanding) => (message === null ? '' : ` ${message}`);

const again = (what: string, { nextAttemptUtc }: PushStanding) =>
  nextAttemptUtc === null ? '' : ` It is ${what} on ${shownInstant(nextAttemptUtc)}.`;
