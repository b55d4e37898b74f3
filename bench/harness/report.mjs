import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOfParts } from './plan.mjs';
import { BENCH } from './product.mjs';
import { readmeOf } from './readme.mjs';

const FILES = { results: join(BENCH, 'results.json'), readme: join(BENCH, 'README.md') };

/**
 * Writes what a part has measured to results.json, beside what others have, and README.md from it. Every line has its
 * commit, and README.md says of which commits its rows are.
 */
export async function keepResults({ machine, results, figures }, files = FILES) {
  const before = existsSync(files.results) ? JSON.parse(readFileSync(files.results, 'utf8')) : null;
  const modules = await modulesOfParts();
  const all = merged(before, { machine, results, figures }, (part) => modules[part]?.rows ?? []);
  writeFileSync(files.results, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(files.readme, readmeOf(all));
}

/** README.md from results.json, after an edit of the template or of the reasons. */
export function writeReport(files = FILES) {
  writeFileSync(files.readme, readmeOf(JSON.parse(readFileSync(files.results, 'utf8'))));
}

/**
 * What was measured before, with the fresh in its place. Left out: what another machine measured, and rows of a part
 * that no longer measures them (history.jsonl has both).
 */
export function merged(before, { machine, results, figures }, rowsOf) {
  const key = ({ form, part, row }) => `${row} of ${part}, ${form}`;
  const ran = new Set(results.map(key));
  const kept = before !== null && sameMachine(before.machine, machine) ? before : { rows: [], figures: [] };
  const merge = (old, fresh) =>
    [...old.filter((one) => !ran.has(key(one)) && rowsOf(one.part).includes(one.row)), ...fresh].sort(
      (a, b) => Number(a.row) - Number(b.row),
    );
  return { machine, rows: merge(kept.rows, results), figures: merge(kept.figures, figures) };
}

const sameMachine = (one, other) =>
  ['cpu', 'cores', 'system', 'node', 'postgres'].every((name) => one[name] === other[name]);
