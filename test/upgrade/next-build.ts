import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Next1780000000002 } from './2-next.js';

const ROOT = join(__dirname, '../..');

/** In API and worker, and in a part of the command line. */
const MIGRATIONS = '[Baseline]';
const PROGRAMS = 3;

/**
 * API, worker and command line of a next version: the present one with one migration more (`2-next.ts`). Until there is
 * a release, this is what upgrades are tested with: the present version is the previous one. Its folder is to be
 * removed.
 */
export function nextBuild(): string {
  // Inside the project, where packages are found that are no part of the programs.
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  const dist = join(mkdtempSync(join(ROOT, 'reports/next-')), 'dist');
  cpSync(join(ROOT, 'dist/apps'), join(dist, 'apps'), { recursive: true, filter: (file) => !file.endsWith('.map') });
  let changed = 0;
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))) {
    const parts = readFileSync(join(dist, file), 'utf8').split(MIGRATIONS);
    if (parts.length === 1) continue;
    writeFileSync(join(dist, file), parts.join(`[Baseline, ${String(Next1780000000002)}]`));
    changed += parts.length - 1;
  }
  if (changed !== PROGRAMS) throw new Error(`${changed} programs have migrations, not ${PROGRAMS}.`);
  return dist;
}
