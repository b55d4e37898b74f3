import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_ROWS } from './plan.mjs';
import { BENCH } from './product.mjs';
import { REASONS } from './reasons.mjs';

const versionOf = (name) => JSON.parse(readFileSync(join(BENCH, 'package.json'), 'utf8')).dependencies[name];

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const number = (value) => (Math.abs(value) >= 10_000 ? String(Math.round(value)) : String(value));
const between = ([least, most]) => (least === most ? '' : `${number(least)} … ${number(most)}`);

const explained = (row) => `**Row ${row}.** ${REASONS[row] ?? 'Not explained yet.'}`;

/** README.md from results.json and the template. */
export function readmeOf({ machine, rows, figures }) {
  const missed = [...new Set(rows.filter(({ holds }) => !holds).map(({ row }) => row))];
  const held = Object.keys(REASONS).filter((row) => !missed.includes(row));
  const parts = {
    results: sectionOf('usual', rows),
    long: sectionOf('long', rows),
    misses:
      missed.length === 0 ? 'Every row holds.' : ['### What misses, and why', ...missed.map(explained)].join('\n\n'),
    tried: held.map(explained).join('\n\n'),
    machine: table(['', ''], Object.entries(labelled(machine))),
    runs: table(['Row', 'Part', 'Measured', 'Commit', 'Rounds', 'Took'], runsOf(rows)),
    pgBoss: versionOf('pg-boss'),
    graphileWorker: versionOf('graphile-worker'),
    peerNode: String(machine.peerNode).replace('v', ''),
    figures: table(
      ['Row', 'What', 'Median', 'Spread', 'Unit', 'Commit'],
      figures.map(({ row, what, value, spread, unit, commit }) => [
        row,
        what,
        number(value),
        between(spread),
        unit,
        commit,
      ]),
    ),
  };
  const template = readFileSync(join(BENCH, 'harness', 'readme.template.md'), 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

/** The rows of one form, and of which commit they are. What is of another commit than the latest is marked. */
function sectionOf(form, all) {
  const rows = all.filter((row) => row.form === form);
  if (rows.length === 0) return 'Not measured.';
  const latest = rows.reduce((a, b) => (a.measuredUtc >= b.measuredUtc ? a : b)).commit;
  const others = new Set(rows.map(({ commit }) => commit).filter((commit) => commit !== latest));
  const provenance =
    others.size === 0
      ? `All rows are of commit ${latest}.`
      : `**Not of one commit.** The latest is ${latest}; rows that name another one were measured at that one, and say nothing about ${latest}.`;
  const lines = rows.map(({ row, what, value, spread, mustReach, holds, commit }) => [
    row,
    what,
    `**${number(value)}**`,
    between(spread),
    mustReach,
    holds ? 'holds' : 'misses',
    commit === latest ? commit : `_older: ${commit}_`,
  ]);
  return `${provenance}\n\n${table(['Row', 'What', 'Value', 'Spread', 'Must reach', '', 'Commit'], lines)}`;
}

/** When, of which commit and for how long a row was measured: once for each part of the suite that measures it. */
function runsOf(results) {
  const byRow = (row) => results.filter((result) => result.row === row);
  return ALL_ROWS.flatMap((row) => {
    const runs = new Map(byRow(row).map((result) => [`${result.part}, ${result.form}`, result]));
    if (runs.size === 0) return [[row, 'not measured', '', '', '', '']];
    return [...runs.values()].map(({ part, form, measuredUtc, commit, rounds, seconds }) => [
      row,
      form === 'long' ? `${part} (long)` : part,
      `${measuredUtc.slice(0, 16)}Z`,
      commit,
      rounds,
      seconds === undefined ? '' : `${(seconds / 60).toFixed(1)} min`,
    ]);
  });
}

const labelled = ({ cpu, cores, memoryGiB, system, node, postgres, fsyncPerSecond }) => ({
  Processor: `${cpu}, ${cores} cores`,
  Memory: `${memoryGiB} GiB`,
  System: system,
  Node: node,
  PostgreSQL: postgres,
  'Commits per second of one connection': fsyncPerSecond,
});
