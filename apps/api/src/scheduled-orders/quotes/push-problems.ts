import type { ScheduledOrder } from '#libs/entities';
import { readReceiver } from '#libs/ledger';
import type { SqlExecutor, Transaction } from '#libs/platform';
import { Conflict } from '#libs/records';
import { describeFailure, type Failure, pushProblem, type PushableProduct } from '#libs/rules';
import type { Receiver } from '#libs/shops';
import { itemsOf } from '../items/order-items.js';

/**
 * Why the shop of its site could not take an Order of these items (decisions.md §9, 1010). `receiver`: of
 * `readReceiver`.
 */
export function pushProblems(
  receiver: Receiver | null,
  items: readonly { readonly product: PushableProduct }[],
): Failure[] {
  const problem =
    receiver === null
      ? null
      : pushProblem(
          receiver,
          items.map(({ product }) => product),
        );
  return problem === null ? [] : [problem];
}

type OfSite = Pick<ScheduledOrder, 'id' | 'siteId'>;

/** The same of an order as it is now. */
export async function readPushProblems(executor: SqlExecutor, { id, siteId }: OfSite): Promise<Failure[]> {
  const receiver = await readReceiver(executor, siteId);
  return receiver === null ? [] : pushProblems(receiver, await itemsOf(executor, id));
}

/** What a Process is answered. @throws Conflict where the shop could not take the Order. */
export function refuseUnpushable([problem]: readonly Failure[]): void {
  if (problem === undefined) return;
  const message = `${describeFailure(problem)} Correct that first, or set PushAnyway of the site's Shop.`;
  throw new Conflict(`The order cannot be processed now: ${message}`);
}

/** For Process. @throws Conflict. */
export const assertPushable = async (tx: Transaction, order: OfSite): Promise<void> =>
  refuseUnpushable(await readPushProblems(tx, order));
