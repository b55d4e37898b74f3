import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './product.mjs';
import { REASONS } from './reasons.mjs';
import { ALL_ROWS } from './rows.mjs';

const versionOf = (name) => JSON.parse(readFileSync(join(BENCH, 'node_modules', name, 'package.json'), 'utf8')).version;

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const number = (value) => (Math.abs(value) >= 10_000 ? String(Math.round(value)) : String(value));
const between = ([least, most]) => (least === most ? '' : `${number(least)} … ${number(most)}`);

/** README.md from results.json and the template. */
export function readmeOf({ machine, rows, figures }) {
  const missed = [...new Set(rows.filter(({ holds }) => !holds).map(({ row }) => row))];
  const parts = {
    results: table(
      ['Row', 'What', 'Value', 'Spread', 'Must reach', ''],
      rows.map(({ row, what, value, spread, mustReach, holds }) => [
        row,
        what,
        `**${number(value)}**`,
        between(spread),
        mustReach,
        holds ? 'holds' : 'misses',
      ]),
    ),
    misses:
      missed.length === 0
        ? 'Every row holds.'
        : [
            '### What misses, and why',
            ...missed.map((row) => `**Row ${row}.** ${REASONS[row] ?? 'Not explained yet.'}`),
          ].join('\n\n'),
    machine: table(['', ''], Object.entries(labelled(machine))),
    runs: table(
      ['Row', 'Measured', 'Commit', 'Rounds'],
      ALL_ROWS.flatMap((row) => runsOf(row, rows)),
    ),
    pgBoss: versionOf('pg-boss'),
    graphileWorker: versionOf('graphile-worker'),
    peerNode: String(machine.peerNode).replace('v', ''),
    figures: table(
      ['Row', 'What', 'Median', 'Spread', 'Unit'],
      figures.map(({ row, what, value, spread, unit }) => [row, what, number(value), between(spread), unit]),
    ),
  };
  const template = readFileSync(join(BENCH, 'harness', 'readme.template.md'), 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

/** When and of which commit a row was measured: once for each part of the suite that measures it. */
function runsOf(row, results) {
  const ofRow = results.filter((result) => result.row === row);
  const runs = new Map(ofRow.map((result) => [result.part, result]));
  if (runs.size === 0) return [[row, 'not measured', '', '']];
  return [...runs.values()].map(({ measuredUtc, commit, rounds }) => [
    row,
    `${measuredUtc.slice(0, 16)}Z`,
    commit,
    rounds,
  ]);
}

const labelled = ({ cpu, cores, memoryGiB, system, node, postgres, fsyncPerSecond }) => ({
  Processor: `${cpu}, ${cores} cores`,
  Memory: `${memoryGiB} GiB`,
  System: system,
  Node: node,
  PostgreSQL: postgres,
  'Commits per second of one connection': fsyncPerSecond,
});
