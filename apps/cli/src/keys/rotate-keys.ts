import type { ConnectionPool } from '#libs/database';
import type { Transaction } from '#libs/database';
import { assertEncryptionKeys } from '#libs/records';
import { BINDING, type Binding, ENCRYPTED_TABLES, type EncryptedTable, type Vault } from '#libs/vault';

const BATCH_ROWS = 500;

/** The names in the result. */
const TABLES: Readonly<Record<string, EncryptedTable>> = {
  PaymentIntegrations: 'payment_integrations',
  Sites: 'sites',
  WebhookEndpoints: 'webhook_endpoints',
  IdempotencyKeys: 'idempotency_keys',
};

type EncryptedRow = Readonly<Record<string, string | null>> & { readonly binding: Binding };

/** SQL: whether any encrypted value of a row of the table does not begin with the text. */
const isOtherThan = (table: EncryptedTable, prefix: string) =>
  ENCRYPTED_TABLES[table].columns.map((column) => `NOT starts_with(${column}, ${prefix})`).join(' OR ');

/** Encrypts one batch again in a short transaction of its own; the service may write the same rows before and after. */
async function rotateBatch(tx: Transaction, vault: Vault, table: EncryptedTable): Promise<number> {
  const { key, columns } = ENCRYPTED_TABLES[table];
  const rows = await tx.execute<EncryptedRow>(
    `SELECT ctid::text AS ctid, ${key.map((part) => `${part}::text AS ${part}`).join(', ')}, ${columns.join(', ')}, ${BINDING} AS binding
     FROM ${table} WHERE ${isOtherThan(table, '$1')} LIMIT ${BATCH_ROWS} FOR UPDATE`,
    [vault.newestPrefix],
  );
  if (rows.length === 0) return 0;
  const again = (row: EncryptedRow, column: string): string | null => {
    const value = row[column]!;
    // What is bound and encrypted with the newest key already is left as it is.
    if (!vault.needsRotation(value)) return value;
    const place = { table, column, row: key.map((part: string) => row[part]!) };
    return vault.encrypt(vault.decrypt(value, place, row.binding), place, row.binding);
  };
  await tx.execute(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = again.${column}`).join(', ')}
     FROM unnest($1::tid[], ${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')}) AS again (place, ${columns.join(', ')})
     WHERE ${table}.ctid = again.place`,
    [rows.map(({ ctid }) => ctid), ...columns.map((column) => rows.map((row) => again(row, column)))],
  );
  return rows.length;
}

async function rotateTable(database: ConnectionPool, vault: Vault, table: EncryptedTable): Promise<number> {
  for (let rotated = 0; ;) {
    const rows = await database.transaction((tx) => rotateBatch(tx, vault, table));
    rotated += rows;
    if (rows < BATCH_ROWS) return rotated;
  }
}

/** From now on every written value is bound to its place. */
function beginBinding(database: ConnectionPool): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.execute(`SELECT hold_sealing_exclusively()`);
    await tx.execute(`UPDATE sealing SET binding = 'Changing' WHERE binding = 'Unbound'`);
  });
}

/** From now on unbound values are refused; false while there are any. */
async function endBinding(database: ConnectionPool): Promise<boolean> {
  const left = Object.values(TABLES).map((table) => `SELECT FROM ${table} WHERE ${isOtherThan(table, `'v2.'`)}`);
  await database.execute(
    `UPDATE sealing SET binding = 'Bound' WHERE binding = 'Changing' AND ${left.map((any) => `NOT EXISTS (${any})`).join(' AND ')}`,
  );
  const [row] = await database.execute<{ binding: Binding }>(`SELECT binding FROM sealing`);
  return row!.binding === 'Bound';
}

/**
 * Encrypts every stored credential and answer with the newest key, bound to its place. It can be stopped and run again at any time.
 * @returns how many rows were encrypted again, by resource.
 * @throws DecryptionError when a key is missing, or a value cannot be decrypted in its place.
 */
export async function rotateKeys(database: ConnectionPool, vault: Vault): Promise<Record<string, number>> {
  await assertEncryptionKeys(database, vault);
  await beginBinding(database);
  const rotated: Record<string, number> = {};
  do {
    for (const [resource, table] of Object.entries(TABLES))
      rotated[resource] = (rotated[resource] ?? 0) + (await rotateTable(database, vault, table));
  } while (!(await endBinding(database)));
  return rotated;
}
