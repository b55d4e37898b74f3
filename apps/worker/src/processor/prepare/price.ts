import { credentialsFingerprint, faultOnSimulated, type PaymentMethodType } from '#libs/gateways';
import type { PricedWith } from '#libs/ledger';
import { DecryptionError } from '#libs/platform';
import { type Failure, failure, NO_RATES, paymentProblem, type Quote, quote } from '#libs/rules';
import { integrationKey } from '../../gateways/integrations.js';
import { unreadableFailure } from '../../gateways/unreadable-credentials.js';
import type { Attempt, LeasedCycle } from '../cycle/cycle.js';
import { type LoadedOrder, pushProblemOf } from '../cycle/loaded-order.js';
import { frozenOrder } from './frozen-order.js';
import { isBeyondMemory } from './gateway-memory.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import type { LoadedBatch } from './loader.js';
import { pricedWithOf } from './priced-with.js';

/** An attempt that is about to be frozen. */
export interface PricedAttempt extends Attempt {
  /** The Order as it will be written, JSON: `amounts`, `items`, `shipping`, `billing`, and what is `left_out`. */
  readonly frozen: string;
  readonly pricedWith: PricedWith;
}

/** Requests allow no such integration. */
const LIVE_ON_SIMULATED =
  'The site is simulated: its payment integration must be in TestMode, with a test key or a sandbox key.';

export type Prepared =
  | { readonly kind: 'attempt'; readonly attempt: PricedAttempt }
  | { readonly kind: 'failure'; readonly cycle: LeasedCycle; readonly failure: Failure; readonly thrown?: unknown }
  /** The order is now paid through another gateway: the cycle belongs in that queue. */
  | {
      readonly kind: 'gatewayChanged';
      readonly cycle: LeasedCycle;
      readonly paymentMethodType: PaymentMethodType | null;
    }
  /** Its items did not fit into memory, or its batch had priced long enough: it goes back into its queue. */
  | { readonly kind: 'left'; readonly cycle: LeasedCycle }
  /** A difference about its payments must be settled first. */
  | { readonly kind: 'held'; readonly cycle: LeasedCycle; readonly heldBy: string }
  /** A charge of this order was found at the gateway, and has no cycle yet. */
  | { readonly kind: 'unplaced'; readonly cycle: LeasedCycle }
  /** The charges of its integration must be compared with the cycles first. */
  | { readonly kind: 'uncompared'; readonly cycle: LeasedCycle }
  /** Paused or deleted between claim and charge: its cycle was ended with it. */
  | { readonly kind: 'gone'; readonly cycle: LeasedCycle };

/**
 * Validates and prices one claimed order. Gives the charge, or the reason why it cannot be charged.
 * @throws Rejected for a currency or a total that is not possible. Source: decisions.md §8 and §9.
 */
export function prepare(cycle: LeasedCycle, batch: LoadedBatch, keyPrefix: string, now: Date): Prepared {
  const order = batch.orders.get(cycle.scheduledOrderId);
  if (order === undefined || order.deleted || order.status !== 'Active') return { kind: 'gone', cycle };
  if (order.heldBy !== null) return { kind: 'held', cycle, heldBy: order.heldBy };
  const { paymentMethodType } = order;
  if (paymentMethodType !== cycle.paymentMethodType) return { kind: 'gatewayChanged', cycle, paymentMethodType };
  const priced = quote(order, batch.rates.get(cycle.siteId) ?? NO_RATES);
  const integration = batch.integrations.get(integrationKey(cycle.siteId, paymentMethodType)) ?? null;
  const problem =
    priced.problems[0] ??
    (priced.total === 0 ? null : paymentProblem(order, integration !== null)) ??
    pushProblemOf(order);
  if (problem) return { kind: 'failure', cycle, failure: problem };
  const charged = priced.total === 0 ? null : integration;
  if (charged instanceof DecryptionError)
    return { kind: 'failure', cycle, failure: unreadableFailure(), thrown: charged };
  if (cycle.presentUtc !== null && charged !== null && faultOnSimulated(charged.credentials) !== null)
    return { kind: 'failure', cycle, failure: failure('PaymentIntegrationNotFound', LIVE_ON_SIMULATED) };
  if (charged?.isUncompared === true) return { kind: 'uncompared', cycle };
  const attempt = cycle.attempt + 1;
  const leftOut = leftOutOf(order, priced);
  return {
    kind: 'attempt',
    attempt: {
      cycle,
      order: { ...order, items: [] },
      attempt,
      amount: priced.total,
      integration: charged,
      fingerprint: charged && credentialsFingerprint(charged.credentials),
      installation: keyPrefix,
      idempotencyKey: idempotencyKeyOf({ ...cycle, installation: keyPrefix, attempt }),
      // The lines are in `frozen`. The reasons why rates did not match are left out: they would keep all rates of the
      // site in memory until the cycle is recorded.
      quote: { ...priced, lines: [], shipping: [] },
      leftOut,
      frozen: frozenOrder(order, priced, leftOut),
      pricedWith: pricedWithOf(order, cycle.siteId, batch, priced),
      isOverdue: charged !== null && cycle.attempt === 0 && isBeyondMemory(charged.credentials, cycle, now),
    },
  };
}

function leftOutOf(order: LoadedOrder, { lines }: Quote): string[] {
  return order.items
    .filter((_, index) => !lines[index]!.available)
    .map(({ product, productId }) => product.title ?? `product ${productId}`);
}
