import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedFault } from './embedded-fault.js';
import { canEnter, type ServerAccount, serverAccount } from './server-account.js';

export interface DataPlace {
  readonly account: ServerAccount;
  /** PostgreSQL's own folder. */
  readonly dataFolder: string;
  /** A folder that `account` can enter, made on first use: for a copy of the programs. */
  readonly spareFolder: () => string;
  /** A note about where the data is; undefined when it is in the expected place. */
  readonly note: string | undefined;
}

/** This project's folder in the system's state directory, or else in its temporary directory. */
function stateFolder(dataDir: string): string {
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  for (const parent of ['/var/lib/scheduled-orders', join(tmpdir(), 'scheduled-orders')]) {
    const folder = join(parent, name);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // This folder is not writable: try the next one.
    }
  }
  throw new EmbeddedFault('No folder for the embedded database can be written: set DATA_DIR to one, or DATABASE_URL.');
}

function made(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    accessSync(dataDir, constants.W_OK);
    return resolve(dataDir);
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EACCES'
        ? 'may not be written by this user'
        : String((error as Error).message);
    throw new EmbeddedFault(`The folder ${resolve(dataDir)} ${reason}: set DATA_DIR to another, or DATABASE_URL.`);
  }
}

/**
 * Where the embedded database keeps its data: in `dataDir`, unless the account that runs PostgreSQL (never root) cannot
 * enter it, for example in a private home folder.
 */
export function dataPlace(dataDir: string, candidates?: string[]): DataPlace {
  const folder = made(dataDir);
  const usual = join(folder, 'postgres');
  const account = serverAccount(existsSync(usual) ? usual : undefined, candidates);
  if (account === undefined && existsSync(usual) && statSync(usual).uid !== process.getuid?.()) {
    throw new EmbeddedFault(
      `The data in ${usual} belongs to another user: start as that user, or set DATA_DIR to another folder.`,
    );
  }
  const spareFolder = () => (canEnter(account, folder) ? folder : stateFolder(dataDir));
  if (canEnter(account, folder)) return { account, dataFolder: usual, spareFolder, note: undefined };
  const elsewhere = stateFolder(dataDir);
  return {
    account,
    dataFolder: join(elsewhere, 'postgres'),
    spareFolder,
    note: `The database keeps its data in ${elsewhere}, because PostgreSQL runs as the user ${account?.name ?? 'of this process'}, who may not enter ${folder}.`,
  };
}
