import { isOfList } from '../access/reach-sql.js';
import type { Filter, Found, ListQuery, Position } from './list-query.js';
import { Parameters } from './parameters.js';

/** A statement, and what to send with it. */
export interface BoundSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What of a list is wanted: the records after a position, at most so many. */
export interface Range {
  readonly after: Position | null;
  readonly most: number;
  /** Whether only their number is wanted, and not which ones are the first. */
  readonly isCounted: boolean;
}

/** `OFFSET 0` keeps PostgreSQL from turning a look-up of single rows into a join that reads whole tables. */
export const ROW_BY_ROW = 'OFFSET 0';

/** How many rows a filter finds, or reads in vain; counting stops at `most`. */
export function probeSql(query: ListQuery, filter: Filter, most: number): BoundSql {
  const parameters = new Parameters(query.reach);
  const ids = idsOf(filter.found!(parameters), most);
  return { text: `SELECT count(*) AS count FROM (${ids} LIMIT ${most}) n`, values: parameters.values };
}

/** Along the indexes of the sort, until enough rows have passed the filters. */
export function walkSql(query: ListQuery, range: Range): BoundSql {
  const { after, most } = range;
  const { sort, table } = query;
  const parameters = new Parameters(query.reach);
  const passes = passesSql(query, null, parameters);
  const walks = sort.walks(parameters).map(({ parts, where, key }) => {
    const rows = `SELECT t.id, ${key} AS key FROM ${table} t
      WHERE ${where} AND t.site_id = site.id AND ${passes}${afterSql(query, parameters, after, key)}
      ORDER BY ${orderSql(query, key)} LIMIT ${most}`;
    return `SELECT w.id, w.key FROM ${ofEach(parts, rows)} w`;
  });
  return answer(query, parameters, walks.join(' UNION ALL '), range);
}

/** All rows that one filter finds, sorted; for filters that find few. */
export function gatherSql(query: ListQuery, filter: Filter, range: Range): BoundSql {
  const { sort } = query;
  const { parameters, passes } = begin(query, filter);
  const ids = idsOf(filter.found!(parameters));
  const row = rowSql(query, 'f.id', `${passes}${afterSql(query, parameters, range.after, sort.key)}`);
  return answer(query, parameters, `SELECT x.id, x.key FROM (SELECT DISTINCT n.id FROM (${ids}) n) f ${row}`, range);
}

/**
 * Along the index of a filter that has its rows by id, until enough of them have passed the others. Only for a list by
 * id.
 */
export function walkFoundSql(query: ListQuery, filter: Filter, range: Range): BoundSql {
  const { after, most } = range;
  const { parameters, passes } = begin(query, filter);
  const [{ parts, from, where, id, once = 'true' }] = filter.found!(parameters) as [Found];
  const rows = `SELECT ${id} AS id FROM ${from} ${rowSql(query, id, passes)}
    WHERE ${where} AND ${once}${idAfterSql(query, parameters, after, id)} ORDER BY 1${directionOf(query)} LIMIT ${most}`;
  return answer(query, parameters, `SELECT w.id, w.id AS key FROM ${ofEach(parts, rows)} w`, range);
}

interface Begun {
  readonly parameters: Parameters;
  /** SQL: whether the row called `t` is the caller's and passes all filters. */
  readonly passes: string;
}

/** What a statement has whose rows one filter finds: nobody reads a row of a site that is not among the caller's. */
function begin(query: ListQuery, answered: Filter): Begun {
  const parameters = new Parameters(query.reach);
  const own = isOfList('t.site_id', parameters.reach);
  return { parameters, passes: `${own} AND ${passesSql(query, answered, parameters)}` };
}

/** SQL: whether the row called `t` passes the filters. `answered`: the one that finds the rows itself. */
function passesSql({ filters, isOfDeleted = false }: ListQuery, answered: Filter | null, parameters: Parameters) {
  const others = filters.filter((filter) => filter !== answered).map(({ condition }) => condition(parameters));
  return [`t.deleted_utc IS ${isOfDeleted ? 'NOT NULL' : 'NULL'}`, ...others].join(' AND ');
}

const directionOf = ({ sort }: ListQuery) => (sort.isDescending ? ' DESC' : '');

/** A list by id is sorted by one column; any other list also by id, among equals. */
const orderSql = (query: ListQuery, key: string) =>
  key === 't.id' ? `t.id${directionOf(query)}` : `${key}${directionOf(query)}, t.id${directionOf(query)}`;

/** The row with this id, if it passes, called `x`. */
const rowSql = ({ table, sort }: ListQuery, id: string, passes: string) =>
  `CROSS JOIN LATERAL (SELECT t.id, ${sort.key} AS key FROM ${table} t WHERE t.id = ${id} AND ${passes} ${ROW_BY_ROW}) x`;

/** The rows of each part, as an item of a FROM clause without its alias. */
const ofEach = (parts: readonly string[], rows: string) =>
  parts.length === 0 ? `(${rows})` : `${parts.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${rows})`;

/** @param most only so many of each part. */
function idsOf(found: readonly Found[], most?: number): string {
  const some = ({ order }: Found) => (most === undefined ? '' : `${order ? ` ORDER BY ${order}` : ''} LIMIT ${most}`);
  const all = found.map((one) => {
    const { parts, from, where, id } = one;
    return `SELECT r.id FROM ${ofEach(parts, `SELECT ${id} AS id FROM ${from} WHERE ${where}${some(one)}`)} r`;
  });
  return all.join(' UNION ALL ');
}

/**
 * The first of the rows, with their sort values: an id, or milliseconds. Or how many there are: then reading stops at
 * `most`, of whichever parts they are.
 */
function answer(query: ListQuery, { values }: Parameters, rows: string, { most, isCounted }: Range): BoundSql {
  if (isCounted) return { text: `SELECT count(*) AS count FROM (SELECT FROM (${rows}) r LIMIT ${most}) c`, values };
  const value = query.sort.type === 'bigint' ? 'r.key' : 'trunc(extract(epoch FROM r.key) * 1000)';
  const direction = directionOf(query);
  return {
    text: `SELECT r.id, ${value}::text AS value FROM (${rows}) r ORDER BY r.key${direction}, r.id${direction} LIMIT ${most}`,
    values,
  };
}

function idAfterSql({ sort }: ListQuery, parameters: Parameters, after: Position | null, id: string): string {
  if (after === null) return '';
  return ` AND ${id} ${sort.isDescending ? '<' : '>'} ${parameters.add(after.id, 'bigint')}`;
}

function afterSql(query: ListQuery, parameters: Parameters, after: Position | null, key: string): string {
  const { type, isDescending } = query.sort;
  if (after === null) return '';
  if (type === 'bigint') return idAfterSql(query, parameters, after, 't.id');
  const value = after.value === Infinity ? 'infinity' : new Date(after.value).toISOString();
  const [at, id] = [parameters.add(value, type), parameters.add(after.id, 'bigint')];
  return ` AND (${key}, t.id) ${isDescending ? '<' : '>'} (${at}, ${id})`;
}
