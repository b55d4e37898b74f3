import { type NewCycleRow, SENT, type SentRow } from '#libs/ledger';
import type { LeasedCycle } from '../cycle.js';
import { frozenColumns } from '../prepare/freeze.js';
import type { PricedAttempt } from '../prepare/price.js';

const ONLY_CLAIMED = Object.fromEntries(
  Object.entries(SENT).map(([name, type]) => [name, type === 'boolean' ? false : null]),
) as unknown as SentRow;

/** A cycle without an attempt is only claimed. */
export const newCycleRow = (cycle: LeasedCycle, attempt: PricedAttempt | undefined): NewCycleRow => ({
  site_id: cycle.siteId,
  id: cycle.scheduledOrderId,
  cycle: cycle.cycle,
  due_utc: cycle.dueUtc,
  replaced_utc: cycle.replacedUtc,
  type: cycle.paymentMethodType,
  order_id: cycle.orderId,
  ...(attempt ? frozenColumns(attempt) : ONLY_CLAIMED),
});
