import type { Position } from '#libs/records';

/**
 * A place in a list, and how the list is sorted. It says nothing of who may read what: a request with it reads what its
 * own caller may.
 */
export interface Cursor extends Position {
  readonly sort: string;
}

const FORM = /^(-?[A-Za-z]{1,40}) (-?\d{1,15}|\d{16}|Infinity) (\d{1,16})$/;
const [EARLIEST, LATEST] = [Date.UTC(1000, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)];

export const writeCursor = ({ sort, value, id }: Cursor): string =>
  Buffer.from(`${sort} ${value} ${id}`).toString('base64url');

/** @returns undefined for a text that no answer had. */
export function readCursor(text: string): Cursor | undefined {
  const [, sort, value, id] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (sort === undefined) return undefined;
  const cursor = { sort, value: Number(value), id: Number(id) };
  return isPossible(cursor) ? cursor : undefined;
}

function isPossible({ sort, value, id }: Cursor): boolean {
  if (!Number.isSafeInteger(id)) return false;
  if (sort.replace('-', '') === 'Id') return value === id;
  return value === Infinity || (value >= EARLIEST && value <= LATEST);
}
