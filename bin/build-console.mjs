#!/usr/bin/env node
// Builds dist/console when one of its sources is newer; a production install has the built files and no Vite.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'apps/console');
const built = join(root, 'dist/console/index.html');
/** A changed version of a package changes the bundle as well. */
const SOURCES = [folder, join(root, 'package-lock.json')];

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const isBuilt = existsSync(built) && Math.max(...SOURCES.map(newest)) <= statSync(built).mtimeMs;
if (!isBuilt) {
  process.stdout.write('Building the console.\n');
  const { build } = await import('vite');
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' });
}
