import { json, type Reply } from './loopback-server.js';

/** What every list shows by its times. */
interface Dated {
  readonly id: number;
  readonly createdMs?: number;
  readonly modifiedMs?: number;
}

const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** A page of a list, with the parameters that all lists of WooCommerce have. Times are exclusive, and to the second. */
export function pageOf<T extends Dated>(
  rows: readonly T[],
  query: URLSearchParams,
  { offsetHours, view }: { offsetHours: number; view: (row: T) => object },
): Reply {
  const perPage = Number(query.get('per_page') ?? 10);
  if (perPage > 100) return json(400, { code: 'rest_invalid_param', data: { status: 400 } });
  const ids = query.get('include')?.split(',').map(Number);
  const [after, modifiedAfter] = [instant(query, 'after', offsetHours), instant(query, 'modified_after', offsetHours)];
  const modified = ({ modifiedMs = 0 }: T) => wholeSecond(modifiedMs);
  const found = rows.filter(
    (row) =>
      (ids === undefined || ids.includes(row.id)) &&
      wholeSecond(row.createdMs ?? 0) > after &&
      modified(row) > modifiedAfter,
  );
  if (query.get('orderby') === 'modified') found.sort((one, other) => modified(one) - modified(other));
  if (query.get('order') !== 'asc') found.reverse();
  const at = (Number(query.get('page') ?? 1) - 1) * perPage;
  const headers = { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(Math.ceil(found.length / perPage)) };
  return json(200, found.slice(at, at + perPage).map(view), headers);
}

/** UTC only without `Z` and with the flag, or with `Z` and without it; else it is the shop's own time. */
function instant(query: URLSearchParams, name: string, offsetHours: number): number {
  const text = query.get(name);
  if (text === null) return -Infinity;
  const isUtc = query.get('dates_are_gmt') === 'true';
  const shift = offsetHours * 3_600_000;
  if (text.endsWith('Z')) return Date.parse(text) + (isUtc ? shift : 0);
  return Date.parse(`${text}Z`) - (isUtc ? 0 : shift);
}
