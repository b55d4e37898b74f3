import type { NewCycleRow } from '#libs/ledger';
import type { LeasedCycle } from '../cycle.js';
import { type FrozenColumns, frozenColumns } from '../prepare/freeze.js';
import type { PricedAttempt } from '../prepare/price.js';

const ONLY_CLAIMED: FrozenColumns = {
  amount: null,
  currency_iso: null,
  gateway_customer_id: null,
  gateway_payment_id: null,
  integration_id: null,
  fingerprint: null,
  key: null,
  frozen: null,
  rates_version: null,
  prices_mixed: false,
  order_cycles: null,
  fixed_totals: null,
  unit_prices: null,
};

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
