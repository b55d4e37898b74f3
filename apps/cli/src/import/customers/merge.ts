import type { Transaction } from '#libs/platform';
import type { OnRefused } from '../stage.js';
import { matchById, SOLE_BY_EMAIL, takeAmbiguous } from '../stored-customers.js';
import { written } from '../written.js';

/** Makes a temporary table with the columns that the file can fill. */
export async function createStage(tx: Transaction, fields: readonly string[]): Promise<void> {
  const others = fields.filter((name) => !['external_id', 'email'].includes(name));
  const columns = others.map((name) => `, ${name} ${name === 'created' ? 'timestamptz(3)' : 'text'}`);
  await tx.execute(
    `CREATE TEMPORARY TABLE staged (line integer, external_id text, email text${columns.join('')}, customer_id bigint)
     ON COMMIT DROP`,
  );
}

/**
 * Finds the stored customers: by their ids in the shop, else by their e-mail addresses. One with another id in the shop
 * is another person.
 * @returns how many rows were refused.
 */
export async function findStored(tx: Transaction, siteId: number, onRefused: OnRefused): Promise<number> {
  await tx.execute('ANALYZE staged');
  const guests = await refuseGuestsWithAccount(tx, onRefused);
  await matchById(tx, siteId);
  await tx.execute(
    `UPDATE staged SET customer_id = sole.id FROM ${SOLE_BY_EMAIL}
     WHERE staged.customer_id IS NULL AND sole.email = lower(staged.email)
       AND (staged.external_id IS NULL OR (sole.external_id IS NULL AND NOT EXISTS (
         SELECT FROM staged AS other WHERE lower(other.email) = sole.email AND other.line <> staged.line)))`,
    [siteId],
  );
  return guests + (await refuseAmbiguous(tx, siteId, onRefused));
}

/** A guest's row says less than that of the account with the same address. */
async function refuseGuestsWithAccount(tx: Transaction, onRefused: OnRefused): Promise<number> {
  const guests = await tx.execute<{ line: number; account: number }>(
    `DELETE FROM staged USING (
       SELECT lower(email) AS email, min(line) AS line FROM staged WHERE external_id IS NOT NULL GROUP BY 1) AS account
     WHERE staged.external_id IS NULL AND lower(staged.email) = account.email
     RETURNING staged.line, account.line AS account`,
  );
  for (const { line, account } of guests) onRefused(line, `the same email as line ${account}, which has a customer_id`);
  return guests.length;
}

async function refuseAmbiguous(tx: Transaction, siteId: number, onRefused: OnRefused): Promise<number> {
  const ambiguous = await takeAmbiguous(tx, siteId);
  for (const { line, email, customers } of ambiguous) {
    onRefused(
      line,
      `email "${email}" is that of the customers ${customers}: give the row the customer_id of one of them`,
    );
  }
  return ambiguous.length;
}

export interface Merged {
  readonly created: number;
  readonly updated: number;
}

/** Writes new and different rows; equal rows are not touched. A customer that has an id in the shop keeps it. */
export async function mergeCustomers(tx: Transaction, siteId: number, fields: readonly string[]): Promise<Merged> {
  const valueOf = (name: string) =>
    name === 'external_id' ? 'coalesce(customers.external_id, staged.external_id)' : `staged.${name}`;
  const updated = await written(
    tx,
    `UPDATE customers SET ${fields.map((name) => `${name} = ${valueOf(name)}`).join(', ')}, updated_utc = now()
     FROM staged WHERE customers.id = staged.customer_id
       AND (${fields.map((name) => `customers.${name}`).join(', ')}) IS DISTINCT FROM (${fields.map(valueOf).join(', ')})`,
    [],
  );
  const created = await written(
    tx,
    `INSERT INTO customers (site_id, ${fields.join(', ')}) SELECT $1, ${fields.join(', ')} FROM staged
     WHERE customer_id IS NULL ORDER BY line`,
    [siteId],
  );
  return { created, updated };
}
