import type { ScheduledOrder } from '#libs/entities';
import { readReceiver } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { type Caller, Conflict } from '#libs/records';
import { describeFailure, type Failure, type PushableProduct, pushProblem } from '#libs/rules';
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

/** For Process. A customer learns of the wait only. @throws Conflict where the shop could not take the Order. */
export async function assertPushable(
  executor: SqlExecutor,
  { id, siteId }: Pick<ScheduledOrder, 'id' | 'siteId'>,
  { scope }: Caller,
): Promise<void> {
  const receiver = await readReceiver(executor, siteId);
  const [problem] = receiver === null ? [] : pushProblems(receiver, await itemsOf(executor, id));
  if (problem === undefined) return;
  const because =
    scope === 'Customer'
      ? 'the shop has to prepare it first.'
      : `${describeFailure(problem)} Correct that first, or set PushAnyway of the site's Shop.`;
  throw new Conflict(`The order cannot be processed now: ${because}`);
}
