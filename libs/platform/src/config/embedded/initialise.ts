import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Binaries } from './binaries.js';
import { EmbeddedFault } from './embedded-fault.js';
import { as, type ServerAccount } from './server-account.js';

export interface Cluster {
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  readonly dataFolder: string;
  readonly password: string;
  /** Whether initdb waits until everything is on disk. */
  readonly flushed: boolean;
}

/**
 * Makes an empty database cluster in `dataFolder`, whose user `postgres` has `password`.
 * It is made under another name and then renamed, so that an interrupted one is never mistaken for a complete one.
 */
export function initialise({ binaries, account, dataFolder, password, flushed }: Cluster): void {
  const unfinished = `${dataFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const passwordFile = `${dataFolder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) for (const path of [unfinished, passwordFile]) chownSync(path, account.uid, account.gid);
  // The built-in locale sorts in the same way on every system.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const made = spawnSync(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      ...locale,
      ...(flushed ? [] : ['--no-sync']),
    ],
    { ...as(account), encoding: 'utf8', env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } },
  );
  rmSync(passwordFile, { force: true });
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason =
      made.error?.message ?? made.stderr.split('\n').find((line) => line.startsWith('initdb:')) ?? made.stderr.trim();
    throw new EmbeddedFault(`The embedded database could not be made in ${dataFolder} (${reason}).`);
  }
  renameSync(unfinished, dataFolder);
}
