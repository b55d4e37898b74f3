import type { Transaction } from '#libs/platform';
import type { OnRefused } from '../stage.js';
import { matchById, SOLE_BY_EMAIL, takeAmbiguous } from '../stored-customers.js';
import { written } from '../written.js';
import { ADDRESS_LIST } from './stage-tables.js';

/** The shop's software, in `migrated_subscriptions`. */
export const SOURCE = 'woocommerce';

/** Takes out what an earlier run imported. @returns how many. */
export async function removeImported(tx: Transaction, siteId: number): Promise<number> {
  const rows = await tx.execute(
    `DELETE FROM staged USING migrated_subscriptions m
     WHERE m.site_id = $1 AND m.source = $2 AND m.source_id = staged.source_id RETURNING line`,
    [siteId, SOURCE],
  );
  return rows.length;
}

interface Missing {
  readonly line: number;
  readonly id: string | null;
  readonly sku: string | null;
  readonly name: string;
}

/**
 * Finds the products of the items: by their ids in the shop, else by their SKUs. @returns how many rows were refused.
 */
export async function findProducts(tx: Transaction, siteId: number, onRefused: OnRefused): Promise<number> {
  await tx.execute(
    `UPDATE staged_items SET product_id = p.id FROM products p
     WHERE p.site_id = $1 AND p.deleted_utc IS NULL AND p.external_id = staged_items.external_id`,
    [siteId],
  );
  await tx.execute(
    `UPDATE staged_items SET product_id = sole.id
     FROM (SELECT sku, min(id) AS id FROM products WHERE site_id = $1 AND deleted_utc IS NULL AND sku IS NOT NULL
           GROUP BY sku HAVING count(*) = 1) AS sole
     WHERE staged_items.product_id IS NULL AND sole.sku = staged_items.sku`,
    [siteId],
  );
  const missing = await tx.execute<Missing>(
    `WITH missing AS (
       SELECT DISTINCT ON (line) line, external_id AS id, sku, name FROM staged_items WHERE product_id IS NULL ORDER BY line, place)
     DELETE FROM staged USING missing WHERE staged.line = missing.line
     RETURNING missing.line, missing.id, missing.sku, missing.name`,
  );
  for (const { line, id, sku, name } of missing) {
    const named = [id !== null && `product_id "${id}"`, sku !== null && `sku "${sku}"`].filter(Boolean).join(', ');
    onRefused(line, `order_items: the site has no product with ${named} ("${name}"): import the products first`);
  }
  return missing.length;
}

/**
 * Finds the customers: by their ids in the shop, else by their e-mail addresses. A customer with the address and
 * another id in the shop is another person.
 * @returns how many rows were refused.
 */
export async function findCustomers(tx: Transaction, siteId: number, onRefused: OnRefused): Promise<number> {
  await matchById(tx, siteId);
  await tx.execute(
    `UPDATE staged SET customer_id = sole.id FROM ${SOLE_BY_EMAIL}
     WHERE staged.customer_id IS NULL AND sole.email = lower(staged.email)
       AND (staged.external_id IS NULL OR sole.external_id IS NULL)`,
    [siteId],
  );
  const ambiguous = await takeAmbiguous(tx, siteId);
  for (const { line, email, customers } of ambiguous) {
    onRefused(
      line,
      `"${email}" is the e-mail address of the customers ${customers}: give the row the customer_id of one of them`,
    );
  }
  return ambiguous.length;
}

const KEY = 'coalesce(external_id, lower(email))';

/**
 * Makes the customers that are still unknown from the billing and shipping columns of their first rows. @returns how
 * many.
 */
export async function createCustomers(tx: Transaction, siteId: number): Promise<number> {
  const created = await written(
    tx,
    `INSERT INTO customers (site_id, external_id, email, first_name, last_name, ${ADDRESS_LIST})
     SELECT $1, external_id, email, billing_first_name, billing_last_name, ${ADDRESS_LIST}
     FROM (SELECT DISTINCT ON (${KEY}) * FROM staged WHERE customer_id IS NULL ORDER BY ${KEY}, line) AS first
     ORDER BY line`,
    [siteId],
  );
  await tx.execute(
    `UPDATE staged SET customer_id = c.id FROM customers c
     WHERE c.site_id = $1 AND c.deleted_utc IS NULL AND staged.customer_id IS NULL AND c.external_id = staged.external_id`,
    [siteId],
  );
  await tx.execute(
    `UPDATE staged SET customer_id = c.id FROM customers c
     WHERE c.site_id = $1 AND c.deleted_utc IS NULL AND staged.customer_id IS NULL AND c.external_id IS NULL
       AND lower(c.email) = lower(staged.email)`,
    [siteId],
  );
  return created;
}
