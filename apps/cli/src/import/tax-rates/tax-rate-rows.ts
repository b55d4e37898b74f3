import { type Cells, decimalCell, RowFault, textCell } from '../cells.js';
import { postcodesOf } from './postcodes.js';

const RATE_PLACES = 6;

/** A row of `staged`. */
export interface TaxRateRow {
  readonly line: number;
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postcode: string | null;
  readonly tax_class: string | null;
  readonly name: string | null;
  readonly rate: string;
  readonly is_compound: boolean;
  /** What a tax is known by (decisions.md §8, Tax). */
  readonly priority: number;
  readonly applies_to_shipping: boolean;
}

/** `*` restricts nothing, like an empty cell. */
function place(column: string, cell: string): string | null {
  return cell === '*' ? null : textCell(column, cell);
}

function citiesOf(cell: string): (string | null)[] {
  const cities = cell
    .split(';')
    .map((city) => place('City', city.trim()))
    .filter((city, _, all) => city !== null || all.length === 1);
  return [...new Set(cities)];
}

function isYes(column: string, cell: string): boolean {
  if (/^(1|yes|true)$/i.test(cell)) return true;
  if (/^(0|no|false)?$/i.test(cell)) return false;
  throw new RowFault(`${column} "${cell}" is neither 1 nor 0`);
}

function priority(cell: string): number {
  if (!/^\d{0,6}$/.test(cell)) throw new RowFault(`Priority "${cell}" is not a whole number`);
  return Number(cell || '1');
}

/**
 * The rates of one row of WooCommerce's tax-rate export: one per postcode and city.
 * @throws RowFault that names the column and the value, also for a place that the contract does not allow.
 */
export function taxRateRows(cells: Cells, line: number): TaxRateRow[] {
  const country = place('Country code', (cells('Country code') ?? '').toUpperCase());
  const state = place('State code', (cells('State code') ?? '').toUpperCase());
  const postcodes = postcodesOf(cells('Postcode / ZIP') ?? '');
  const cities = citiesOf(cells('City') ?? '');
  const isLocal = postcodes[0] !== null || cities[0] !== null;
  if (country === null && (state !== null || isLocal))
    throw new RowFault('a state, city or postcode needs its Country code');
  const rate = decimalCell('Rate %', cells('Rate %') ?? '', RATE_PLACES);
  if (rate === null) throw new RowFault('Rate % is empty');
  const taxClass = textCell('Tax class', cells('Tax class') ?? '');
  const shared = {
    line,
    country,
    // The contract's rates require a state for a city, and a city for a postcode (contract.md, TaxRate): `*` is any.
    state: state ?? (isLocal ? '*' : null),
    tax_class: taxClass?.toLowerCase() === 'standard' ? null : taxClass,
    name: textCell('Tax name', cells('Tax name') ?? ''),
    rate,
    is_compound: isYes('Compound', cells('Compound') ?? ''),
    priority: priority(cells('Priority') ?? ''),
    applies_to_shipping: isYes('Shipping', cells('Shipping') ?? ''),
  };
  return postcodes.flatMap((postcode) =>
    cities.map((city) => ({ ...shared, city: city ?? (postcode === null ? null : '*'), postcode })),
  );
}
