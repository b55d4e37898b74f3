import { RowFault } from './row-fault.js';

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
