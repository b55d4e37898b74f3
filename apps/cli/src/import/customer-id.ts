import { type Cells, textCell } from './cells.js';

/**
 * A customer's id in the shop. Guests have the id 0, or none. @returns null for a guest. @throws RowFault for one that
 * is too long.
 */
export function customerIdCell(cells: Cells): string | null {
  const cell = cells('customer_id') ?? '';
  return cell === '0' ? null : textCell('customer_id', cell);
}
