import { credentialsFingerprint } from '#libs/gateways';
import { compileRates, decimalOf, type Failure, paymentProblem, quote, type Quote } from '#libs/rules';
import type { HeldCycle } from './cycle.js';
import { type Integration, integrationKey, type LoadedBatch, type LoadedOrder } from './load.js';

/** An attempt, ready to be frozen and charged. */
export interface Attempt {
  readonly cycle: HeldCycle;
  readonly order: LoadedOrder;
  readonly attempt: number;
  /** Minor units; 0 is charged nowhere. */
  readonly amount: number;
  readonly integration: Integration | null;
  readonly fingerprint: string | null;
  readonly idempotencyKey: string;
  readonly quote: Quote;
  /** Titles of the items that cannot be had, left out of this cycle. */
  readonly leftOut: readonly string[];
  /** The Order as it will be written, by column name; JSON. */
  readonly frozen: string;
  /** In an adopted database: the original may have charged it. */
  readonly lookUpFirst: boolean;
}

export type Prepared =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'failure'; readonly cycle: HeldCycle; readonly failure: Failure; readonly thrown?: unknown }
  /** Paused or deleted between claim and charge: its cycle was ended with it. */
  | { readonly kind: 'gone'; readonly cycle: HeldCycle };

const NO_RATES = compileRates([], []);

/**
 * Validates and prices one claimed order: what it would be charged now, or why it cannot be.
 * @throws Rejected for a currency or a total that cannot be. Source: decisions.md §8 and §9.
 */
export function prepare(cycle: HeldCycle, batch: LoadedBatch, keyPrefix: string, isDoubtful: boolean): Prepared {
  const order = batch.orders.get(cycle.scheduledOrderId);
  if (order === undefined || order.deleted || order.status !== 'Active') return { kind: 'gone', cycle };
  const priced = quote(order, batch.rates.get(cycle.siteId) ?? NO_RATES);
  const integration = batch.integrations.get(integrationKey(cycle.siteId, order.paymentMethodType)) ?? null;
  const problem = priced.problems[0] ?? (priced.total === 0 ? null : paymentProblem(order, integration !== null));
  if (problem) return { kind: 'failure', cycle, failure: problem };
  const charged = priced.total === 0 ? null : integration;
  const attempt = cycle.attempt + 1;
  const leftOut = order.items
    .filter((_, index) => !priced.lines[index]!.available)
    .map(({ title, productId }) => title ?? `product ${productId}`);
  return {
    kind: 'attempt',
    attempt: {
      cycle,
      order,
      attempt,
      amount: priced.total,
      integration: charged,
      fingerprint: charged && credentialsFingerprint(charged.credentials),
      idempotencyKey: `${keyPrefix}-${cycle.scheduledOrderId}-${cycle.cycle}-${attempt}`,
      quote: priced,
      leftOut,
      frozen: frozenOrder(order, priced, leftOut),
      lookUpFirst: isDoubtful,
    },
  };
}

/** Written by hand around the addresses, which are JSON already. Amounts are text, so that no digit is lost. */
function frozenOrder(order: LoadedOrder, priced: Quote, leftOut: readonly string[]): string {
  const decimal = (minorUnits: number) => decimalOf(minorUnits, priced.currencyIso);
  const items = order.items.flatMap((item, index) => {
    const line = priced.lines[index]!;
    if (!line.available) return [];
    const { productId, title, quantity } = item;
    const taxTotal = line.taxTotal === null ? null : decimal(line.taxTotal);
    return [{ product_id: productId, name: title, quantity, subtotal: decimal(line.amount), tax_total: taxTotal }];
  });
  const amounts = JSON.stringify({
    subtotal: decimal(priced.subtotal),
    shipping_total: decimal(priced.shippingTotal),
    tax_total: decimal(priced.taxTotal),
    total: decimal(priced.total),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    items,
  });
  return `${amounts.slice(0, -1)},${order.address.slice(1)}`;
}
