import { isEmailAddress } from '../email-address.js';
import { textCell } from './cells.js';
import { RowFault } from './row-fault.js';

/** @returns null for an empty cell. @throws RowFault for what is no e-mail address. */
export function emailCell(column: string, cell: string): string | null {
  const text = textCell(column, cell);
  if (text !== null && !isEmailAddress(text)) {
    throw new RowFault(`${column} "${text}" is not an e-mail address`);
  }
  return text;
}
