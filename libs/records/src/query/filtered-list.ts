import type { SqlExecutor } from '#libs/platform';
import type { RecordReader } from '../lists/record-reader.js';
import type { View } from '../views/view.js';
import type { Filter, ListQuery, Position } from './list-query.js';
import { type BoundSql, gatherSql, probeSql, type Range, walkFoundSql, walkSql } from './query-sql.js';

/**
 * What a filter may find to be read whole and sorted: some ten milliseconds. One that finds more rows lets so many rows
 * of the list pass that reading along the sort finds a page soon.
 */
const MOST_GATHERED = 5_000;

/** Counting is exact up to here. */
export const MOST_COUNTED = 10_000;

/** The ids of a page in order, and where it ends when another one follows. */
export interface FoundPage {
  readonly ids: readonly number[];
  readonly last: Position | null;
}

/**
 * A list with filters, in an order of its own: it reads a page from where another one ended, never past records that it
 * leaves out (no OFFSET).
 */
export class FilteredList {
  /**
   * Whether a filter finds few rows, once it is known: a list that is read page by page asks only for its first one.
   */
  private readonly few = new Map<Filter, boolean>();

  constructor(
    private readonly database: SqlExecutor,
    private readonly query: ListQuery,
  ) {}

  /** @param limit at most so many. */
  async page(after: Position | null, limit: number): Promise<FoundPage> {
    const rows = await this.read(await this.statementFor({ after, most: limit + 1, isCounted: false }));
    const shown = rows.slice(0, limit).map(({ id, value }) => ({ id, value: Number(value) }));
    return { ids: shown.map(({ id }) => id), last: rows.length > limit ? shown.at(-1)! : null };
  }

  /** How many records the list has: `MOST_COUNTED` and `isMore` when there are more. */
  async count(): Promise<{ readonly count: number; readonly isMore: boolean }> {
    const count = await this.number(await this.statementFor({ after: null, most: MOST_COUNTED + 1, isCounted: true }));
    return { count: Math.min(count, MOST_COUNTED), isMore: count > MOST_COUNTED };
  }

  /** The cheapest way to the rows: it depends on how many rows the filters find. */
  private async statementFor(range: Range): Promise<BoundSql> {
    const { filters, sort } = this.query;
    const finding = filters.filter(({ found }) => found !== undefined);
    const inOrder = sort.key === 't.id' ? finding.find(({ isById }) => isById === true) : undefined;
    // A single filter whose index is in the order of the list needs no sorting, whatever it finds.
    for (const filter of finding.length === 1 && inOrder !== undefined ? [] : finding) {
      if (await this.findsFew(filter)) return gatherSql(this.query, filter, range);
    }
    return inOrder === undefined ? walkSql(this.query, range) : walkFoundSql(this.query, inOrder, range);
  }

  private async findsFew(filter: Filter): Promise<boolean> {
    const isFew =
      this.few.get(filter) ?? (await this.number(probeSql(this.query, filter, MOST_GATHERED + 1))) <= MOST_GATHERED;
    this.few.set(filter, isFew);
    return isFew;
  }

  private async number({ text, values }: BoundSql): Promise<number> {
    const [row] = await this.database.execute<{ count: number }>(text, [...values]);
    return row!.count;
  }

  private read({ text, values }: BoundSql): Promise<{ id: number; value: string }[]> {
    return this.database.execute(text, [...values]);
  }
}

/** A list with filters, and what reads the records that it finds. */
export interface FilteredRecords {
  readonly list: FilteredList;
  readonly records: RecordReader;
  readonly view: View;
}

/** Ids as a PostgreSQL array. */
export const arrayOf = (ids: readonly number[]): string => `{${ids.join(',')}}`;
