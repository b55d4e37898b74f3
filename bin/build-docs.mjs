#!/usr/bin/env node
// Makes dist/docs, the site of docs/, with packages of its own, which nothing else needs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = join(root, 'docs');

/** Ends with the exit code of a program that fails: it has said why. */
function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: docs, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Packages are installed once for each lock file. */
const INSTALLED = join(docs, 'node_modules', '.installed');
const lock = createHash('sha256')
  .update(readFileSync(join(docs, 'package-lock.json')))
  .digest('hex');
if (!existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== lock) {
  run('npm', ['ci', '--no-audit', '--no-fund']);
  writeFileSync(INSTALLED, lock);
}

run(process.execPath, [join(docs, 'node_modules/vitepress/bin/vitepress.js'), 'build']);
