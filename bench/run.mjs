#!/usr/bin/env node
/** `npm run bench [-- --row N] [--part NAME] [--quick]`: measures, then writes results.json, history.jsonl and README.md (docs: bench/README.md). */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH } from './harness/product.mjs';
import { ALL_ROWS } from './harness/rows.mjs';

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true, default: [] },
    part: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});

const unknown = values.row.filter((row) => !ALL_ROWS.includes(row));
if (unknown.length > 0) refuse(`--row ${unknown.join(', ')}: there are rows ${ALL_ROWS[0]} to ${ALL_ROWS.at(-1)}.`);
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
  refuse(`--rounds ${values.rounds}: it must be a whole number from 1 on.`);

if (!existsSync(join(BENCH, 'node_modules'))) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: BENCH, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const { PARTS, runBench } = await import('./harness/bench.mjs');
const strangers = values.part.filter((part) => !PARTS.includes(part));
if (strangers.length > 0) refuse(`--part ${strangers.join(', ')}: there are ${PARTS.join(', ')}.`);
await runBench({ rows: values.row, parts: values.part, quick: values.quick, rounds });

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
