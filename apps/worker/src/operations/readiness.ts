import { type ConnectionPool, isNotMigrated, isReadOnly, READ_ONLY_TRANSACTION } from '#libs/database';
import {
  closedTablesBecause,
  MIGRATED,
  NOT_MIGRATED,
  type SchemaState,
  tablesElsewhere,
  unusableSchemaBecause,
} from '#libs/entities';

const READ_ONLY = 'The database is read-only: it is a standby, or was the primary until a failover.';

const LOOK = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", schema.* FROM (${MIGRATED.statement.text}) schema`;

interface Looked extends SchemaState {
  readonly isReadOnly: boolean;
}

/** Why the worker cannot use the database: a sentence, or null when it can. */
export async function unusableBecause(pool: ConnectionPool): Promise<string | null> {
  try {
    return (await closedTablesBecause(pool)) ?? unusableSchemaBecause(await look(pool));
  } catch (error) {
    if (isReadOnly(error)) return READ_ONLY;
    if (!isNotMigrated(error)) return 'The database cannot be reached.';
    const elsewhere = await tablesElsewhere(pool).catch(() => null);
    return elsewhere === null ? NOT_MIGRATED : `${NOT_MIGRATED} ${elsewhere}`;
  }
}

/** A connection to a read-only server is closed: the next one may find the new primary. */
const look = (pool: ConnectionPool): Promise<Looked> =>
  pool.transaction(async (tx) => {
    const [looked] = await tx.execute<Looked>(LOOK, MIGRATED.values);
    if (looked!.isReadOnly) throw new ReadOnly(READ_ONLY);
    return looked!;
  });

class ReadOnly extends Error {
  readonly code = READ_ONLY_TRANSACTION;
}
