import type { DataSource, EntityManager } from 'typeorm';
import { READS_BOUND_VALUES } from '#libs/entities';
import { assertKeysOpen } from '#libs/records';
import { type Binding, BINDING, SEALED_TABLES, type SealedTable, type Vault } from '#libs/vault';

const BATCH_ROWS = 500;

/** The names in the result. */
const TABLES: Readonly<Record<string, SealedTable>> = {
  PaymentIntegrations: 'payment_integrations',
  Sites: 'sites',
  IdempotencyKeys: 'idempotency_keys',
};

type SealedRow = Readonly<Record<string, string | null>> & { readonly binding: Binding };

/** SQL: whether any encrypted value of a row of the table does not begin with the text. */
const isOtherThan = (table: SealedTable, prefix: string) =>
  SEALED_TABLES[table].columns.map((column) => `NOT starts_with(${column}, ${prefix})`).join(' OR ');

/** Encrypts one batch again in a short, separate transaction. The service may write the same rows before and after it. */
async function rotateBatch(tx: EntityManager, vault: Vault, table: SealedTable): Promise<number> {
  const { key, columns } = SEALED_TABLES[table];
  const rows = await tx.query<SealedRow[]>(
    `SELECT ctid::text AS ctid, ${key.map((part) => `${part}::text AS ${part}`).join(', ')}, ${columns.join(', ')}, ${BINDING} AS binding
     FROM ${table} WHERE ${isOtherThan(table, '$1')} LIMIT ${BATCH_ROWS} FOR UPDATE`,
    [vault.newestPrefix],
  );
  if (rows.length === 0) return 0;
  const again = (row: SealedRow, column: string): string | null => {
    const value = row[column]!;
    // Values that are already bound and encrypted with the newest key do not change.
    if (!vault.needsRotation(value)) return value;
    const place = { table, column, row: key.map((part: string) => row[part]!) };
    return vault.seal(vault.open(value, place, row.binding), place, row.binding);
  };
  await tx.query(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = again.${column}`).join(', ')}
     FROM unnest($1::tid[], ${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')}) AS again (place, ${columns.join(', ')})
     WHERE ${table}.ctid = again.place`,
    [rows.map(({ ctid }) => ctid), ...columns.map((column) => rows.map((row) => again(row, column)))],
  );
  return rows.length;
}

async function rotateTable(database: DataSource, vault: Vault, table: SealedTable): Promise<number> {
  for (let rotated = 0; ;) {
    const rows = await database.transaction((tx) => rotateBatch(tx, vault, table));
    rotated += rows;
    if (rows < BATCH_ROWS) return rotated;
  }
}

/** From now on every written value is bound to its place. Versions that cannot read such values may no longer use the database. */
function beginBinding(database: DataSource): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.query(`SELECT hold_sealing_exclusively()`);
    await tx.query(`UPDATE sealing SET binding = 'Changing' WHERE binding = 'Unbound'`);
    await tx.query(`UPDATE minimum_version SET schema_version = $1 WHERE schema_version < $1`, [READS_BOUND_VALUES]);
  });
}

/** From now on unbound values are refused; false while there are any. */
async function endBinding(database: DataSource): Promise<boolean> {
  const left = Object.values(TABLES).map((table) => `SELECT FROM ${table} WHERE ${isOtherThan(table, `'v2.'`)}`);
  await database.query(
    `UPDATE sealing SET binding = 'Bound' WHERE binding = 'Changing' AND ${left.map((any) => `NOT EXISTS (${any})`).join(' AND ')}`,
  );
  const [row] = await database.query<{ binding: Binding }[]>(`SELECT binding FROM sealing`);
  return row!.binding === 'Bound';
}

/**
 * Encrypts every stored credential and answer with the newest key, bound to its place. It can be stopped and run again at any time.
 * @returns how many rows were encrypted again, by resource.
 * @throws SealedValueError when a key is missing, or a value cannot be decrypted at its place.
 */
export async function rotateKeys(database: DataSource, vault: Vault): Promise<Record<string, number>> {
  await assertKeysOpen((sql) => database.query(sql), vault);
  await beginBinding(database);
  const rotated: Record<string, number> = {};
  do {
    for (const [resource, table] of Object.entries(TABLES))
      rotated[resource] = (rotated[resource] ?? 0) + (await rotateTable(database, vault, table));
  } while (!(await endBinding(database)));
  return rotated;
}
