import { prepared, type Statement } from '#libs/database';
import type { Database } from './database.js';
import { eachInTurn, type InTurn, type Pieces } from './in-turn.js';
import { AFTER_ALL_IDS, KeyBatches } from './key-batches.js';
import { type Keys, keysOf } from './keys.js';
import { oneAhead } from './one-ahead.js';
import { ChangedMeanwhile, recordPieces } from './record-pieces.js';
import { countSql, ROWS_AT_ONCE, type View } from './views/view.js';

/** The number of records on a page (decisions.md §5). */
export const PAGE_SIZE = 100;

/** The most rows inside the records of one piece, which has at most 500 records. */
const ROWS_OF_PIECE = 2 * ROWS_AT_ONCE;

/**
 * The records of one row of an answer. A connection keeps twice the largest row in memory, and copies it some times over until it is complete: so rows are
 * about as large as what a socket gives at once.
 */
const RECORDS_OF_ROW = 20;

/** Its code in ASCII, in the place of the comma before the first record. */
const BRACKET = 0x5b;

/** A page, or a list of its records when it is large; and whether another page follows. */
export interface Page<Json extends string | Listing = string> {
  readonly json: Json;
  readonly more: boolean;
}

/** A list of one resource for one caller: page by page, or as a stream of chunks. Its JSON is the resource's view. */
export class Listing {
  constructor(
    private readonly database: Database,
    private readonly view: View,
    private readonly keys: Keys,
    /** Distinguishes the prepared statements: one per resource and form of keys. */
    private readonly name: string,
  ) {}

  /** @param page from 1. After the last page it is empty. */
  async page(page: number): Promise<Page<string | Listing>> {
    const values = [this.keys.owner, 0, AFTER_ALL_IDS, page * PAGE_SIZE + 1, (page - 1) * PAGE_SIZE];
    const [row] = await this.database.execute<PageRow>(this.pageStatement(), values);
    const { json, ids, more } = row!;
    return { json: json === null ? this.of(ids) : this.view.decrypt(json), more };
  }

  /** Returns the ids always, and the JSON only if the rows inside the records fit into memory together. */
  private pageStatement(): Statement {
    const { view, keys } = this;
    const rows = view.inside === undefined ? '0' : `(SELECT sum(${countSql(view.inside, 'shown.id')}) FROM shown)`;
    return prepared(
      `${this.name}.page`,
      () => `WITH page AS MATERIALIZED (SELECT k.id FROM (${keys.sql}) k ORDER BY k.id OFFSET $5 LIMIT ${PAGE_SIZE + 1}),
        shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT ${PAGE_SIZE})
      SELECT CASE WHEN coalesce(${rows}, 0) <= ${ROWS_AT_ONCE} THEN (
          SELECT '[' || coalesce(string_agg(${view.json('x')}::text, ',' ORDER BY x.id), '') || ']'
          FROM ${view.table} x WHERE x.id IN (SELECT id FROM shown)) END AS json,
        ARRAY (SELECT id FROM shown)::text AS ids, (SELECT count(*) FROM page) > ${PAGE_SIZE} AS more`,
    );
  }

  /** A list of these ids, given as a PostgreSQL array. */
  private of(ids: string): Listing {
    const { table } = this.view;
    const keys = keysOf(table, ids, (alias, owner) => `${alias}.id = ANY (${owner}::bigint[])`);
    return new Listing(this.database, this.view, keys, `${table}.ids`);
  }

  async pageCount(): Promise<number> {
    const statement = prepared(`${this.name}.count`, () => `SELECT count(*) AS count FROM (${this.keys.sql}) k`);
    const [row] = await this.database.execute<{ count: string }>(statement, [
      this.keys.owner,
      0,
      AFTER_ALL_IDS,
      Number.MAX_SAFE_INTEGER,
    ]);
    return Math.ceil(Number(row!.count) / PAGE_SIZE);
  }

  /**
   * The whole array, piece by piece. The ids are read first. Each piece is a separate statement that ends before the piece is passed on: a slow reader
   * keeps neither a connection nor a snapshot (docs/architecture.md, The way of a request). The next piece is read while one is waited for or sent.
   * A record that is deleted before its piece is read is left out. A record with many rows inside is sent alone, in several pieces.
   */
  async *chunks(inTurn: InTurn): Pieces {
    const { table } = this.view;
    const keys = new KeyBatches(this.database, this.keys, { table, name: this.name }).pieces(inTurn);
    let isOver = false;
    const read = async () => {
      const { value: ids } = await keys.next();
      return ids ? inTurn(async () => (isOver ? null : this.read(ids))) : null;
    };
    let isFirst = true;
    try {
      for await (const piece of oneAhead(read)) {
        for await (const json of this.whole(piece, inTurn)) {
          yield isFirst ? opened(json) : json;
          isFirst = false;
        }
      }
      yield isFirst ? '[]' : ']';
    } finally {
      isOver = true;
    }
  }

