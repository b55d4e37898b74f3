#!/usr/bin/env node
/**
 * `npm run bench [-- --row N] [--part NAME] [--long] [--smoke] [--rounds N] [--report]`: measures, then writes
 * results.json, history.jsonl and README.md (docs: bench/README.md).
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_ROWS, PARTS, planOf } from './harness/plan.mjs';
import { BENCH } from './harness/product.mjs';

const { row, part, long, smoke, report, rounds: typed } = readOptions();
const unknown = row.filter((one) => !ALL_ROWS.includes(one));
if (unknown.length > 0) refuse(`--row ${unknown.join(', ')}: there are rows ${ALL_ROWS[0]} to ${ALL_ROWS.at(-1)}.`);
const strangers = part.filter((one) => !PARTS.includes(one));
if (strangers.length > 0) refuse(`--part ${strangers.join(', ')}: there are ${PARTS.join(', ')}.`);
const rounds = typed === undefined ? undefined : Number(typed);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
  refuse(`--rounds ${typed}: it must be a whole number from 1 on.`);
if (long && smoke) refuse('--long and --smoke: give one of them; the smoke run has the long parts too.');

if (report) {
  const { writeReport } = await import('./harness/report.mjs');
  writeReport();
} else {
  const options = { rows: row, parts: part, isLong: long, isSmoke: smoke };
  if ((await planOf(options)).length === 0)
    refuse('There is nothing to measure: no part has these rows in this form. Leave out --long or --part.');
  install();
  const { runBench } = await import('./harness/bench.mjs');
  await runBench({ ...options, rounds });
}

function readOptions() {
  const isSet = { type: 'boolean', default: false };
  const several = { type: 'string', multiple: true, default: [] };
  const options = { row: several, part: several, long: isSet, smoke: isSet, report: isSet, rounds: { type: 'string' } };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

function install() {
  if (existsSync(join(BENCH, 'node_modules'))) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: BENCH, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
