import { type Cells, decimalCell, RowFault } from '../cells.js';
import type { Reading } from './reading.js';

/**
 * An instant of a cell such as `2026-11-27`, `2026-11-27 08:00:00` or with `T`; in UTC, because exports have no time
 * zone.
 */
function instant(column: string, cell: string, endOfDay: boolean): number | undefined {
  if (cell === '') return undefined;
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?)?(?:Z|\+00:00)?$/.exec(cell);
  const [, day = '', time, seconds] = match ?? [];
  const text = `${day}T${time === undefined ? (endOfDay ? '23:59:59' : '00:00:00') : `${time}${seconds ?? ':00'}`}Z`;
  const value = match === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(value)) throw new RowFault(`${column} "${cell}" is not a date such as 2026-11-27`);
  return value;
}

/**
 * The sale price if it is valid now. Products have no sale dates here: a price that is not valid now is left out, and
 * one that will end is counted.
 */
export function salePriceOf(cells: Cells, { now, remarks }: Reading): string | null {
  const price = decimalCell('Sale price', cells('Sale price') ?? '', 4);
  const starts = instant('Date sale price starts', cells('Date sale price starts') ?? '', false);
  const ends = instant('Date sale price ends', cells('Date sale price ends') ?? '', true);
  if (price === null) return null;
  if ((starts ?? 0) > now.getTime() || (ends ?? Number.POSITIVE_INFINITY) < now.getTime()) {
    remarks.push('SalePricesOutOfDate');
    return null;
  }
  if (ends !== undefined) remarks.push('SalePricesThatEnd');
  return price;
}
