import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './product.mjs';
import { readmeOf } from './readme.mjs';

/**
 * Writes what was measured. Rows that were not run keep what an earlier run on the same machine measured, and say when and of which
 * commit; a quick run writes files of its own.
 */
export function keepResults({ machine, measured, quick }) {
  const file = join(BENCH, quick ? 'results.quick.json' : 'results.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  const kept = before && sameMachine(before.machine, machine) ? before : { runs: {}, rows: [], figures: [] };
  const ran = new Set(measured.flatMap(({ rows }) => rows));
  const merge = (old, fresh) =>
    [...old.filter(({ row }) => !ran.has(row)), ...fresh.filter(({ row }) => ran.has(row))].sort(
      (a, b) => Number(a.row) - Number(b.row),
    );
  const results = {
    machine,
    runs: { ...kept.runs, ...Object.fromEntries(measured.flatMap(({ rows, run }) => rows.map((row) => [row, run]))) },
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
