import type { CycleState } from '#libs/entities';
import { allCyclesSql, frozenOrderOf, type PricedWith } from '#libs/ledger';
import { SHIPPING_ADDRESS } from '#libs/records';
import type { ShippingAddress } from '#libs/rules';

const AMOUNTS = `'subtotal', a.subtotal::text, 'shippingTotal', a.shipping_total::text, 'taxTotal', a.tax_total::text, 'total', a.total::text`;

/**
 * SQL: a cycle of the scheduled order `x`, and the Order that it wrote. `cycle`: its number. pk_processing_cycles,
 * uq_orders_cycle, pk_order_items.
 */
export const pastCycleSql = (cycle: string): string => `x.site_id, x.customer_id,
  (SELECT json_build_object('cycle', c.cycle, 'state', c.state, 'currencyIso', c.currency_iso, 'frozen', c.frozen, 'ratesVersion', c.rates_version, 'pricesMixed', c.prices_mixed,
     'orderCycles', c.order_cycles, 'fixedTotals', c.fixed_totals,
     'unitPrices', c.unit_prices, 'atUtc', extract(epoch FROM coalesce(c.occurred_utc, c.started_utc, c.created_utc)) * 1000)
   FROM ${allCyclesSql('x')} c WHERE c.cycle = ${cycle}) AS cycle,
  (SELECT json_build_object('customerId', a.customer_id, ${AMOUNTS},
     'shippingCountry', a.shipping_country, 'shippingState', a.shipping_state, 'shippingCity', a.shipping_city, 'shippingPostcode', a.shipping_postcode,
     'changedUtc', (SELECT extract(epoch FROM max(utc)) * 1000 FROM (SELECT a.updated_utc AS utc, a.created_utc AS since
       UNION ALL SELECT i.updated_utc, a.created_utc FROM order_items i WHERE i.order_id = a.id) s WHERE utc > since),
     'lines', (SELECT json_agg(json_build_object('productId', i.product_id, 'quantity', i.quantity, 'amount', i.subtotal::text,
       'taxTotal', i.tax_total::text) ORDER BY i.id) FROM order_items i WHERE i.order_id = a.id))
   FROM orders a WHERE a.scheduled_order_id = x.id AND a.cycle = ${cycle}) AS written`;

/** A row of `pastCycleSql`. */
export interface PastCycleRow {
  readonly siteId: number;
  readonly customerId: number;
  /** Null: the order has no such cycle. */
  readonly cycle: CycleRow | null;
  readonly written: WrittenOrder | null;
}

interface CycleRow extends PricedWith {
  readonly cycle: number;
  readonly state: CycleState;
  readonly currencyIso: string | null;
  readonly frozen: object | null;
  /** Milliseconds. */
  readonly atUtc: number;
}

/** Decimals; null: not known. */
export interface RecordedAmounts {
  readonly subtotal: string | null;
  readonly shippingTotal: string | null;
  readonly taxTotal: string | null;
  readonly total: string | null;
}

export interface RecordedLine {
  /** Null: a request has taken it from the Order. */
  readonly productId: number | null;
  readonly quantity: number;
  readonly amount: string | null;
  readonly taxTotal: string | null;
}

interface WrittenOrder extends RecordedAmounts, ShippingAddress {
  readonly customerId: number;
  /** Milliseconds; null: nobody has changed it since it was written. */
  readonly changedUtc: number | null;
  readonly lines: readonly RecordedLine[] | null;
}

/** What a cycle charged: its Order, or what was frozen of one that is not written yet. */
export interface Recorded extends RecordedAmounts {
  readonly to: ShippingAddress;
  readonly customerId: number;
  readonly changedUtc: Date | null;
  readonly lines: readonly RecordedLine[];
}

/** @returns null when neither is there. */
export function recordedOf({ written, cycle, customerId }: PastCycleRow): Recorded | null {
  if (written !== null) {
    const { customerId, changedUtc, lines, subtotal, shippingTotal, taxTotal, total, ...to } = written;
    const changed = changedUtc === null ? null : new Date(changedUtc);
    return { subtotal, shippingTotal, taxTotal, total, to, customerId, changedUtc: changed, lines: lines ?? [] };
  }
  if (cycle?.frozen == null) return null;
  const { amounts, items, shipping } = frozenOrderOf(cycle.frozen);
  const values = JSON.parse(shipping) as (string | null)[];
  const to = Object.fromEntries(SHIPPING_ADDRESS.map((name, index) => [name, values[index] ?? null]));
  return {
    ...amounts,
    to: to as unknown as ShippingAddress,
    customerId,
    changedUtc: null,
    lines: items,
  };
}
