import { isOrderedSql } from '#libs/ledger';
import { Statement, type Transaction } from '#libs/platform';
import { decimalOf, exactNets, quote } from '#libs/rules';
import { type PostalAddress, type Probe, probeName, type Push, type PushLine } from '#libs/shops';
import { type ReferencedProduct, referencedProduct } from '../scheduled-orders/items/referenced-products.js';
import { pricingForQuote } from '../scheduled-orders/order-rates.js';

/** As many as a shop answers for in some seconds: variations are read one by one. */
const MOST_PRODUCTS = 200;
/** Of those that it did not sell: others need it as well. */
const MOST_UNSELLABLE = 100;
/** The caller waits. */
const MOST_MS = 20_000;
/** An earlier probe order that could not be deleted is looked for as far back. */
const LEFT_BEHIND_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * First those that the shop did not sell, for which orders are held, however late they are due; then those of the
 * orders that fall due next. Of both those come first that were not asked for longest.
 * ix_scheduled_orders_site_due, ix_scheduled_order_items_order, uq_products_external_id. $1 site.
 */
const PRODUCTS = Statement.named(`WITH next AS MATERIALIZED (
  SELECT o.id FROM scheduled_orders o WHERE o.site_id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL
  ORDER BY o.next_occurrence_utc LIMIT 1000
), unsold AS (
  SELECT p.id FROM products p WHERE p.site_id = $1 AND p.deleted_utc IS NULL AND p.unsellable IS NOT NULL AND ${isOrderedSql('p')}
  ORDER BY p.asked_utc NULLS FIRST, p.id LIMIT ${MOST_UNSELLABLE}
)
SELECT p.id, p.external_id AS product_external_id, p.title AS name FROM products p
WHERE p.site_id = $1 AND p.deleted_utc IS NULL AND (p.id IN (SELECT u.id FROM unsold u) OR p.unsellable IS NULL
  AND p.id IN (SELECT i.product_id FROM next n JOIN scheduled_order_items i ON i.scheduled_order_id = n.id AND i.deleted_utc IS NULL))
ORDER BY p.unsellable IS NULL, p.asked_utc NULLS FIRST, p.id LIMIT ${MOST_PRODUCTS}`);

/**
 * A product that the shop sells, as far as is known, one of those if possible, and a customer's address. $1 site, $2
 * products.
 */
const SAMPLE =
  Statement.named(`SELECT s.currency_iso, coalesce((SELECT t.prices FROM site_settings t WHERE t.site_id = s.id), 'Net') AS prices, (SELECT d.key_prefix FROM deployment d), now() AS now_utc, p.external_id, p.sku, p.title, p.product,
  c.shipping_street1, c.shipping_city, c.shipping_state, c.shipping_postcode, c.shipping_country
FROM sites s
LEFT JOIN LATERAL (
  SELECT x.external_id, x.sku, x.title, ${referencedProduct('x')} AS product FROM products x
  WHERE x.site_id = s.id AND x.deleted_utc IS NULL AND x.external_id IS NOT NULL AND coalesce(x.sale_price, x.price) > 0
  ORDER BY x.unsellable IS NOT NULL, x.id = ANY ($2::bigint[]) DESC, x.id DESC LIMIT 1) p ON true
LEFT JOIN LATERAL (
  SELECT * FROM customers x WHERE x.site_id = s.id AND x.deleted_utc IS NULL AND x.shipping_country IS NOT NULL
  ORDER BY x.id DESC LIMIT 1) c ON true
WHERE s.id = $1`);

interface Sample extends Pick<Probe, 'currencyIso' | 'prices'> {
  /** Null: no worker has seen this database. */
  readonly keyPrefix: string | null;
  readonly nowUtc: Date;
  /** Null: the site has none that the shop knows. */
  readonly product: ReferencedProduct | null;
  readonly externalId: string;
  readonly sku: string | null;
  readonly title: string | null;
  readonly shippingStreet1: string | null;
  readonly shippingCity: string | null;
  readonly shippingState: string | null;
  readonly shippingPostcode: string | null;
  /** Null: no customer has an address. */
  readonly shippingCountry: string | null;
}

/** What Verify tries in the shop of a site. */
export async function probeOf(tx: Transaction, siteId: number): Promise<Probe> {
  const products = await tx.execute<Probe['products'][number] & { id: number }>(PRODUCTS, [siteId]);
  const [sample] = await tx.execute<Sample>(SAMPLE, [siteId, products.map(({ id }) => id)]);
  const { currencyIso, prices } = sample!;
  return { currencyIso, prices, mostMs: MOST_MS, products, order: await orderOf(tx, siteId, sample!) };
}

/**
 * One unit of a real product to a real address, of nobody: the shop knows the customer by its id and e-mail, and gets
 * neither.
 */
async function orderOf(tx: Transaction, siteId: number, sample: Sample): Promise<Push | null> {
  const { product, currencyIso, keyPrefix, nowUtc, shippingCountry, shippingState, shippingCity, shippingPostcode } =
    sample;
  if (product === null || shippingCountry === null || keyPrefix === null) return null;
  const place = { shippingCountry, shippingState, shippingCity, shippingPostcode };
  const { rates } = await pricingForQuote(tx, { ...place, siteId, customerId: null });
  const item = { id: null, productId: product.id, price: product.price ?? '0', salePrice: product.salePrice };
  // What it costs is tried, not whether there is any.
  const items = [{ ...item, quantity: 1, product: { ...product, availability: null, stockLevel: null } }];
  const order = { ...NEW, ...place, currencyIso, items };
  const quoted = quote(order, rates);
  const { lines, subtotal, shippingTotal, taxTotal, total } = quoted;
  const amount = (minorUnits: number) => decimalOf(minorUnits, currencyIso);
  const [line] = lines;
  const [exactNet = null] = exactNets(order, rates, quoted);
  const pushed: PushLine = {
    ...{ productExternalId: sample.externalId, sku: sample.sku, name: sample.title, quantity: 1, isRecurring: true },
    total: amount(line!.amount),
    taxTotal: amount(line!.taxTotal ?? 0),
    ...(exactNet !== null && { exactNet }),
  };
  const address: PostalAddress = {
    ...{ firstName: 'Verify', lastName: null, street1: sample.shippingStreet1, street2: null },
    ...{ city: shippingCity, state: shippingState, postcode: shippingPostcode, country: shippingCountry },
  };
  return {
    name: probeName(keyPrefix),
    ...{ siteId, orderId: 0, scheduledOrderId: 0, cycle: 0, dueUtc: nowUtc, datePaid: null },
    claimedUtc: new Date(nowUtc.getTime() - LEFT_BEHIND_MS),
    currencyIso,
    subtotal: amount(subtotal),
    shippingTotal: amount(shippingTotal),
    taxTotal: amount(taxTotal),
    total: amount(total),
    ...{ paymentMethodType: null, gatewayTransactionId: null },
    customer: { externalId: null, email: null, taxExempt: false },
    billing: address,
    shipping: address,
    lines: [pushed],
  };
}

/** An order that was never processed, and no total of which the shop has fixed. */
const NEW = { cycles: 0, shippingTotal: 0, taxTotal: 0, shippingTotalFixed: false, taxTotalFixed: false };
