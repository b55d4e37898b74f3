import { address, addressCells, checkCountries } from '../addresses.js';
import { type Cells, customerIdCell, emailCell, instantCell, RowFault, textCell } from '../cells.js';

/** A row of `staged`; the fields that the file has columns for. */
export type CustomerRow = Readonly<Record<string, string | number | null>>;

/** A column of `customers`, the file's columns that it needs, and how they are read. */
interface Field {
  readonly name: string;
  readonly from: readonly string[];
  read(cells: Cells): string | null;
}

const fullName = (cells: Cells) => (cells('full_name') ?? '').trim();

/** The report has one column for the name: the last word is taken for the last name. */
const namePart = (name: 'first_name' | 'last_name', partOf: (whole: string) => string): Field => ({
  name,
  from: [name, 'full_name'],
  read: (cells) => textCell(name, cells(name) ?? partOf(fullName(cells))),
});

/** The report writes the day alone. */
function created(cells: Cells): string | null {
  const cell = cells('date_registered') ?? '';
  return instantCell('date_registered', /^\d{4}-\d{2}-\d{2}$/.test(cell) ? `${cell} 00:00:00` : cell);
}

const FIELDS: readonly Field[] = [
  { name: 'external_id', from: ['customer_id'], read: customerIdCell },
  { name: 'email', from: ['email'], read: (cells) => emailCell('email', cells('email') ?? '') },
  namePart('first_name', (whole) => whole.replace(/\s*\S+$/, '')),
  namePart('last_name', (whole) => /\S+$/.exec(whole)?.[0] ?? ''),
  { name: 'created', from: ['date_registered'], read: created },
  ...(['billing', 'shipping'] as const).flatMap((kind) =>
    addressCells(kind).map((cell): Field => {
      const name = cell.replace('_address_', '_street');
      return { name, from: [cell], read: (cells) => address(cells, kind)[name] ?? null };
    }),
  ),
];

/** The fields of a customer that a file with these columns fills. Other fields of a stored customer do not change. */
export function fieldsIn(columns: readonly string[]): Field[] {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  return FIELDS.filter(({ from }) => from.some((column) => known.has(column)));
}

/** @throws RowFault that names the column, the value and the bound. */
export function customerRow(fields: readonly Field[], cells: Cells, line: number): CustomerRow {
  const row: Record<string, string | number | null> = { line, external_id: null, email: null };
  for (const field of fields) row[field.name] = field.read(cells);
  if (row.external_id === null && row.email === null) throw new RowFault('customer_id and email are empty');
  checkCountries(row);
  return row;
}