  /** The JSON of the records of one piece, each with a comma before it, when its first statement was answered with `piece`. */
  private async *whole(piece: Piece, inTurn: InTurn): Pieces {
    for (let part = piece; ;) {
      for (const json of part.json) yield this.view.encrypted ? this.view.decrypt(json.toString()) : json;
      if (part.alone !== null) yield* this.large(part.alone, inTurn);
      const { ids, rest } = part;
      if (rest === null) return;
      part = await inTurn(() => this.read(ids, rest));
    }
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

  /** The records of these ids after `after`: as many as fit into memory. */
  private async read(ids: string, after = 0): Promise<Piece> {
    const values = [ids, after, this.keys.owner];
    const rows = await this.database.readBytes<PieceRow>(this.pieceStatement(), values);
    const { alone, rest } = rows[0]!;
    const json = rows.map((row) => row.json).filter((part) => part !== null);
    return { ids, json, alone: numberOf(alone), rest: numberOf(rest) };
  }

  private pieceStatement(): Statement {
    const { view, keys } = this;
    return prepared(
      `${this.name}.piece`,
      () => `WITH asked AS MATERIALIZED (SELECT k.id FROM unnest($1::bigint[]) AS k(id) WHERE k.id > $2),
        fitting AS MATERIALIZED (${this.fitting()}),
        taken AS (SELECT coalesce((SELECT max(id) FROM fitting), (SELECT min(id) FROM asked)) AS upto)
      SELECT p.json, (SELECT x.id FROM ${view.table} x, taken
          WHERE x.id = taken.upto AND NOT EXISTS (SELECT 1 FROM fitting) AND ${keys.holds('x', '$3')})::text AS alone,
        (SELECT taken.upto FROM taken WHERE taken.upto < (SELECT max(id) FROM asked))::text AS rest
      FROM (SELECT) always LEFT JOIN (
        SELECT min(c.id) AS first, ',' || string_agg(c.json, ',' ORDER BY c.id) AS json
        FROM (SELECT x.id, (row_number() OVER (ORDER BY x.id) - 1) / ${RECORDS_OF_ROW} AS part, ${view.json('x')}::text AS json FROM ${view.table} x
              WHERE x.id = ANY (ARRAY (SELECT id FROM fitting)) AND ${keys.holds('x', '$3')}) c
        GROUP BY c.part) p ON true
      ORDER BY p.first`,
    );
  }

  /** SQL: the ids of `asked` that are read at once; none when the first record has too many rows inside. */
  private fitting(): string {
    const { inside } = this.view;
    if (inside === undefined) return 'SELECT id FROM asked';
    return `SELECT r.id FROM (SELECT n.id, sum(CASE WHEN n.rows > ${ROWS_AT_ONCE} THEN ${ROWS_OF_PIECE + 1} ELSE n.rows END) OVER (ORDER BY n.id) AS upto
        FROM (SELECT a.id, ${countSql(inside, 'a.id')} AS rows FROM asked a) n) r WHERE r.upto <= ${ROWS_OF_PIECE}`;
  }
}

const numberOf = (text: Buffer | null) => (text === null ? null : Number(text.toString()));

/** A JSON array begins where a comma was. The bytes are this list's own. */
function opened(json: Buffer | string): Buffer | string {
  if (typeof json === 'string') return `[${json.slice(1)}`;
  json[0] = BRACKET;
  return json;
}

/** What the statement of a piece found. */
interface Piece {
  readonly ids: string;
  /** The records, each with a comma before it. */
  readonly json: readonly Buffer[];
  /** The id of a record that has to be sent alone, because it has many rows inside; `json` is empty then. */
  readonly alone: number | null;
  /** The records of `ids` after this one are still to be read; null when there are none. */
  readonly rest: number | null;
}

type PieceRow = Record<'json' | 'alone' | 'rest', Buffer | null>;

interface PageRow {
  readonly json: string | null;
  readonly ids: string;
  readonly more: boolean;
}
