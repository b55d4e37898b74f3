import type { Caller } from './caller.js';
import type { Database } from './database.js';
import { prepared } from './statement.js';
import type { View } from './views/view.js';

/** Records on a page (decisions.md §5). */
export const PAGE_SIZE = 100;

const FIRST_CHUNK = 50;
const CHUNK = 250;
/** Of records with many rows inside a chunk takes fewer: it ends with the one that reaches so many rows. */
const CHUNK_ROWS_INSIDE = 500;

/** Which ids a list consists of: SQL with `$1` (the owner), `$2` (ids after this one), `$3` (at most so many), in order of id. */
export interface Keys {
  readonly sql: string;
  readonly owner: number | readonly number[];
}

export interface Page {
  readonly json: string;
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

  /** @param page from 1; beyond the end it is empty. */
  async page(page: number): Promise<Page> {
    const statement = prepared(
      `${this.name}.page`,
      () => `WITH page AS MATERIALIZED (SELECT k.id FROM (${this.keys.sql}) k ORDER BY k.id OFFSET $4 LIMIT ${PAGE_SIZE + 1})
      SELECT '[' || coalesce(string_agg(${this.view.json('x')}::text, ',' ORDER BY x.id), '') || ']' AS json,
        (SELECT count(*) FROM page) > ${PAGE_SIZE} AS more
      FROM ${this.view.table} x WHERE x.id IN (SELECT id FROM page ORDER BY id LIMIT ${PAGE_SIZE})`,
    );
    const values = [this.keys.owner, 0, page * PAGE_SIZE + 1, (page - 1) * PAGE_SIZE];
    const [row] = await this.database.readAlone<Page>(statement, values);
    return { json: this.view.reveal(row!.json), more: row!.more };
  }

  async pageCount(): Promise<number> {
    const statement = prepared(`${this.name}.count`, () => `SELECT count(*) AS count FROM (${this.keys.sql}) k`);
    const [row] = await this.database.readAlone<{ count: string }>(statement, [
      this.keys.owner,
      0,
      Number.MAX_SAFE_INTEGER,
    ]);
    return Math.ceil(Number(row!.count) / PAGE_SIZE);
  }

  /**
   * The whole array, piece by piece. Each piece is a statement of its own that ends before the piece is handed on: a slow
   * reader holds neither a connection nor a snapshot (docs/architecture.md, The way of a request). The first is small, so that it leaves at once.
   */
  async *chunks(): AsyncGenerator<Buffer | string, void> {
    const statement = prepared(
      `${this.name}.chunk`,
      () => `WITH found AS MATERIALIZED (${this.keys.sql})
      SELECT $4::text || string_agg(c.json, ',' ORDER BY c.id) AS json, max(c.id)::text AS last,
        ((SELECT count(*) FROM found) < $3 AND coalesce(max(c.id) = (SELECT max(id) FROM found), true))::text AS ends
      FROM (SELECT x.id, ${this.view.json('x')}::text AS json FROM ${this.view.table} x
            WHERE x.id = ANY (ARRAY(${this.taken()}))) c`,
    );
    let after = '0';
    let size = FIRST_CHUNK;
    let lead = '[';
    for (;;) {
      const values = [this.keys.owner, after, size, lead];
      const [row]: ChunkRow[] = await this.database.readBytes<ChunkRow>(statement, values);
      const { json, last, ends } = row!;
      if (json !== null) yield this.view.sealed ? this.view.reveal(json.toString()) : json;
      if (ends.toString() === 'true') {
        yield json === null && lead === '[' ? '[]' : ']';
        return;
      }
      [after, size, lead] = [last!.toString(), CHUNK, ','];
    }
  }

  /** SQL: the ids of `found` that make one chunk, at least one of them. */
  private taken(): string {
    const { inside } = this.view;
    if (inside === undefined) return 'SELECT id FROM found';
    return `SELECT r.id FROM (SELECT n.id, sum(n.rows) OVER (ORDER BY n.id) - n.rows AS before
        FROM (SELECT f.id, ${inside('f.id')} AS rows FROM found f) n) r WHERE r.before < ${CHUNK_ROWS_INSIDE}`;
  }
}

type ChunkRow = Record<'json' | 'last', Buffer | null> & Record<'ends', Buffer>;

/**
 * Living rows of the caller's sites. Every site's own rows are in order of id already (`ix_<table>_site`), so a chunk
 * costs sites × chunk, however many rows there are.
 */
export function keysOfSites(table: string, caller: Caller): Keys {
  return {
    owner: caller.siteIds,
    sql: `SELECT k.id FROM unnest($1::bigint[]) AS site(id) CROSS JOIN LATERAL (
        SELECT t.id FROM ${table} t WHERE t.site_id = site.id AND t.id > $2 AND t.deleted_utc IS NULL ORDER BY t.id LIMIT $3) k
      ORDER BY k.id LIMIT $3`,
  };
}

/** SQL: whether the row called `alias` is the customer's that `customerId` (SQL as well) stands for. */
export type OwnedBy = (alias: string, customerId: string) => string;

/** Living rows of one customer; `ownedBy` is the SQL condition for the row called `t` (`ix_<table>_customer`). */
export function keysOfCustomer(table: string, ownedBy: OwnedBy, customerId: number): Keys {
  return {
    owner: customerId,
    sql: `SELECT t.id FROM ${table} t WHERE ${ownedBy('t', '$1::bigint')} AND t.id > $2 AND t.deleted_utc IS NULL
      ORDER BY t.id LIMIT $3`,
  };
}
