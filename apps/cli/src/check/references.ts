import { type EntityReference, referringTables } from '#libs/entities';
import type { SqlExecutor } from '#libs/platform';

/** Another transaction never waits for one of ours: a piece has as many rows as are read in about so long. */
const PIECE_MS = 500;
const FIRST_PIECE = 1_000;
const SMALLEST_PIECE = 50;
const LARGEST_PIECE = 20_000;

/** A reference that leads nowhere. */
export interface MissingRow {
  readonly Table: string;
  /** The primary key of the row that refers. */
  readonly Key: Readonly<Record<string, number | string>>;
  readonly Column: string;
  readonly RefersTo: string;
  /** What should be there, and is not. */
  readonly Id: number | string;
}

interface KeyColumn {
  readonly column: string;
  readonly type: string;
}

/** A table whose rows refer to others. */
interface Referring {
  readonly table: string;
  /** In the order of the primary key's index, by which the pieces are read. */
  readonly key: readonly KeyColumn[];
  readonly references: readonly EntityReference[];
}

/** $1 table. */
const PRIMARY_KEY = `SELECT a.attname AS column, format_type(a.atttypid, NULL) AS type
FROM pg_constraint c CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
WHERE c.conrelid = $1::regclass AND c.contype = 'p' ORDER BY k.place`;

interface Piece {
  readonly rows: number;
  /** The key of its last row, as text; null when it is empty. */
  readonly last: readonly string[] | null;
  readonly missing: readonly MissingRow[];
}

/**
 * Reads every row that refers to another one, and calls `found` for each reference to a row that does not exist. Others
 * may write in the meantime, because a row is never committed before the row that it refers to.
 * @returns how many rows were read.
 */
export async function checkReferences(
  database: SqlExecutor,
  found: (missing: MissingRow) => void,
): Promise<Record<string, number>> {
  const read: Record<string, number> = {};
  // All that the entities declare, also where PostgreSQL checks it: a logical restore or a replica writes without that.
  for (const { table, references } of referringTables()) {
    const key = await database.execute<KeyColumn>(PRIMARY_KEY, [table]);
    read[table] = await checkTable(database, { table, key, references }, found);
  }
  return read;
}

async function checkTable(
  database: SqlExecutor,
  referring: Referring,
  found: (missing: MissingRow) => void,
): Promise<number> {
  let [read, limit] = [0, FIRST_PIECE];
  let after: readonly string[] = [];
  for (;;) {
    const began = performance.now();
    const [piece] = await database.execute<Piece>(pieceSql(referring, after.length > 0), [limit, ...after]);
    const { rows, last, missing } = piece!;
    missing.forEach(found);
    read += rows;
    if (rows < limit || last === null) return read;
    after = last;
    const fitting = Math.round((limit * PIECE_MS) / (performance.now() - began));
    limit = Math.min(LARGEST_PIECE, Math.max(SMALLEST_PIECE, Math.min(limit * 2, fitting)));
  }
}

/**
 * The next rows in the order of the primary key, and their references that lead nowhere. Each reference is looked up by
 * itself, in a sub-select that PostgreSQL cannot turn into a join: that would read the whole other table for every
 * piece. $1 limit, then the key of the row before.
 */
function pieceSql({ table, key, references }: Referring, isLater: boolean): string {
  const columns = key.map(({ column }) => column);
  const selected = [...new Set([...columns, ...references.map(({ column }) => column)])];
  const places = key.map(({ type }, index) => `$${index + 2}::${type}`);
  const shown = columns.map((column) => `'${column}', p.${column}`).join(', ');
  const missing = references.map(
    (to) => `SELECT json_build_object('Table', '${table}', 'Key', json_build_object(${shown}), 'Column', '${to.column}',
      'RefersTo', '${to.table}', 'Id', p.${to.column}) AS one
    FROM piece p
    WHERE p.${to.column} IS NOT NULL AND (SELECT true FROM ${to.table} r WHERE r.${to.key} = p.${to.column}) IS NULL`,
  );
  return `WITH piece AS MATERIALIZED (
    SELECT ${selected.join(', ')} FROM ${table}
    ${isLater ? `WHERE (${columns.join(', ')}) > (${places.join(', ')})` : ''}
    ORDER BY ${columns.join(', ')} LIMIT $1
  )
  SELECT (SELECT count(*) FROM piece)::int AS rows,
    (SELECT json_build_array(${columns.map((column) => `p.${column}::text`).join(', ')}) FROM piece p
     ORDER BY ${columns.map((column) => `p.${column} DESC`).join(', ')} LIMIT 1) AS last,
    (SELECT coalesce(json_agg(m.one), '[]') FROM (${missing.join(' UNION ALL ')}) m) AS missing`;
}
