import { unguarded } from '#libs/platform';
import { isEmailAddress } from '../email-address.js';

/** Why one row of a file cannot be imported. The others are imported. */
export class RowFault extends Error {}

/** Reads a row's cells by column name; undefined for a column that the file lacks. */
export type Cells = (column: string) => string | undefined;

/**
 * Makes the reader of one file's rows. Columns may have any order, case and spacing. Blanks around a value do not
 * count, nor does the apostrophe before what a spreadsheet would treat as a formula: WooCommerce's export writes it,
 * and so does ours.
 */
export function cellsOf(columns: readonly string[]): (cells: readonly string[]) => Cells {
  const places = new Map<string, number>();
  for (const [place, name] of columns.entries()) {
    const key = name.toLowerCase();
    if (!places.has(key)) places.set(key, place);
  }
  return (cells) => (column) => {
    const place = places.get(column.toLowerCase());
    return place === undefined ? undefined : unguarded(cells[place] ?? '').trim();
  };
}

/** @returns null for an empty cell. @throws RowFault with more than `max` characters. */
export function textCell(column: string, cell: string, max = 255): string | null {
  if (cell.length > max) throw new RowFault(`${column} has ${cell.length} characters, more than ${max}`);
  return cell === '' ? null : cell;
}

/**
 * A non-negative decimal as text, never as a binary number.
 * @returns null for an empty cell. @throws RowFault with more than 11 digits before the point or more than `places`
 * after it.
 */
export function decimalCell(column: string, cell: string, places: number): string | null {
  if (cell === '') return null;
  const match = /^\+?(?=\.?\d)(\d*)(?:\.(\d*?)0*)?$/.exec(cell);
  if (match === null) {
    if (/^-\d/.test(cell)) throw new RowFault(`${column} "${cell}" is negative`);
    throw new RowFault(`${column} "${cell}" is not a decimal number such as 12.50`);
  }
  const whole = match[1]!.replace(/^0+(?=\d)/, '') || '0';
  const fraction = match[2] ?? '';
  if (whole.length > 11) throw new RowFault(`${column} "${cell}" is too large`);
  if (fraction.length > places) throw new RowFault(`${column} "${cell}" has more than ${places} decimal places`);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** @returns null for an empty cell. @throws RowFault for what is no e-mail address. */
export function emailCell(column: string, cell: string): string | null {
  const text = textCell(column, cell);
  if (text !== null && !isEmailAddress(text)) {
    throw new RowFault(`${column} "${text}" is not an e-mail address`);
  }
  return text;
}

/**
 * A customer's id in the shop. Guests have the id 0, or none. @returns null for a guest. @throws RowFault for one that
 * is too long.
 */
export function customerIdCell(cells: Cells): string | null {
  const cell = cells('customer_id') ?? '';
  return cell === '0' ? null : textCell('customer_id', cell);
}

const FORM = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:Z|[+ ]00:?00)?$/;

/**
 * The instant of a cell such as `2026-01-31 08:00:00`, as ISO 8601 in UTC; null for an empty cell and for `0`, which is
 * WooCommerce's word for none.
 * @throws RowFault.
 */
export function instantCell(column: string, cell: string): string | null {
  if (cell === '' || cell === '0') return null;
  const [, day = '', time = ''] = FORM.exec(cell) ?? [];
  const iso = `${day}T${time}.000Z`;
  const instant = new Date(iso);
  // Date takes 31 February for 3 March.
  if (Number.isNaN(instant.getTime()) || instant.toISOString() !== iso) {
    throw new RowFault(`${column} "${cell}" is not a date and time such as 2026-01-31 08:00:00 (UTC)`);
  }
  return iso;
}
