import type { DataSource, EntityManager } from 'typeorm';
import type { Vault } from '#libs/vault';

const BATCH_ROWS = 500;

/** Every column that holds sealed values, by table. */
const SEALED = {
  PaymentIntegrations: { table: 'payment_integrations', columns: ['api_account', 'api_key1', 'api_key2'] },
  Sites: { table: 'sites', columns: ['api_key1', 'api_key2', 'api_key3'] },
  IdempotencyKeys: { table: 'idempotency_keys', columns: ['body'] },
} as const;

type Sealed = (typeof SEALED)[keyof typeof SEALED];
type SealedRow = Readonly<Record<string, string | null>>;

/** Seals one batch anew in a short transaction of its own; the service may write the same rows before and after. */
async function rotateBatch(tx: EntityManager, vault: Vault, { table, columns }: Sealed): Promise<number> {
  const isOld = (column: string) => `NOT starts_with(${column}, $1)`;
  const rows = await tx.query<SealedRow[]>(
    `SELECT ctid::text AS place, ${columns.join(', ')} FROM ${table}
     WHERE ${columns.map(isOld).join(' OR ')} LIMIT ${BATCH_ROWS} FOR UPDATE`,
    [vault.newestPrefix],
  );
  if (rows.length === 0) return 0;
  // What was sealed with the newest key already is left as it is.
  const anew = (value: string | null) =>
    value !== null && vault.needsRotation(value) ? vault.seal(vault.open(value)) : value;
  const parameters = [
    rows.map(({ place }) => place),
    ...columns.map((column) => rows.map((row) => anew(row[column]!))),
  ];
  await tx.query(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = anew.${column}`).join(', ')}
     FROM unnest($1::tid[], ${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')}) AS anew (place, ${columns.join(', ')})
     WHERE ${table}.ctid = anew.place`,
    parameters,
  );
  return rows.length;
}

/**
 * Seals every stored credential and answer with the newest key. It can be stopped and run again at any time.
 * @returns how many rows were sealed anew, by resource. @throws SealedValueError when a key is missing.
 */
export async function rotateKeys(database: DataSource, vault: Vault): Promise<Record<string, number>> {
  const rotated: Record<string, number> = {};
  for (const [resource, sealed] of Object.entries(SEALED)) {
    rotated[resource] = 0;
    for (;;) {
      const rows = await database.transaction((tx) => rotateBatch(tx, vault, sealed));
      rotated[resource] += rows;
      if (rows < BATCH_ROWS) break;
    }
  }
  return rotated;
}
