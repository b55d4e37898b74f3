import {
  type ConnectionPool,
  ENCRYPTED_TABLES,
  type EncryptedTable,
  propertyOf,
  type Transaction,
  type Vault,
} from '#libs/platform';
import { assertEncryptionKeys } from '#libs/records';

const BATCH_ROWS = 500;

/** The names in the result. */
const TABLES: Readonly<Record<string, EncryptedTable>> = {
  PaymentIntegrations: 'payment_integrations',
  Sites: 'sites',
  SiteShops: 'site_shops',
  WebhookEndpoints: 'webhook_endpoints',
  IdempotencyKeys: 'idempotency_keys',
};

type EncryptedRow = Readonly<Record<string, string | null>>;

/** SQL: whether any encrypted value of a row of the table does not begin with the text. */
const isOtherThan = (table: EncryptedTable, prefix: string) =>
  ENCRYPTED_TABLES[table].columns.map((column) => `NOT starts_with(${column}, ${prefix})`).join(' OR ');

/** Encrypts one batch again in a short transaction of its own; the service may write the same rows before and after. */
async function rotateBatch(tx: Transaction, vault: Vault, table: EncryptedTable): Promise<number> {
  const { key, columns } = ENCRYPTED_TABLES[table];
  const rows = await tx.execute<EncryptedRow>(
    `SELECT ctid::text AS ctid, ${key.map((part) => `${part}::text AS ${part}`).join(', ')}, ${columns.join(', ')}
     FROM ${table} WHERE ${isOtherThan(table, '$1')} LIMIT ${BATCH_ROWS} FOR UPDATE`,
    [vault.newestPrefix],
  );
  if (rows.length === 0) return 0;
  const again = (row: EncryptedRow, column: string): string | null => {
    const value = row[propertyOf(column)]!;
    // What is encrypted with the newest key already is left as it is.
    if (!vault.needsRotation(value)) return value;
    const place = { table, column, row: key.map((part: string) => row[part]!) };
    return vault.encrypt(vault.decrypt(value, place), place);
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

/**
 * Encrypts every stored credential and answer with the newest key. It can be stopped and run again at any time.
 * @returns how many rows were encrypted again, by resource.
 * @throws DecryptionError when a key is missing, or a value cannot be decrypted in its place.
 */
export async function rotateKeys(database: ConnectionPool, vault: Vault): Promise<Record<string, number>> {
  await assertEncryptionKeys(database, vault);
  const rotated: Record<string, number> = {};
  for (const [resource, table] of Object.entries(TABLES)) rotated[resource] = await rotateTable(database, vault, table);
  return rotated;
}
