import type { ScheduledOrder } from '#libs/entities';
import { Statement, type Transaction } from '#libs/platform';
import {
  compiled,
  homeKeys,
  NOTHING_PROPOSED,
  type ProposedRates,
  RATES_FOR_ADDRESS,
  RATES_FOR_QUOTE,
  type RatesRow,
  withProposed,
} from '#libs/records';
import { type CompiledRates, NO_RATES, placeKeys, type QuotableOrder, quote, type ShippingAddress } from '#libs/rules';
import type { ItemWithProduct } from './items/item-rules.js';

/** What prices an order besides itself and its items. */
export interface Pricing {
  readonly rates: CompiledRates;
  /** Its customer pays no tax. */
  readonly taxExempt: boolean;
}

/** Whose an order is, and where it ships to. */
export interface Priced extends ShippingAddress {
  readonly siteId: number;
  /** Null: nobody who could be exempt from tax. */
  readonly customerId: number | null;
}

/** The present rates of a site that can match an address. With them an order there costs the same as with all rates. */
export const pricingFor = (tx: Transaction, order: Priced): Promise<Pricing> => read(tx, RATES_FOR_ADDRESS, order);

/** The same with every shipping rate of the site, because a quote says why each was passed over. */
export const pricingForQuote = (tx: Transaction, order: Priced, proposed?: ProposedRates): Promise<Pricing> =>
  read(tx, RATES_FOR_QUOTE, order, proposed);

/** pk_customers. $1 customer id. */
const TAX_EXEMPT = Statement.named(`SELECT tax_exempt FROM customers WHERE id = $1`);

async function read(
  tx: Transaction,
  statement: Statement,
  order: Priced,
  proposed: ProposedRates = NOTHING_PROPOSED,
): Promise<Pricing> {
  const [rates, [customer]] = await Promise.all([
    ratesOf(tx, statement, order),
    tx.execute<{ taxExempt: boolean }>(TAX_EXEMPT, [order.customerId]),
  ]);
  return { rates: compiled(withProposed(rates, proposed)), taxExempt: customer?.taxExempt ?? false };
}

/** Read again with the rates of the shop's home, where its settings ask for them: they are known only then. */
async function ratesOf(tx: Transaction, statement: Statement, order: Priced): Promise<RatesRow> {
  const keys = placeKeys(order);
  const [row] = await tx.execute<RatesRow>(statement, [order.siteId, keys]);
  const home = homeKeys(row!);
  if (home.every((key) => keys.includes(key))) return row!;
  const [both] = await tx.execute<RatesRow>(statement, [order.siteId, [...new Set([...keys, ...home])]]);
  return both!;
}

type Totals = Pick<ScheduledOrder, 'shippingTotal' | 'taxTotal' | 'total'>;

/** What the order costs now, with the present rates. It is calculated on every create and update (decisions.md §8). */
export function totalsOf(
  order: Omit<QuotableOrder, 'items'>,
  items: readonly ItemWithProduct[],
  { rates, taxExempt }: Pricing,
): Totals {
  const applying = items.length === 0 ? NO_RATES : rates;
  const { shippingTotal, taxTotal, total } = quote({ ...order, items, taxExempt }, applying);
  return { shippingTotal, taxTotal, total };
}
