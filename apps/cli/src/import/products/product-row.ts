import { type Cells, decimalCell, RowFault, textCell } from '../cells.js';
import type { Reading } from './reading.js';
import { salePriceOf } from './sale-price.js';
import { availabilityOf, stockLevelOf } from './stock.js';

/** A column of `products`, the file's columns that it needs, and how they are read. */
interface Field {
  readonly name: string;
  readonly from: readonly string[];
  read(cells: Cells, reading: Reading): string | null;
}

const PRICE_PLACES = 4;
const DESCRIPTION_LIMIT = 2_000;

/** No rate has this class, so the product is not taxed. WooCommerce has a separate column for it, Tax status. */
const NOT_TAXED = 'not-taxed';

/**
 * WooCommerce writes a line feed as the two characters
 * , and these two characters as \
 * .
 */
const lineFeeds = (text: string) => text.replace(/(\\?)\\n/g, (_, before: string) => (before === '' ? '\n' : '\\n'));

function description(cells: Cells, { remarks }: Reading): string | null {
  const text = lineFeeds(cells('Description') || cells('Short description') || '');
  if (text.length > DESCRIPTION_LIMIT) remarks.push('ShortenedDescriptions');
  return text.slice(0, DESCRIPTION_LIMIT) || null;
}

/** `parent` is WooCommerce's own word for "the class of the parent"; it is replaced after all rows were read. */
function taxClass(cells: Cells, { remarks }: Reading): string | null {
  const status = cells('Tax status') ?? '';
  if (status === 'none' || status === 'shipping') {
    remarks.push('Untaxed');
    return NOT_TAXED;
  }
  const name = textCell('Tax class', cells('Tax class') ?? '');
  return name?.toLowerCase() === 'standard' ? null : name;
}

function shippingClass(cells: Cells, { virtualShippingClass, remarks }: Reading): string | null {
  const own = textCell('Shipping class', cells('Shipping class') ?? '');
  if (own !== null || !/\bvirtual\b/.test(cells('Type') ?? '')) return own;
  if (virtualShippingClass === undefined) remarks.push('Virtual');
  return virtualShippingClass ?? null;
}

function image(cells: Cells, { remarks }: Reading): string | null {
  const first = (cells('Images') ?? '')
    .split(/(?<!\\),/)[0]!
    .trim()
    .replaceAll('\\,', ',');
  if (first === '') return null;
  if (/^https?:\/\//i.test(first) && URL.canParse(first) && first.length <= 2_000) return first;
  remarks.push('ImagesLeftOut');
  return null;
}

const plain = (name: string, column: string): Field => ({
  name,
  from: [column],
  read: (cells) => textCell(column, cells(column) ?? ''),
});

/**
 * A measure's column has its unit in its name, as in `Weight (kg)`. The unit becomes part of the value, so that it is
 * not lost.
 */
function measure(name: string, word: string, columns: readonly string[]): Field {
  const column = columns.find((candidate) => new RegExp(`^${word}(\\s*\\(.*\\))?$`, 'i').test(candidate)) ?? word;
  const unit = /\((.*)\)/.exec(column)?.[1]?.trim() ?? '';
  return {
    name,
    from: [column],
    read(cells) {
      const value = textCell(column, cells(column) ?? '', 200);
      return value === null ? null : `${value.replace(/^\./, '0.')} ${unit}`.trim();
    },
  };
}

/** How WooCommerce's columns become fields of a product. docs/moving-in.md has the table in words. */
const allFields = (columns: readonly string[]): Field[] => [
  plain('type', 'Type'),
  plain('sku', 'SKU'),
  plain('title', 'Name'),
  { name: 'description', from: ['Description', 'Short description'], read: description },
  {
    name: 'price',
    from: ['Regular price'],
    read: (cells) => decimalCell('Regular price', cells('Regular price') ?? '', PRICE_PLACES),
  },
  { name: 'sale_price', from: ['Sale price'], read: salePriceOf },
  { name: 'availability', from: ['In stock?', 'Stock'], read: availabilityOf },
  { name: 'stock_level', from: ['Stock'], read: stockLevelOf },
  measure('length', 'Length', columns),
  measure('width', 'Width', columns),
  measure('height', 'Height', columns),
  measure('weight', 'Weight', columns),
  { name: 'shipping_class', from: ['Shipping class'], read: shippingClass },
  { name: 'tax_class', from: ['Tax class'], read: taxClass },
  { name: 'image_url', from: ['Images'], read: image },
];

/** The fields that a file with these columns can fill. Other fields of a stored product do not change. */
export function fieldsIn(columns: readonly string[]): Field[] {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  return allFields(columns).filter(({ from }) => from.some((column) => known.has(column.toLowerCase())));
}

/** A row of `staged`: the product, and the reference to its parent if it is a variation. */
export type ProductRow = Readonly<Record<string, string | number | boolean | null>>;

/** @throws RowFault that names the column, the value and the bound. */
export function productRow(fields: readonly Field[], cells: Cells, line: number, reading: Reading): ProductRow {
  const externalId = textCell('ID', cells('ID') ?? '');
  if (externalId === null) throw new RowFault('ID is empty');
  const parent = /\bvariation\b/.test(cells('Type') ?? '') ? (cells('Parent') ?? '') : '';
  const parentId = /^id:\s*(\S+)$/i.exec(parent)?.[1] ?? null;
  const row: Record<string, string | number | boolean | null> = {
    line,
    external_id: externalId,
    parent_id: parentId,
    parent_sku: parentId === null ? textCell('Parent', parent) : null,
    orphan: parent !== '',
  };
  for (const field of fields) row[field.name] = field.read(cells, reading);
  return row;
}
