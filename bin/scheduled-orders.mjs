#!/usr/bin/env node
// The command line, wherever it is called from. It is built from apps/cli; without a build there is nothing to run.
import './check-machine.cjs';
import { existsSync } from 'node:fs';

const main = new URL('../dist/apps/cli/src/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('The command line is not built yet: run `npm run build` first.\n');
  process.exitCode = 1;
}
