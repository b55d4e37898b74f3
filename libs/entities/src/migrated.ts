import { Statement } from '#libs/database';
import { migrations } from './migrations/index.js';

/** Names of migrations end with 1780000000000 plus their number. */
const NUMBER_ZERO = 1_780_000_000_000;

/** The schema version of this code: the number of its newest migration. */
export const SCHEMA_VERSION = Math.max(...migrations.map(({ name }) => Number(name.slice(-13)) - NUMBER_ZERO));

/** Versions that are written for an older schema can only read encrypted values that are bound to no place (migration 16). */
export const READS_BOUND_VALUES = 16;

/** Versions that are written for an older schema price as if every site had the default settings, and no rate a priority (migration 19). */
export const READS_TAX_SETTINGS = 19;

/** Versions that are written for an older schema write no events (migration 22). */
export const WRITES_EVENTS = 22;

/** Versions that are written for an older schema do not show archived cycles (migration 29). */
export const READS_ARCHIVED_CYCLES = 29;

/** Versions that are written for an older schema would charge the orders of simulated sites by the real clock (migrations 37 and 41). */
export const KNOWS_SIMULATED_SITES = 41;

export const NOT_MIGRATED = 'The database is not up to date: run the migrate command.';

/** How a database and a version of the code fit together. */
export interface SchemaState {
  /** Whether every migration of this version has run. */
  readonly migrated: boolean;
  /** The oldest schema version that a process may have. */
  readonly minimum: number;
}

/** One row, a `SchemaState`. When no migration has run, a table is missing (42P01). */
export const MIGRATED = {
  statement: Statement.of(
    `SELECT count(*) = cardinality($1::text[]) AS migrated, (SELECT schema_version FROM minimum_version) AS minimum
FROM migrations WHERE name = ANY ($1)`,
  ),
  values: [migrations.map(({ name }) => name)],
};

/** SQL: the schema version of the database. */
export const NEWEST_MIGRATION = `SELECT (max(right(m.name, 13)::bigint) - ${NUMBER_ZERO})::int FROM migrations m`;

/** One row, `minimum`: for frequent checks. */
export const MINIMUM_VERSION = Statement.of(`SELECT schema_version AS minimum FROM minimum_version`);

/** Refuses processes that are written for an older schema. $1 schema version. */
export const RAISE_MINIMUM_VERSION = Statement.of(
  `UPDATE minimum_version SET schema_version = $1 WHERE schema_version < $1`,
);

/** Why a process of this version may not use a database with that minimum: a sentence, or null when it may. */
export function outdatedBecause(minimum: number): string | null {
  if (minimum <= SCHEMA_VERSION) return null;
  return `This process is too old for the database, which needs schema version ${minimum} or newer; this one has ${SCHEMA_VERSION}: deploy the newer version.`;
}

/** Why a process of this version may not, or cannot, use the database: a sentence, or null when it can. */
export function unusableSchemaBecause({ migrated, minimum }: SchemaState): string | null {
  return outdatedBecause(minimum) ?? (migrated ? null : NOT_MIGRATED);
}
