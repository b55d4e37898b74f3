import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './product.mjs';

/** What a value depends on besides the product: only lines of one machine can be compared. */
const machineName = ({ cpu, cores, node, postgres }) =>
  `${cpu}, ${cores} cores, Node ${node.replace('v', '')}, PostgreSQL ${postgres}`;

/** One line of history.jsonl. */
export const historyLine = (machine, { measuredUtc, commit, form, row, what, value, spread, rounds }) =>
  JSON.stringify({ measuredUtc, commit, form, row, what, value, spread, rounds, machine: machineName(machine) });

/** Appends what was measured to history.jsonl, which keeps every run; results.json has the latest of each row. */
export function keepHistory(machine, results) {
  const lines = results.map((result) => `${historyLine(machine, result)}\n`);
  appendFileSync(join(BENCH, 'history.jsonl'), lines.join(''));
}
