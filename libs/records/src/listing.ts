import { prepared, type Statement } from '#libs/database';
import type { Caller } from './caller.js';
import type { Database } from './database.js';
import { recordPieces } from './record-pieces.js';
import { countSql, ROWS_AT_ONCE, type View } from './views/view.js';

/** The number of records on a page (decisions.md §5). */
export const PAGE_SIZE = 100;

const FIRST_CHUNK = 50;
const CHUNK = 250;

/** The ids of a list: SQL with `$1` (the owner), `$2` (ids after this one), `$3` (at most so many), in order of id. */
export interface Keys {
  readonly sql: string;
  readonly owner: number | readonly number[] | string;
}

export type Pieces = AsyncGenerator<Buffer | string, void>;

/** A page, whole, or in pieces when it is large; and whether another page follows. */
export interface Page<Json extends string | Pieces = string> {
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
  async page(page: number): Promise<Page<string | Pieces>> {
    const values = [this.keys.owner, 0, page * PAGE_SIZE + 1, (page - 1) * PAGE_SIZE];
    const [row] = await this.database.execute<PageRow>(this.pageStatement(), values);
    const { json, ids, more } = row!;
    return { json: json === null ? this.of(ids).chunks() : this.view.decrypt(json), more };
  }

  /** Returns the ids always, and the JSON only if the rows inside the records fit into memory together. */
  private pageStatement(): Statement {
    const { view, keys } = this;
    const rows = view.inside === undefined ? '0' : `(SELECT sum(${countSql(view.inside, 'shown.id')}) FROM shown)`;
    return prepared(
      `${this.name}.page`,
      () => `WITH page AS MATERIALIZED (SELECT k.id FROM (${keys.sql}) k ORDER BY k.id OFFSET $4 LIMIT ${PAGE_SIZE + 1}),
        shown AS MATERIALIZED (SELECT id FROM page ORDER BY id LIMIT ${PAGE_SIZE})
      SELECT CASE WHEN coalesce(${rows}, 0) <= ${ROWS_AT_ONCE} THEN (
          SELECT '[' || coalesce(string_agg(${view.json('x')}::text, ',' ORDER BY x.id), '') || ']'
          FROM ${view.table} x WHERE x.id IN (SELECT id FROM shown)) END AS json,
        ARRAY (SELECT id FROM shown)::text AS ids, (SELECT count(*) FROM page) > ${PAGE_SIZE} AS more`,
    );
  }

  /** A list of these ids, given as a PostgreSQL array. */
  private of(ids: string): Listing {
    const sql = `SELECT k.id FROM unnest($1::bigint[]) AS k(id) WHERE k.id > $2 ORDER BY k.id LIMIT $3`;
    return new Listing(this.database, this.view, { owner: ids, sql }, `${this.view.table}.ids`);
  }

  async pageCount(): Promise<number> {
    const statement = prepared(`${this.name}.count`, () => `SELECT count(*) AS count FROM (${this.keys.sql}) k`);
    const [row] = await this.database.execute<{ count: string }>(statement, [
      this.keys.owner,
      0,
      Number.MAX_SAFE_INTEGER,
    ]);
    return Math.ceil(Number(row!.count) / PAGE_SIZE);
  }

  /**
   * The whole array, piece by piece. Each piece is a separate statement that ends before the piece is passed on: a slow reader keeps neither a
   * connection nor a snapshot (docs/architecture.md, The way of a request). The first piece is small, so that it is sent at once. A record with many
   * rows inside is sent alone, in several pieces.
   */
  async *chunks(): Pieces {
    const statement = this.chunkStatement();
    let after = '0';
    let size = FIRST_CHUNK;
    let lead = '[';
    for (;;) {
      const values = [this.keys.owner, after, size, lead];
      const [row]: ChunkRow[] = await this.database.readBytes<ChunkRow>(statement, values);
      const { json, last, ends } = row!;
      if (json !== null) yield this.view.encrypted ? this.view.decrypt(json.toString()) : json;
      else if (last !== null) {
        yield lead;
        yield* recordPieces(this.database, this.view, Number(last.toString()));
      }
      if (ends.toString() === 'true') {
        yield last === null && lead === '[' ? '[]' : ']';
        return;
      }
      [after, size, lead] = [last!.toString(), CHUNK, ','];
    }
  }

  /** With a last id but without JSON: the first record alone has more rows inside than fit into memory. */
  private chunkStatement(): Statement {
    const { view, keys } = this;
    return prepared(
      `${this.name}.chunk`,
      () => `WITH found AS MATERIALIZED (${keys.sql}),
        chunk AS (
          SELECT string_agg(c.json, ',' ORDER BY c.id) AS json, coalesce(max(c.id), (SELECT min(id) FROM found)) AS last
          FROM (SELECT x.id, ${view.json('x')}::text AS json FROM ${view.table} x WHERE x.id = ANY (ARRAY(${this.taken()}))) c)
      SELECT $4::text || json AS json, last::text AS last,
        ((SELECT count(*) FROM found) < $3 AND coalesce(last = (SELECT max(id) FROM found), true))::text AS ends
      FROM chunk`,
    );
  }

  /** SQL: the ids of `found` that make one chunk. */
  private taken(): string {
    const { inside } = this.view;
    if (inside === undefined) return 'SELECT id FROM found';
    return `SELECT r.id FROM (SELECT n.id, sum(n.rows) OVER (ORDER BY n.id) AS upto
        FROM (SELECT f.id, ${countSql(inside, 'f.id')} AS rows FROM found f) n) r WHERE r.upto <= ${ROWS_AT_ONCE}`;
  }
}

type ChunkRow = Record<'json' | 'last', Buffer | null> & Record<'ends', Buffer>;

interface PageRow {
  readonly json: string | null;
  readonly ids: string;
  readonly more: boolean;
}

/**
 * Rows of the caller's sites that are not deleted. The rows of each site are in order of id already (`ix_<table>_site`). So the cost of a chunk is
 * sites × chunk and does not depend on the number of rows.
 */
export function keysOfSites(table: string, caller: Caller): Keys {
  return {
    owner: caller.siteIds,
    sql: `SELECT k.id FROM unnest($1::bigint[]) AS site(id) CROSS JOIN LATERAL (
        SELECT t.id FROM ${table} t WHERE t.site_id = site.id AND t.id > $2 AND t.deleted_utc IS NULL ORDER BY t.id LIMIT $3) k
      ORDER BY k.id LIMIT $3`,
  };
}

/** SQL: whether the row called `alias` belongs to the customer `customerId` (also SQL). */
export type OwnedBy = (alias: string, customerId: string) => string;

/** Rows of one customer that are not deleted; `ownedBy` is the SQL condition for the row called `t` (`ix_<table>_customer`). */
export function keysOfCustomer(table: string, ownedBy: OwnedBy, customerId: number): Keys {
  return {
    owner: customerId,
    sql: `SELECT t.id FROM ${table} t WHERE ${ownedBy('t', '$1::bigint')} AND t.id > $2 AND t.deleted_utc IS NULL
      ORDER BY t.id LIMIT $3`,
  };
}
