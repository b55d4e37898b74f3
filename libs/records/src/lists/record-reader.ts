import { prepared, type Statement } from '#libs/platform';
import type { Reads } from '../replica.js';
import { countSql, ROWS_AT_ONCE, type View } from '../views/view.js';
import { eachInTurn, type InTurn, type Pieces } from './in-turn.js';
import type { Keys } from './keys.js';
import { ChangedMeanwhile, recordPieces } from './record-pieces.js';

/** The most rows inside the records of one piece, which has at most 500 records. */
const ROWS_OF_PIECE = 2 * ROWS_AT_ONCE;

/**
 * The records of one row of an answer. A connection keeps twice the largest row in memory, and copies it some times
 * over until it is complete: so rows are about as large as what a socket gives at once.
 */
const RECORDS_OF_ROW = 20;

/** Its code in ASCII, in the place of the comma before the first record. */
const BRACKET = 0x5b;

/** Reads the JSON of records whose ids are known, as many at once as fit into memory. */
export class RecordReader {
  constructor(
    private readonly database: Reads,
    private readonly view: View,
    /** Of the list that the ids were found in: a record that has left it since is left out. */
    private readonly keys: Pick<Keys, 'owner' | 'holds'>,
    /** Distinguishes the prepared statement. */
    private readonly name: string,
  ) {}

  /**
   * The records of these ids, in that order: as many as fit into memory.
   * @param ids at most 500, as a PostgreSQL array.
   * @param after how many of them were read before.
   */
  async read(ids: string, after = 0): Promise<Piece> {
    const values = [ids, after, this.keys.owner];
    const rows = await this.database.readBytes<PieceRow>(this.statement(), values);
    const { alone, upto } = rows[0]!;
    const json = rows.map((row) => row.json).filter((part) => part !== null);
    return { ids, json, alone: numberOf(alone), upto: numberOf(upto) };
  }

  /** The JSON of all records of a piece's ids, each with a comma before it, when `piece` was read. */
  async *whole(piece: Piece, inTurn: InTurn): Pieces {
    for (let part = piece; ;) {
      for (const json of part.json) yield this.view.encrypted ? this.view.decrypt(json.toString()) : json;
      if (part.alone !== null) yield* this.large(part.alone, inTurn);
      const { ids, upto } = part;
      if (upto === null) return;
      part = await inTurn(() => this.read(ids, upto));
    }
  }

  /** The records as rows of a table (`view.columns`), each value as JSON writes it, in the order of these ids. */
  async cells(ids: string): Promise<string[][]> {
    const { view, keys } = this;
    const statement = prepared(
      `${this.name}.cells`,
      () => `SELECT ${view.cells('x')} AS cells FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) JOIN ${view.table} x ON x.id = k.id
        WHERE ${keys.holds('x', '$2')} ORDER BY k.place`,
    );
    const rows = await this.database.execute<{ cells: string[] }>(statement, [ids, keys.owner]);
    return rows.map(({ cells }) => cells);
  }

  /** A record that is gone before its first piece was read is left out. */
  private async *large(id: number, inTurn: InTurn): Pieces {
    const pieces = eachInTurn(recordPieces(this.database, this.view, id), inTurn);
    const first = await pieces.next().catch((error: unknown) => {
      if (error instanceof ChangedMeanwhile) return null;
      throw error;
    });
    if (first === null) return;
    yield `,${(first.value as Buffer | string).toString()}`;
    yield* pieces;
  }

  private statement(): Statement {
    const { view, keys } = this;
    return prepared(
      `${this.name}.piece`,
      () => `WITH wanted AS MATERIALIZED (SELECT k.id, k.place FROM unnest($1::bigint[]) WITH ORDINALITY AS k (id, place) WHERE k.place > $2),
        fitting AS MATERIALIZED (${this.fitting()}),
        taken AS (SELECT coalesce((SELECT max(place) FROM fitting), (SELECT min(place) FROM wanted)) AS upto)
      SELECT p.json, (SELECT x.id FROM ${view.table} x, taken
          WHERE x.id = (SELECT w.id FROM wanted w WHERE w.place = taken.upto) AND NOT EXISTS (SELECT 1 FROM fitting)
            AND ${keys.holds('x', '$3')})::text AS alone,
        (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(place) FROM wanted))::text AS upto
      FROM (SELECT) always LEFT JOIN (
        SELECT min(c.place) AS first, ',' || string_agg(c.json, ',' ORDER BY c.place) AS json
        FROM (SELECT f.place, (row_number() OVER (ORDER BY f.place) - 1) / ${RECORDS_OF_ROW} AS part, ${view.json('x')}::text AS json
              FROM fitting f CROSS JOIN LATERAL (SELECT x.* FROM ${view.table} x WHERE x.id = f.id AND ${keys.holds('x', '$3')} OFFSET 0) x) c
        GROUP BY c.part) p ON true
      ORDER BY p.first`,
    );
  }

  /** SQL: those of `wanted` that are read at once; none when the first record has too many rows inside. */
  private fitting(): string {
    const { inside } = this.view;
    if (inside === undefined) return 'SELECT id, place FROM wanted';
    return `SELECT r.id, r.place FROM (SELECT n.id, n.place,
          sum(CASE WHEN n.rows > ${ROWS_AT_ONCE} THEN ${ROWS_OF_PIECE + 1} ELSE n.rows END) OVER (ORDER BY n.place) AS upto
        FROM (SELECT w.id, w.place, ${countSql(inside, 'w.id')} AS rows FROM wanted w) n) r WHERE r.upto <= ${ROWS_OF_PIECE}`;
  }
}

const numberOf = (text: Buffer | null) => (text === null ? null : Number(text.toString()));

/**
 * An array of records that have a comma before each: it begins in the place of the first comma. The bytes are this
 * array's own.
 */
export async function* inBrackets(records: Pieces): Pieces {
  let isFirst = true;
  for await (const json of records) {
    yield isFirst ? opened(json) : json;
    isFirst = false;
  }
  yield isFirst ? '[]' : ']';
}

function opened(json: Buffer | string): Buffer | string {
  if (typeof json === 'string') return `[${json.slice(1)}`;
  json[0] = BRACKET;
  return json;
}

/** What the statement of a piece found. */
export interface Piece {
  readonly ids: string;
  /** The records, each with a comma before it. */
  readonly json: readonly Buffer[];
  /** The id of a record that has to be sent alone, because it has many rows inside; `json` is empty then. */
  readonly alone: number | null;
  /** So many of `ids` were read; null when there are no more. */
  readonly upto: number | null;
}

type PieceRow = Record<'json' | 'alone' | 'upto', Buffer | null>;
