import type { EntityManager } from 'typeorm';
import type { ScheduledOrder } from '#libs/entities';
import { compileRates, quote, type QuotableOrder } from '#libs/rules';
import type { OrderItem } from './item-rules.js';
import { ratesFor } from './order-rates.js';

type Totals = Pick<ScheduledOrder, 'shippingTotal' | 'taxTotal' | 'total'>;
type Priced = Pick<ScheduledOrder, 'siteId'> & Omit<QuotableOrder, 'items'>;

/** What the order costs now, with the rates of this moment: reckoned on every create and update (decisions.md §8). */
export async function totalsOf(tx: EntityManager, order: Priced, items: readonly OrderItem[]): Promise<Totals> {
  const rates = items.length === 0 ? compileRates([], []) : await ratesFor(tx, order.siteId, order);
  const { shippingTotal, taxTotal, total } = quote({ ...order, items }, rates);
  return { shippingTotal, taxTotal, total };
}
