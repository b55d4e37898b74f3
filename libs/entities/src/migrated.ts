import { type SqlExecutor, Statement } from '#libs/platform';
import { migrations } from './migrations/index.js';

/** As TypeORM writes them down. */
export const MIGRATION_NAMES = migrations.map((Migration): string => {
  const made: { readonly name?: string } = new Migration();
  return made.name ?? Migration.name;
});

/** Names of migrations end with 1780000000000 plus their number. */
const NUMBER_ZERO = 1_780_000_000_000;

/** The schema version of this code: the number of its newest migration. */
export const SCHEMA_VERSION = Math.max(...MIGRATION_NAMES.map((name) => Number(name.slice(-13)) - NUMBER_ZERO));

export const NOT_MIGRATED = 'The database is not up to date: run the migrate command.';

const OTHER_BASELINE =
  'Another version of the baseline made this database, and this one cannot go on from it: run the migrate command on a new, empty database; ' +
  'for npm start, move the folder of DATA_DIR (by default .data) away.';

const HAS_MIGRATIONS = Statement.named(`SELECT to_regclass('migrations') IS NOT NULL AS "hasMigrations"`);

/**
 * Migrations of versions that this one does not know may come after the baseline, but none instead of it. $1 the
 * baseline.
 */
const HAS_OTHER_BASELINE =
  Statement.named(`SELECT count(*) > 0 AND NOT coalesce(bool_or(m.name = $1), false) AS "hasOtherBaseline"
FROM migrations m`);

/** Why migrations of this version cannot go on from those that have run: a sentence, or null when they can. */
export async function otherBaselineBecause(database: SqlExecutor): Promise<string | null> {
  const [found] = await database.execute<{ hasMigrations: boolean }>(HAS_MIGRATIONS, []);
  if (!found!.hasMigrations) return null;
  const [made] = await database.execute<{ hasOtherBaseline: boolean }>(HAS_OTHER_BASELINE, [MIGRATION_NAMES[0]]);
  return made!.hasOtherBaseline ? OTHER_BASELINE : null;
}

/** How a database and a version of the code fit together. */
export interface SchemaState {
  /** Whether every migration of this version has run. */
  readonly migrated: boolean;
  /** The oldest schema version that a process may have. */
  readonly minimum: number;
}

/** One row, a `SchemaState`. When no migration has run, a table is missing (42P01). */
export const MIGRATED = {
  statement: Statement.named(
    `SELECT count(*) = cardinality($1::text[]) AS migrated, (SELECT schema_version FROM minimum_version) AS minimum
FROM migrations WHERE name = ANY ($1)`,
  ),
  values: [MIGRATION_NAMES],
};

/** SQL: the schema version of the database. */
export const NEWEST_MIGRATION = `SELECT (max(right(m.name, 13)::bigint) - ${NUMBER_ZERO})::int FROM migrations m`;

/** One row, `minimum`: for frequent checks. */
export const MINIMUM_VERSION = Statement.named(`SELECT schema_version AS minimum FROM minimum_version`);

/** Why a process of this version may not use a database with that minimum: a sentence, or null when it may. */
export function outdatedBecause(minimum: number): string | null {
  if (minimum <= SCHEMA_VERSION) return null;
  return `This process is too old for the database, which needs schema version ${minimum} or newer; this one has ${SCHEMA_VERSION}: deploy the newer version.`;
}

/** Why a process of this version may not, or cannot, use the database: a sentence, or null when it can. */
export function unusableSchemaBecause({ migrated, minimum }: SchemaState): string | null {
  return outdatedBecause(minimum) ?? (migrated ? null : NOT_MIGRATED);
}

/**
 * The database as a process knows it. Its statements claim, freeze and number nothing in another database, or in one
 * that went back in time.
 */
export interface KnownDatabase {
  /** `deployment.generation`. */
  readonly generation: number;
  /** The furthest position of its log that this process has seen. */
  readonly lsn: string;
}

/**
 * A condition: it fails in another database than the one that the process knows, in one that went back in time (SO001),
 * and for a version that is too old for it (SO002). Takes the SQL of the two values of a `KnownDatabase`.
 */
export const here = (generation: string, lsn: string): string =>
  `assert_same_database(${generation}, ${lsn}, ${SCHEMA_VERSION})`;
