import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** The time of a file comes from a clock that lags behind by up to a tick of the kernel. */
const TICK_MS = 10;

/** The time of the newest file, in ms; of what is not there nobody knows it. */
function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return Infinity;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/**
 * Calls `make`, which writes the files `built`, unless all of them are there and the last is newer than all `sources`
 * (files, or folders with all that is in them). Afterwards the last has the time at which its making began: what
 * changes in the meantime may not be in it.
 */
export async function whenChanged(built, sources, make) {
  const last = built.at(-1);
  if (built.every((file) => existsSync(file)) && Math.max(...sources.map(newest)) < statSync(last).mtimeMs) return;
  const began = new Date(Date.now() - TICK_MS);
  await make();
  utimesSync(last, began, began);
}
