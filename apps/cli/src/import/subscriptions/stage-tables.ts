import type { Transaction } from '#libs/platform';
import { addressColumns } from '../addresses.js';

const ADDRESSES = [...addressColumns('billing'), ...addressColumns('shipping')];

/** The columns of both addresses, of a customer and of `staged`. */
export const ADDRESS_LIST = ADDRESSES.join(', ');

/** Makes the temporary table of the subscriptions of the file; amounts in minor units. */
export async function createStage(tx: Transaction): Promise<void> {
  await tx.execute(
    `CREATE TEMPORARY TABLE staged (
       line integer, source_id text, source_status text, external_id text, email text,
       ${ADDRESSES.map((column) => `${column} text`).join(', ')},
       frequency_type text, frequency bigint, anchor_utc timestamptz(3), next_utc timestamptz(3), currency_iso text, items json,
       file_shipping bigint, file_shipping_tax bigint, file_tax bigint, file_total bigint,
       payment_type text, gateway_customer_id text, gateway_card_id text, payment_description text, is_manual boolean, reason text,
       customer_id bigint, order_id bigint, shipping_total bigint, tax_total bigint, total bigint,
       shipping_fixed boolean, tax_fixed boolean
     ) ON COMMIT DROP`,
  );
}

/** Makes the temporary table of their items, when all rows have been read. */
export async function createItems(tx: Transaction): Promise<void> {
  await tx.execute(
    `CREATE TEMPORARY TABLE staged_items ON COMMIT DROP AS
     SELECT s.line, i.place::integer, i.item->>'external_id' AS external_id, i.item->>'sku' AS sku, i.item->>'name' AS name,
       (i.item->>'quantity')::bigint AS quantity, (i.item->>'net')::bigint AS net, (i.item->>'tax')::bigint AS tax,
       NULL::bigint AS product_id, NULL::numeric(15,4) AS price
     FROM staged s, json_array_elements(s.items) WITH ORDINALITY AS i (item, place)`,
  );
  await tx.execute('CREATE INDEX ON staged (line)');
  await tx.execute('CREATE INDEX ON staged_items (line)');
  await tx.execute('ANALYZE staged');
  await tx.execute('ANALYZE staged_items');
}
