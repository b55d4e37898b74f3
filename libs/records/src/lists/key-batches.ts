import { prepared, type Statement } from '#libs/platform';
import type { Reads } from '../replica.js';
import type { InTurn } from './in-turn.js';
import type { Keys } from './keys.js';

/** The most records of one piece. The first piece is small, so that it is sent at once. */
const FIRST_PIECE = 50;
const PIECE = 500;
/**
 * The most ids that are read at once: PostgreSQL sorts so many in the default `work_mem`, and as text they are about
 * half a megabyte.
 */
const BATCH = 50_000;
/** How much wider the next range may be when few ids, or none, were found. */
const MOST_GROWTH = 8;

/** Larger than any id (decisions.md §1, Ids). */
export const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;

/** Ids to read: after the one and up to the other, at most so many. */
export interface KeyRange {
  readonly after: number;
  readonly upto: number;
  readonly most: number;
}

/** What a range had. `newest` is the largest id of the table, in a list or not. */
export interface FoundKeys {
  /** The ids of each piece, as PostgreSQL arrays. */
  readonly pieces: readonly string[];
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly newest: number;
}

const NONE: FoundKeys = { pieces: [], count: 0, first: 0, last: 0, newest: 0 };

/** Every list begins with it. */
export const FIRST_RANGE: KeyRange = { after: 0, upto: AFTER_ALL_IDS, most: FIRST_PIECE };

/**
 * The next range of ids: as wide as a batch probably is, by how close together the ids just found were. So each id is
 * read once, however many sites the list has. (A limit alone would read a batch of every site, and throw most of it
 * away.) Null after `newest`.
 */
export function nextRange({ after, upto, most }: KeyRange, { count, first, last }: FoundKeys, newest: number) {
  const until = count === most ? last : upto;
  if (until >= newest) return null;
  const width = until - (after === 0 ? first - 1 : after);
  const wanted = count === 0 ? Infinity : (width / count) * BATCH;
  const widest = most === FIRST_PIECE ? wanted : width * MOST_GROWTH;
  const next = Math.ceil(Math.max(BATCH, Math.min(wanted, widest)));
  return { after: until, upto: Math.min(until + next, newest), most: BATCH };
}

/** Reads the ids of a list. `name` distinguishes the prepared statement. */
export class KeyBatches {
  private readonly statement: Statement;

  constructor(
    private readonly database: Reads,
    private readonly keys: Keys,
    { table, name }: { readonly table: string; readonly name: string },
  ) {
    this.statement = prepared(
      `${name}.keys`,
      () => `SELECT '{' || string_agg(p.id::text, ',' ORDER BY p.id) || '}' AS ids, count(*) AS count, min(p.id) AS first, max(p.id) AS last,
        (SELECT max(id) FROM ${table}) AS newest
      FROM (SELECT k.id, (row_number() OVER (ORDER BY k.id) - 1) / ${PIECE} AS piece FROM (${keys.sql}) k) p
      GROUP BY p.piece ORDER BY p.piece`,
    );
  }

  /**
   * The ids of all pieces, as PostgreSQL arrays. The next batch is read while the pieces of one are sent, but nothing
   * beside the first piece. Records that are made after the first batch was read are left out.
   */
  async *pieces(inTurn: InTurn): AsyncGenerator<string, void> {
    let range = FIRST_RANGE;
    let found = await this.read(range, inTurn);
    const { newest } = found;
    for (;;) {
      const following = nextRange(range, found, newest);
      const ahead = following === null || range === FIRST_RANGE ? null : this.read(following, inTurn);
      ahead?.catch(() => undefined); // thrown when it is waited for, if the reader stays
      yield* found.pieces;
      if (following === null) return;
      [range, found] = [following, await (ahead ?? this.read(following, inTurn))];
    }
  }

  private read({ after, upto, most }: KeyRange, inTurn: InTurn): Promise<FoundKeys> {
    return inTurn(async () => {
      const rows = await this.database.execute<KeyRow>(this.statement, [this.keys.owner, after, upto, most]);
      if (rows.length === 0) return NONE;
      return {
        pieces: rows.map(({ ids }) => ids),
        count: rows.reduce((sum, { count }) => sum + count, 0),
        first: rows[0]!.first,
        last: rows.at(-1)!.last,
        newest: rows[0]!.newest,
      };
    });
  }
}

type KeyRow = Record<'count' | 'first' | 'last' | 'newest', number> & { readonly ids: string };
