#!/usr/bin/env node
/** `npm run bench [-- --row N] [--quick]`: measures, then writes results.json and README.md (docs: bench/README.md). */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCH } from './harness/product.mjs';

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});

if (!existsSync(join(BENCH, 'node_modules'))) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: BENCH, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const { runBench } = await import('./harness/bench.mjs');
await runBench({
  rows: values.row,
  quick: values.quick,
  rounds: values.rounds === undefined ? undefined : Number(values.rounds),
});
