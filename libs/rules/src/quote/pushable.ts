import { leftOutBecause } from './availability.js';
import { type Failure, failure } from './failures.js';
import type { QuotableProduct } from './quote-shapes.js';

/** More take a WooCommerce too long: 150 took 10 seconds. */
export const MOST_WOOCOMMERCE_LINES = 100;

/** Whether a product of a WooCommerce can have this id. */
export const isWooCommerceId = (id: string | null): id is string => /^[1-9]\d{0,15}$/.test(id ?? '');

/** A product with what names it to a shop. */
export interface PushableProduct extends QuotableProduct {
  readonly title: string | null;
  readonly externalId: string | null;
  readonly sku: string | null;
  /** Why a WooCommerce does not sell it, as it said when it was last asked; null: nothing is known of that. */
  readonly unsellable: string | null;
}

/**
 * Why the shop of a site cannot take an Order of these products, as far as that is known without asking it; null when
 * it can. What is left out of an order is not pushed. Source: decisions.md §9, 1010.
 */
export function pushProblem(receiver: Receiver, products: readonly PushableProduct[]): Failure | null {
  const pushed = products.filter((product) => leftOutBecause(product) === null);
  if (receiver === 'WooCommerceRest' && pushed.length > MOST_WOOCOMMERCE_LINES) {
    const message = `The order has ${pushed.length} lines, and the shop takes at most ${MOST_WOOCOMMERCE_LINES}: make two orders of it.`;
    return failure('NotPushable', message);
  }
  const unknown = pushed.find((product) => !isKnown(receiver, product));
  if (unknown === undefined) return receiver === 'WooCommerceRest' ? unsold(pushed) : null;
  const { title, externalId } = unknown;
  const has = externalId === null ? 'none' : `"${externalId}"`;
  const message = `The shop has no product for "${title ?? ''}": its ExternalId must be the shop's id of it; it is ${has}.`;
  return failure('NotPushable', message);
}

function unsold(products: readonly PushableProduct[]): Failure | null {
  const because = products.find(({ unsellable }) => unsellable !== null)?.unsellable;
  return because == null ? null : failure('NotPushable', `${because} Correct that in the shop, and verify it.`);
}

type Receiver = 'WooCommerceRest' | 'Http';

/** A receiver may go by the SKU. */
const isKnown = (receiver: Receiver, { externalId, sku }: PushableProduct): boolean =>
  receiver === 'WooCommerceRest' ? isWooCommerceId(externalId) : externalId !== null || sku !== null;
