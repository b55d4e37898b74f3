import type { PushState } from '#libs/entities';
import { shownInstant } from '#libs/rules';

/** A push as it stands now. */
export interface ShownPush {
  readonly state: PushState;
  readonly orderId: number;
  readonly shopOrderId: string | null;
  readonly shopOrderNumber: string | null;
  /** What came of the latest try. */
  readonly message: string | null;
  readonly nextAttemptMs: number | null;
}

/** How the Order of a cycle stands in the shop. */
export const pushSentence = (cycle: string, push: ShownPush): string =>
  `Order ${push.orderId} of cycle ${cycle} ${STATES[push.state](push)}`;

const STATES: Readonly<Record<PushState, (push: ShownPush) => string>> = {
  Waiting: (push) => `is not in the shop yet.${says(push)}${again('tried', push)}`,
  Sending: () => 'is being pushed into the shop.',
  Unknown: (push) => `may be in the shop: nobody knows yet.${again('looked up', push)}`,
  Pushed: (push) => `is in the shop${named(push)}.${says(push)}`,
  Differs: (push) => `needs somebody to look at it in the shop${named(push)}.${says(push)}`,
  Failed: (push) => `is not in the shop, and is not tried again by itself.${says(push)} Retry tries it again.`,
};

const named = ({ shopOrderNumber, shopOrderId }: ShownPush) =>
  shopOrderId === null ? '' : ` as order ${shopOrderNumber ?? shopOrderId}`;

const says = ({ message }: ShownPush) => (message === null ? '' : ` ${message}`);

const again = (what: string, { nextAttemptMs }: ShownPush) =>
  nextAttemptMs === null ? '' : ` It is ${what} on ${shownInstant(new Date(nextAttemptMs))}.`;
