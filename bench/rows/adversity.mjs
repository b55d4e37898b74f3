import { besideLongTransaction } from '../processor/long-transaction.mjs';
import { withStatistics } from '../processor/statistics.mjs';

export const rows = ['6'];
export const title =
  'A long transaction elsewhere; small and large batches with statistics that are missing, old or right';

export async function run(bench) {
  const orders = bench.pick({ usual: 15_000, smoke: 2_000 });
  const parts = [await besideLongTransaction(bench, orders), await withStatistics(bench, orders)];
  return { results: parts.flatMap(({ results }) => results), figures: parts.flatMap(({ figures }) => figures) };
}
