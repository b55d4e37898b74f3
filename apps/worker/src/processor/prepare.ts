import { credentialsFingerprint, type PaymentMethodType } from '#libs/gateways';
import { compileRates, decimalOf, type Failure, paymentProblem, quote, type Quote } from '#libs/rules';
import { SealedValueError } from '#libs/vault';
import type { HeldCycle } from './cycle.js';
import { type Integration, integrationKey, type LoadedBatch } from './load.js';
import type { LoadedOrder } from './loaded-order.js';
import { sealedFailure } from './sealed.js';

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
  readonly installation: string;
  readonly quote: Quote;
  /** Titles of the items that cannot be had, left out of this cycle. */
  readonly leftOut: readonly string[];
  /** The Order as it will be written, JSON: `amounts`, `items`, `shipping`, `billing`, and what is `left_out`. */
  readonly frozen: string;
  /** In an adopted database: the original may have charged it. */
  readonly lookUpFirst: boolean;
}

export type Prepared =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'failure'; readonly cycle: HeldCycle; readonly failure: Failure; readonly thrown?: unknown }
  /** Its order is to be paid through another gateway by now: it belongs in that lane. */
  | { readonly kind: 'moved'; readonly cycle: HeldCycle; readonly paymentMethodType: PaymentMethodType | null }
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
  const { paymentMethodType } = order;
  if (paymentMethodType !== cycle.paymentMethodType) return { kind: 'moved', cycle, paymentMethodType };
  const priced = quote(order, batch.rates.get(cycle.siteId) ?? NO_RATES);
  const integration = batch.integrations.get(integrationKey(cycle.siteId, paymentMethodType)) ?? null;
  const problem = priced.problems[0] ?? (priced.total === 0 ? null : paymentProblem(order, integration !== null));
  if (problem) return { kind: 'failure', cycle, failure: problem };
  const charged = priced.total === 0 ? null : integration;
  if (charged instanceof SealedValueError) return { kind: 'failure', cycle, failure: sealedFailure(), thrown: charged };
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
      installation: keyPrefix,
      idempotencyKey: `${keyPrefix}-${cycle.scheduledOrderId}-${cycle.cycle}-${attempt}`,
      // Why rates were passed over is nobody's question here, and would keep all rates of the site until the cycle is recorded.
      quote: { ...priced, shipping: [] },
      leftOut,
      frozen: frozenOrder(order, priced, leftOut),
      lookUpFirst: isDoubtful,
    },
  };
}

/**
 * Written by hand around the addresses, which are JSON already; the billing address only where it is another. Lists without names, in the
 * order in which `RECORD_COMPLETED` reads them: this is written once for every order, and names took more room than what they name (a third
 * of the ledger's log). Amounts are text, so that no digit is lost.
 */
function frozenOrder(order: LoadedOrder, priced: Quote, leftOut: readonly string[]): string {
  const decimal = (minorUnits: number) => decimalOf(minorUnits, priced.currencyIso);
  const items = order.items.flatMap(({ productId, title, quantity }, index) => {
    const { available, amount, taxTotal } = priced.lines[index]!;
    if (!available) return [];
    return [[productId, title, quantity, decimal(amount), taxTotal === null ? null : decimal(taxTotal)]];
  });
  const { subtotal, shippingTotal, taxTotal, total } = priced;
  const amounts = [subtotal, shippingTotal, taxTotal, total].map(decimal);
  const rest = JSON.stringify({ amounts, items, ...(leftOut.length > 0 && { left_out: leftOut }) });
  const { shipping, billing } = order;
  return `${rest.slice(0, -1)},"shipping":${shipping}${billing === shipping ? '' : `,"billing":${billing}`}}`;
}
