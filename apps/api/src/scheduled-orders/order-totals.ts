import type { ScheduledOrder } from '#libs/entities';
import { NO_RATES, type QuotableOrder, quote } from '#libs/rules';
import type { ItemWithProduct } from './item-rules.js';
import type { Pricing } from './order-rates.js';

type Totals = Pick<ScheduledOrder, 'shippingTotal' | 'taxTotal' | 'total'>;
type Priced = Omit<QuotableOrder, 'items'>;

/** What the order costs now, with the present rates. It is calculated on every create and update (decisions.md §8). */
export function totalsOf(order: Priced, items: readonly ItemWithProduct[], { rates, taxExempt }: Pricing): Totals {
  const applying = items.length === 0 ? NO_RATES : rates;
  const { shippingTotal, taxTotal, total } = quote({ ...order, items, taxExempt }, applying);
  return { shippingTotal, taxTotal, total };
}
