import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedFault } from './embedded-fault.js';

/** The system account that runs PostgreSQL; undefined: the account of this process. */
export type ServerAccount = { readonly name: string; readonly uid: number; readonly gid: number } | undefined;

function lookUp(name: string): ServerAccount {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { name, uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL refuses to run as root. It then runs as the owner of existing data, else as `postgres`, else as `nobody`.
 * Every system has one of them, so no account is created.
 */
export function serverAccount(existingData: string | undefined, candidates = ['postgres', 'nobody']): ServerAccount {
  if (process.getuid?.() !== 0) return undefined;
  if (existingData !== undefined) {
    const { uid, gid } = statSync(existingData);
    if (uid !== 0) return { name: `number ${uid}`, uid, gid };
  }
  for (const name of candidates) {
    const account = lookUp(name);
    if (account !== undefined && account.uid !== 0) return account;
  }
  throw new EmbeddedFault(
    `PostgreSQL does not run as root, and this system has none of the users ${candidates.join(', ')}: start as an ordinary user, or set DATABASE_URL.`,
  );
}

/** Spawn options that run a program under `account`, in a folder that everybody may enter. */
export function as(account: ServerAccount): { uid?: number; gid?: number; cwd: string } {
  return account === undefined ? { cwd: '/' } : { uid: account.uid, gid: account.gid, cwd: '/' };
}

/** Whether `account` can really enter `folder`. The permissions of all parent folders count too. */
export function canEnter(account: ServerAccount, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...as(account), stdio: 'ignore' }).status === 0;
}

/** The output of a program that runs under `account`; undefined when it cannot run. */
export function outputOf(account: ServerAccount, program: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, {
    ...as(account),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}
