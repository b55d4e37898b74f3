#!/usr/bin/env node
// Builds what has changed: the programs, of what the compiler makes of the sources; and at the same time the console,
// which needs none of that.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns its exit code. */
const run = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });

async function buildPrograms() {
  process.stdout.write('Compiling the sources.\n');
  const code = await run('node_modules/@typescript/native/bin/tsc', '--build', 'tsconfig.build.json');
  return code === 0 ? run('bin/build-programs.mjs') : code;
}

const codes = await Promise.all([buildPrograms(), run('bin/build-console.mjs')]);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
