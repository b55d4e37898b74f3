import { getMetadataArgsStorage } from 'typeorm/globals.js';
import { type SqlExecutor, Statement, UnusableDatabase } from '#libs/platform';
import { otherBaselineBecause } from './migrated.js';

const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Partitions that statements name themselves: all others are reached through their tables, whose rights count. */
const NAMED_PARTITIONS = ['action_logs_rest', 'event_logs_rest', 'error_logs_rest'];

/** The name of every table, as the entities have it. */
const tables = (): string[] => [
  ...getMetadataArgsStorage().tables.flatMap(({ name }) => (name === undefined ? [] : [name])),
  ...NAMED_PARTITIONS,
];

/**
 * The tables and sequences that this role cannot use whole: a right is missing, or row level security is active for it
 * without a policy that shows and takes every row. `migrations` is only read. One row each; none is normal. Tables that
 * do not exist are left out. $1 tables, $2 rights.
 */
const CLOSED = Statement.named(`WITH ours AS MATERIALIZED (
  SELECT c.oid, c.relname AS name, CASE c.relname WHEN 'migrations' THEN ARRAY['SELECT'] ELSE $2::text[] END AS needed
  FROM unnest($1::text[] || ARRAY['migrations']) AS t (name) JOIN pg_class c ON c.oid = to_regclass(quote_ident(t.name))
), found AS (
  SELECT name, ARRAY (SELECT r FROM unnest(needed) WITH ORDINALITY AS n (r, i) WHERE NOT has_table_privilege(ours.oid, r) ORDER BY i) AS lacks,
    row_security_active(ours.oid) AND (
      NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = ours.oid AND p.polpermissive AND p.polcmd = '*'
        AND (0 = ANY (p.polroles) OR EXISTS (SELECT 1 FROM unnest(p.polroles) AS r (role) WHERE r.role <> 0 AND pg_has_role(r.role, 'USAGE')))
        AND pg_get_expr(p.polqual, p.polrelid) = 'true' AND coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'true') = 'true')
      OR EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = ours.oid AND NOT p.polpermissive)) AS hidden
  FROM ours
  UNION ALL
  SELECT s.relname, ARRAY (SELECT r FROM unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) AS r WHERE NOT has_sequence_privilege(s.oid, r)), false
  FROM ours JOIN pg_depend d ON d.refobjid = ours.oid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
    AND d.deptype IN ('a', 'i') JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
)
SELECT current_user AS "role", name, lacks, hidden FROM found WHERE lacks <> '{}' OR hidden ORDER BY name`);

interface Closed {
  readonly role: string;
  readonly name: string;
  readonly lacks: readonly string[];
  readonly hidden: boolean;
}

/** How many tables a sentence names. */
const NAMED = 3;
const WHERE = 'docs/topologies.md has the statements';

/**
 * Why this role cannot use the tables: a sentence, or null when it can. Without it, hidden rows would look like no
 * rows.
 */
export async function closedTablesBecause(database: SqlExecutor): Promise<string | null> {
  const closed = await database.execute<Closed>(CLOSED, [tables(), RIGHTS]);
  const lacking = closed.filter(({ lacks }) => lacks.length > 0);
  if (lacking.length > 0) {
    const [first] = lacking as [Closed];
    const others = lacking.length === 1 ? '' : `, and rights on ${inWords(lacking.slice(1))}`;
    return `The role "${first.role}" lacks ${first.lacks.join(', ')} on ${first.name}${others}: grant them (${WHERE}).`;
  }
  if (closed.length === 0) return null;
  return `Row level security hides rows of ${inWords(closed)} from the role "${closed[0]!.role}": give it a policy for all rows, or BYPASSRLS (${WHERE}).`;
}

function inWords(closed: readonly Closed[]): string {
  const names = closed.slice(0, NAMED).map(({ name }) => name);
  return closed.length > NAMED ? `${names.join(', ')} and ${closed.length - NAMED} more` : names.join(', ');
}

/**
 * Checks at start that the role may use all tables there are, and that no other baseline made them.
 * @throws UnusableDatabase with a sentence that says what to do.
 */
export async function checkTables(database: SqlExecutor): Promise<void> {
  const fault = (await closedTablesBecause(database)) ?? (await otherBaselineBecause(database));
  if (fault !== null) throw new UnusableDatabase(fault);
}

/** Schemas with tables of this service that this session does not find, and whether the role may enter them. */
const ELSEWHERE =
  Statement.named(`SELECT n.nspname AS schema, has_schema_privilege(n.oid, 'USAGE') AS open, current_user AS "role"
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relname = 'minimum_version' AND c.relkind = 'r' AND to_regclass('minimum_version') IS NULL
ORDER BY n.nspname LIMIT 1`);

/**
 * The schema that has the tables, where the session does not look for them: a sentence, or null. To add to
 * `NOT_MIGRATED`.
 */
export async function tablesElsewhere(database: SqlExecutor): Promise<string | null> {
  const [found] = await database.execute<{ schema: string; open: boolean; role: string }>(ELSEWHERE);
  if (found === undefined) return null;
  const { schema, role } = found;
  return found.open
    ? `The schema "${schema}" has tables of this service, but is not on the search_path of the role "${role}".`
    : `The schema "${schema}" has tables of this service, but the role "${role}" lacks USAGE on it.`;
}
