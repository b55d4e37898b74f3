import { Batch, NamedValues, type ValuesOf } from '#libs/platform';
import { nextUpdatedUtc } from '#libs/records';

const FOLLOWED = {
  external_id: 'text',
  title: 'text',
  price: 'text',
  sale_price: 'text',
  availability: 'text',
  stock_level: 'text',
} as const;

export const FOLLOWED_PRODUCTS = new Batch(FOLLOWED, 2);

/** Without a price that can be expressed here, prices stay as they are. */
const NEW_VALUES = `coalesce(b.title, p.title), coalesce(b.price::numeric, p.price),
    CASE WHEN b.price IS NULL THEN p.sale_price ELSE b.sale_price::numeric END, b.availability, b.stock_level`;

/**
 * Products as the shop has them now; those that are so already are not written. They are locked in the order of their
 * ids, as by `recordSellable`. uq_products_external_id. $1 site.
 */
export const FOLLOW_PRODUCTS = `WITH b AS MATERIALIZED (
  SELECT p.id, b.* FROM ${FOLLOWED_PRODUCTS.sql} JOIN products p ON p.site_id = $1 AND p.external_id = b.external_id
  WHERE p.deleted_utc IS NULL AND (p.title, p.price, p.sale_price, p.availability, p.stock_level) IS DISTINCT FROM (${NEW_VALUES})
  ORDER BY p.id FOR NO KEY UPDATE OF p
)
UPDATE products p
SET (title, price, sale_price, availability, stock_level, updated_utc) = ROW (${NEW_VALUES}, ${nextUpdatedUtc('p')})
FROM b WHERE p.id = b.id`;

export const NEW_PRODUCTS = new Batch(
  {
    ...FOLLOWED,
    type: 'text',
    sku: 'text',
    description: 'text',
    length: 'text',
    width: 'text',
    height: 'text',
    weight: 'text',
    shipping_class: 'text',
    tax_class: 'text',
    image_url: 'text',
  },
  2,
);

/** Those that the catalogue has stay as they are. uq_products_external_id. $1 site. */
export const ADD_PRODUCTS = `INSERT INTO products (site_id, external_id, title, price, sale_price, availability, stock_level, type, sku, description,
  length, width, height, weight, shipping_class, tax_class, image_url)
SELECT $1::bigint, b.external_id, b.title, b.price::numeric, b.sale_price::numeric, b.availability, b.stock_level, b.type, b.sku, b.description,
  b.length, b.width, b.height, b.weight, b.shipping_class, b.tax_class, b.image_url
FROM ${NEW_PRODUCTS.sql}
ON CONFLICT (site_id, external_id) WHERE deleted_utc IS NULL DO NOTHING
RETURNING 1`;

const STEP = new NamedValues({
  siteId: 'bigint',
  place: 'jsonb',
  listed: 'bigint',
  left: 'bigint',
  created: 'bigint',
  isDone: 'boolean',
});
export const importStepValues = (step: ValuesOf<typeof STEP>): unknown[] => STEP.values(step);
const TOTAL = `coalesce(i.total, i.read + ${STEP.$.listed}::bigint + ${STEP.$.left}::bigint)`;

/**
 * A page has some products of the one before it again: what is left says how many were read. pk_product_imports.
 */
export const ADVANCE_IMPORT = `UPDATE product_imports i
SET place = ${STEP.$.place}, created = i.created + ${STEP.$.created}::bigint, message = NULL, total = ${TOTAL},
  read = greatest(i.read, coalesce(${TOTAL} - ${STEP.$.left}::bigint, i.read + ${STEP.$.listed}::bigint)),
  state = CASE WHEN ${STEP.$.isDone}::boolean THEN 'Done' ELSE 'Running' END, ended_utc = CASE WHEN ${STEP.$.isDone}::boolean THEN now() END
WHERE i.site_id = ${STEP.$.siteId} AND i.state = 'Running'`;
