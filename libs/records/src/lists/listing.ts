import { prepared, type Statement } from '#libs/platform';
import type { Reads } from '../replica.js';
import { countSql, ROWS_AT_ONCE, type View } from '../views/view.js';
import type { InTurn, Pieces } from './in-turn.js';
import { AFTER_ALL_IDS, KeyBatches } from './key-batches.js';
import { type Keys, keysOf } from './keys.js';
import { inBrackets, type Piece, RecordReader } from './record-reader.js';

/** The number of records on a page (decisions.md §5). */
export const PAGE_SIZE = 100;

/** A page, or a list of its records when it is large; and whether another page follows. */
export interface Page<Json extends string | Listing = string> {
  readonly json: Json;
  readonly more: boolean;
}

/** A list of one resource for one caller: page by page, or as a stream of chunks. Its JSON is the resource's view. */
export class Listing {
  readonly records: RecordReader;

  constructor(
    private readonly database: Reads,
    private readonly view: View,
    private readonly keys: Keys,
    /** Distinguishes the prepared statements: one per resource and form of keys. */
    private readonly name: string,
  ) {
    this.records = new RecordReader(database, view, keys, name);
  }

  /** @param page from 1. After the last page it is empty. */
  async page(page: number): Promise<Page<string | Listing>> {
    const values = [this.keys.owner, 0, AFTER_ALL_IDS, page * PAGE_SIZE + 1, (page - 1) * PAGE_SIZE];
    const [row] = await this.database.execute<PageRow>(this.pageStatement(), values);
    const { json, ids, more } = row!;
    return { json: json === null ? this.listOf(ids) : this.view.decrypt(json), more };
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
  private listOf(ids: string): Listing {
    const { table } = this.view;
    const keys = keysOf(table, ids, (alias, owner) => `${alias}.id = ANY (${owner}::bigint[])`);
    return new Listing(this.database, this.view, keys, `${table}.ids`);
  }

  async pageCount(): Promise<number> {
    const statement = prepared(`${this.name}.count`, () => `SELECT count(*) AS count FROM (${this.keys.sql}) k`);
    const [row] = await this.database.execute<{ count: number }>(statement, [
      this.keys.owner,
      0,
      AFTER_ALL_IDS,
      Number.MAX_SAFE_INTEGER,
    ]);
    return Math.ceil(row!.count / PAGE_SIZE);
  }

  /**
   * The whole array, piece by piece. The ids are read first. Each piece is a separate statement that ends before the
   * piece is passed on: a slow reader keeps neither a connection nor a snapshot (docs/architecture.md, The way of a
   * request). The next piece is read while one is waited for or sent. A record that is deleted before its piece is read
   * is left out. A record with many rows inside is sent alone, in several pieces.
   */
  async *chunks(inTurn: InTurn): Pieces {
    const { table } = this.view;
    const keys = new KeyBatches(this.database, this.keys, { table, name: this.name }).pieces(inTurn);
    let isOver = false;
    const read = async () => {
      const { value: ids } = await keys.next();
      return ids ? inTurn(async () => (isOver ? null : this.records.read(ids))) : null;
    };
    try {
      yield* inBrackets(this.each(oneAhead(read), inTurn));
    } finally {
      isOver = true;
    }
  }

  private async *each(pieces: AsyncIterable<Piece>, inTurn: InTurn): Pieces {
    for await (const piece of pieces) yield* this.records.whole(piece, inTurn);
  }
}

interface PageRow {
  readonly json: string | null;
  readonly ids: string;
  readonly more: boolean;
}

/**
 * What `begin` gives, one after another, until it gives null. The next one is begun before one is waited for, so that
 * two are under way, and at most one waits to be taken. Beside the first one nothing is begun, so that it comes at
 * once.
 */
export async function* oneAhead<T>(begin: () => Promise<T | null>): AsyncGenerator<T, void> {
  const beginNext = () => {
    const begun = begin();
    begun.catch(() => undefined); // thrown when it is waited for
    return begun;
  };
  let found = await begin();
  let next = beginNext();
  while (found !== null) {
    yield found;
    const current = next;
    next = beginNext();
    found = await current;
  }
}
