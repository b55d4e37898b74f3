import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/**
 * API, worker and command line of a next version: the present one with one migration more (`2-next.ts`). Until there is
 * a release, this is what upgrades are tested with: the present version is the previous one. Its folder is to be
 * removed.
 */
export function nextBuild(): string {
  // Inside the project, where packages are found that are no part of the programs.
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  const dist = join(mkdtempSync(join(ROOT, 'reports/next-')), 'dist');
  execFileSync(process.execPath, [join(__dirname, 'bundle.mjs'), dist], { stdio: 'pipe' });
  return dist;
}
