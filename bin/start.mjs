#!/usr/bin/env node
// `npm start`: builds where there are sources, which a packed release does not have, then starts everything.
import './check-machine.cjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function build() {
  process.stdout.write('Building, then starting. The first build takes half a minute.\n');
  const { status, signal } = spawnSync('npm', ['run', '--silent', 'build:changed'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (signal !== null) process.exit(130);
  if (status !== 0) process.exit(status);
}

if (existsSync(new URL('../tsconfig.build.json', import.meta.url))) build();
process.argv.splice(2, 0, 'start');
await import('../dist/apps/cli/src/main.js');
