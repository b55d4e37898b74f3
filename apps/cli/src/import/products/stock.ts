import { type Cells, textCell } from '../cells.js';
import type { Reading } from './reading.js';

/** A variation whose parent manages its stock; it is replaced after all rows were read. */
const OF_PARENT = 'parent';

const isNo = (cell: string) => /^(0|no|false)$/i.test(cell);

/**
 * The availability in schema.org's words. An unpublished product is not for sale, so it counts as unavailable
 * (decisions.md §1) and is not charged. After publishing, another import makes it available.
 */
export function availabilityOf(cells: Cells, { remarks }: Reading): string | null {
  const published = cells('Published') ?? '';
  if (published !== '' && published !== '1') {
    remarks.push('Unpublished');
    return 'Unavailable';
  }
  const inStock = (cells('In stock?') ?? '').toLowerCase();
  const backordered = !isNo(cells('Backorders allowed?') || '0');
  if (inStock === 'backorder' || inStock === 'onbackorder') return 'BackOrder';
  if (inStock !== '') return isNo(inStock) || inStock === 'outofstock' ? 'OutOfStock' : 'InStock';
  const stock = cells('Stock') ?? '';
  if (stock === OF_PARENT) return null;
  if (stock === '' || Number(stock) > 0) return 'InStock';
  return backordered ? 'BackOrder' : 'OutOfStock';
}

export function stockLevelOf(cells: Cells): string | null {
  return textCell('Stock', cells('Stock') ?? '');
}
