import type { ForecastRows } from './forecast-rows.js';

/** The rows by day, then product, then currency, in pieces. Only the rows of one day are sorted at a time. */
export function* rowsInOrder(
  rows: ForecastRows,
  ranks: { readonly products: Int32Array; readonly currencies: Int32Array },
  piece: number,
): Generator<number[], void> {
  const currencies = Math.max(1, ranks.currencies.length);
  let taken: number[] = [];
  for (const ofDay of byDay(rows)) {
    const keys = new Float64Array(ofDay.length);
    for (const [place, row] of ofDay.entries()) {
      const { product, currency } = rows.key(row);
      const rank = (ranks.products[product] ?? 0) * currencies + (ranks.currencies[currency] ?? 0);
      // Below 2^53: at most 500,000 rows and products, and 200 currencies.
      keys[place] = rank * ofDay.length + place;
    }
    keys.sort();
    for (const key of keys) {
      taken.push(ofDay[key % ofDay.length]!);
      if (taken.length < piece) continue;
      yield taken;
      taken = [];
    }
  }
  if (taken.length > 0) yield taken;
}

/** The numbers of the rows of each day that has any, the first day first: sorted by counting. */
function* byDay(rows: ForecastRows): Generator<Int32Array, void> {
  const ends: number[] = [];
  for (let row = 0; row < rows.size; row++) {
    const { day } = rows.key(row);
    ends[day] = (ends[day] ?? 0) + 1;
  }
  let end = 0;
  for (let day = 0; day < ends.length; day++) ends[day] = end += ends[day] ?? 0;
  const places = ends.map((_, day) => (day === 0 ? 0 : ends[day - 1]!));
  const sorted = new Int32Array(rows.size);
  for (let row = 0; row < rows.size; row++) sorted[places[rows.key(row).day]!++] = row;
  for (const [day, upTo] of ends.entries()) {
    const from = day === 0 ? 0 : ends[day - 1]!;
    if (upTo > from) yield sorted.subarray(from, upTo);
  }
}
