import { type SqlExecutor, Statement } from '#libs/database';
import type { Patience } from './patience.js';

/** Their JSON is made, and their locks are kept, for some tens of milliseconds. */
const ROWS_AT_ONCE = 500;

const UNFINISHED = Statement.of(
  `SELECT table_name AS "table", filled_upto AS "filledUpto" FROM json_fills ORDER BY table_name`,
);
/** $1 table, $2 id. */
const ADVANCE = Statement.of(`UPDATE json_fills SET filled_upto = greatest(filled_upto, $2) WHERE table_name = $1`);
/** $1 table. */
const FINISH = Statement.of(`DELETE FROM json_fills WHERE table_name = $1`);

interface Unfinished {
  readonly table: string;
  readonly filledUpto: string;
}

interface Piece {
  /** The highest id of the piece; null after the last row of the table. */
  readonly last: string | null;
  /** Rows that still have no JSON, because others have locked them. */
  readonly skipped: number;
}

/**
 * Makes the JSON of products and customers that were there before migration 26, and remembers how far it is. Each piece is a transaction of its own,
 * and it waits for no row: one that others have locked is tried again later. Until then statements build its JSON from its columns.
 */
export async function fillJson(
  database: SqlExecutor,
  patience: Patience,
  say: (sentence: string) => void,
): Promise<void> {
  for (const { table } of await database.execute<Unfinished>(UNFINISHED, [])) {
    say(`The stored ${table} get their JSON, ${ROWS_AT_ONCE} at a time. All else works meanwhile.`);
    await fillTable(database, table, patience, say);
  }
}

async function fillTable(
  database: SqlExecutor,
  table: string,
  patience: Patience,
  say: (sentence: string) => void,
): Promise<void> {
  for (;;) {
    const skipped = await fillOnce(database, table);
    if (skipped === 0) break;
    const pauseMs = patience.nextPauseMs;
    if (pauseMs === null) {
      say(
        `Rows of ${table} that others have locked: ${skipped}. They work without it; the next migrate makes their JSON.`,
      );
      return;
    }
    await patience.pause(pauseMs);
  }
  await database.execute(FINISH, [table]);
}

/** From where it was to the end of the table. @returns how many rows were locked by others. */
async function fillOnce(database: SqlExecutor, table: string): Promise<number> {
  const fill = Statement.of(fillSql(table));
  const unfinished = await database.execute<Unfinished>(UNFINISHED, []);
  let [after, skipped] = [unfinished.find((one) => one.table === table)?.filledUpto ?? '0', 0];
  for (;;) {
    const [piece] = await database.execute<Piece>(fill, [after]);
    if (piece!.last === null) return skipped;
    after = piece!.last;
    skipped += piece!.skipped;
    if (skipped === 0) await database.execute(ADVANCE, [table, after]);
  }
}

/** The trigger makes the JSON of every row that is written. $1 the rows after this id. */
const fillSql = (table: string) => `WITH piece AS MATERIALIZED (
    SELECT t.id, t.json IS NULL AS missing FROM ${table} t WHERE t.id > $1 ORDER BY t.id LIMIT ${ROWS_AT_ONCE}
  ), free AS MATERIALIZED (
    SELECT t.id FROM ${table} t WHERE t.id = ANY (ARRAY (SELECT id FROM piece WHERE missing)) AND t.json IS NULL
    ORDER BY t.id FOR NO KEY UPDATE SKIP LOCKED
  ), filled AS (
    UPDATE ${table} t SET json = NULL FROM free WHERE t.id = free.id RETURNING t.id
  )
  SELECT (SELECT max(id) FROM piece) AS last,
    ((SELECT count(*) FROM piece WHERE missing) - (SELECT count(*) FROM filled))::int AS skipped`;
