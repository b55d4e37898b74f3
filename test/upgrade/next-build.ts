import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Next1780000000002 } from './2-next.js';

const ROOT = join(__dirname, '../..');

/** Of API and worker, and of a part of the command line. */
const MIGRATIONS = /^const migrations = \[Baseline\d*\];$/m;
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
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const more = `${String(Next1780000000002)}\nmigrations.push(${Next1780000000002.name});`;
  const withMigrations = files.filter((file) => MIGRATIONS.test(readFileSync(join(dist, file), 'utf8')));
  if (withMigrations.length !== PROGRAMS) throw new Error(`Not ${PROGRAMS} have migrations: ${withMigrations.join()}.`);
  for (const file of withMigrations) {
    const text = readFileSync(join(dist, file), 'utf8');
    writeFileSync(
      join(dist, file),
      text.replace(MIGRATIONS, (found) => `${found}\n${more}`),
    );
  }
  return dist;
}
