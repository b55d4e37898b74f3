import type { Position, Sought } from '#libs/records';
import { shownParameter } from './query-parameter.js';
import type { Query, QueryReader } from './query-reader.js';

export const [LARGEST_LIMIT, USUAL_LIMIT] = [500, 100];
const LONGEST_SOUGHT = 255;
const LONGEST_CURSOR = 200;

/** How a list was queried. `filters` are those of the resource alone. */
export interface ListQuery<Filters> extends ListFilter<Filters> {
  readonly sort: SortName;
  /** Null: the usual number, or everything where a table (CSV) is wanted. */
  readonly limit: number | null;
  readonly cursor: Cursor | null;
}

/** Which records are wanted. */
export interface ListFilter<Filters> {
  readonly siteId: number | null;
  readonly q: Sought | null;
  readonly filters: Filters;
  /** Absent where records are only counted. */
  readonly sort?: SortName;
}

export interface SortName {
  readonly name: string;
  readonly isDescending: boolean;
}

/** The order of all lists, unless another one is sent. */
export const BY_ID: SortName = { name: 'Id', isDescending: false };

/** A parameter of the query, for the documentation. */
export interface DocumentedParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** What the list of one resource can be filtered and sorted by. */
export interface Filterable<Filters> {
  /** The name of a file with the list. */
  readonly file: string;
  /** What it can be sorted by; the first is usual. */
  readonly sorts: readonly string[];
  /** What `q` searches, for the documentation. */
  readonly searched: string;
  /** An example of `q`. */
  readonly sought: string;
  readonly parameters: readonly DocumentedParameter[];
  readonly read: (reader: QueryReader) => Filters;
}

const OF_EVERY_LIST = ['SiteId', 'q'] as const;
const PAGING = ['limit', 'cursor', 'sort'] as const;

/** Whether any parameter was sent that makes a page of a list. */
export const isFiltered = ({ parameters }: Filterable<unknown>, query: Query): boolean =>
  [...OF_EVERY_LIST, ...PAGING, ...parameters.map(({ name }) => name)].some((name) => query[name] !== undefined);

export function readListFilter<Filters>(filterable: Filterable<Filters>, reader: QueryReader): ListFilter<Filters> {
  const text = reader.text('q', LONGEST_SOUGHT);
  const siteId = reader.id('SiteId');
  return { siteId, q: text === null ? null : { text, id: idOf(text) }, filters: filterable.read(reader) };
}

export function readListQuery<Filters>(filterable: Filterable<Filters>, reader: QueryReader): ListQuery<Filters> {
  const names = filterable.sorts.flatMap((name) => [name, `-${name}`]);
  const sort = reader.oneOf('sort', names) ?? filterable.sorts[0]!;
  return {
    ...readListFilter(filterable, reader),
    sort: { name: sort.replace('-', ''), isDescending: sort.startsWith('-') },
    limit: reader.integer('limit', 1, LARGEST_LIMIT),
    cursor: cursorOf(reader, sort),
  };
}

function cursorOf(reader: QueryReader, sort: string): Cursor | null {
  const text = reader.text('cursor', LONGEST_CURSOR);
  if (text === null) return null;
  const cursor = readCursor(text);
  if (cursor?.sort === sort) return cursor;
  const fault =
    cursor === undefined
      ? 'is none: take it from the Link header of the page before.'
      : `is of a list with sort=${cursor.sort}: send that, or begin without a cursor.`;
  return reader.refuse('cursor', `${shownParameter(text)} ${fault}`);
}

function idOf(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/**
 * A place in a list, and how the list is sorted. It says nothing of who may read what: a request with it reads what its
 * own caller may.
 */
export interface Cursor extends Position {
  readonly sort: string;
}

const FORM = /^(-?[A-Za-z]{1,40}) (-?\d{1,15}|\d{16}|Infinity) (\d{1,16})$/;
const [EARLIEST, LATEST] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)];

export const writeCursor = ({ sort, value, id }: Cursor): string =>
  Buffer.from(`${sort} ${value} ${id}`).toString('base64url');

/** @returns undefined for a text that no answer had. */
export function readCursor(text: string): Cursor | undefined {
  const [, sort, value, id] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (sort === undefined) return undefined;
  const cursor = { sort, value: Number(value), id: Number(id) };
  return isPossible(cursor) ? cursor : undefined;
}

function isPossible({ sort, value, id }: Cursor): boolean {
  if (!Number.isSafeInteger(id)) return false;
  if (sort.replace('-', '') === 'Id') return value === id;
  return value === Infinity || (value >= EARLIEST && value <= LATEST);
}
