import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './product.mjs';
import { readmeOf } from './readme.mjs';

/**
 * Writes what was measured. Rows that were not run keep what an earlier run on the same machine measured of the same commit, each with when: all
 * rows of a report are of one commit (history.jsonl has the others). A quick run writes files of its own.
 */
export function keepResults({ machine, measured, quick, commit }) {
  const file = join(BENCH, quick ? 'results.quick.json' : 'results.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  const kept = before?.commit === commit && sameMachine(before.machine, machine) ? before : { rows: [], figures: [] };
  const key = ({ part, row }) => `${row} of ${part}`;
  const ran = new Set(measured.flatMap(({ results }) => results.map(key)));
  const merge = (old, fresh) =>
    [...old.filter((one) => !ran.has(key(one))), ...fresh].sort((a, b) => Number(a.row) - Number(b.row));
  const results = {
    machine,
    commit,
    rows: merge(
      kept.rows,
      measured.flatMap(({ results }) => results),
    ),
    figures: merge(
      kept.figures,
      measured.flatMap(({ figures }) => figures),
    ),
  };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  if (!quick) writeFileSync(join(BENCH, 'README.md'), readmeOf(results));
}

const sameMachine = (one, other) =>
  ['cpu', 'cores', 'system', 'node', 'postgres'].every((name) => one[name] === other[name]);
