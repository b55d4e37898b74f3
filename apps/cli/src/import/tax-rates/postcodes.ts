import { RowFault } from '../cells.js';

/** The most rates that one row may become. A longer list or range is a mistake. */
const MAX_POSTCODES = 5_000;

/**
 * The smallest set of prefixes and numbers for all numbers from `from` to `to`, both of the same length: 90200...90215
 * → 9020*, 90210, …, 90215.
 */
function cover(from: string, to: string): string[] {
  if (from === to) return [from];
  const zeros = '0'.repeat(from.length);
  const nines = '9'.repeat(from.length);
  if (from === zeros && to === nines) return ['*'];
  const [first, last] = [Number(from[0]), Number(to[0])];
  const found: string[] = [];
  for (let digit = first; digit <= last; digit++) {
    const rest = cover(digit === first ? from.slice(1) : zeros.slice(1), digit === last ? to.slice(1) : nines.slice(1));
    found.push(...rest.map((tail) => `${digit}${tail}`));
  }
  return found;
}

function range(from: string, to: string): string[] {
  if (!/^\d{1,10}$/.test(from) || !/^\d{1,10}$/.test(to) || from.length !== to.length || from > to) {
    throw new RowFault(`Postcode / ZIP "${from}...${to}" is not a range of numbers of one length`);
  }
  return cover(from, to);
}

/**
 * The postcodes of a cell: several separated by `;`, ranges of numbers such as `90210...90220`, prefixes that end in
 * `*`. An empty cell, or `*`, restricts nothing: [null].
 */
export function postcodesOf(cell: string): (string | null)[] {
  const found = cell
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap((entry): (string | null)[] => {
      const [from, to, ...more] = entry
        .replaceAll('…', '...')
        .split('...')
        .map((end) => end.trim());
      if (to !== undefined && more.length === 0) return range(from!, to);
      if (entry === '*') return [null];
      if (entry.slice(0, -1).includes('*'))
        throw new RowFault(`Postcode / ZIP "${entry}" has a * that is not at its end`);
      return [entry];
    });
  if (found.length > MAX_POSTCODES) throw new RowFault(`Postcode / ZIP names more than ${MAX_POSTCODES} postcodes`);
  if (found.some((entry) => entry !== null && entry.length > 255))
    throw new RowFault('Postcode / ZIP has more than 255 characters');
  return found.length === 0 || found.includes(null) ? [null] : [...new Set(found)];
}
