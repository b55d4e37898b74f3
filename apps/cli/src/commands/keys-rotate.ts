import type { Command } from 'commander';
import { Vault } from '#libs/platform';
import { withDatabase } from '../database.js';
import { rotateKeys } from '../keys/rotate-keys.js';
import { printJson } from '../output.js';
import { keysOf } from '../settings.js';

export function keysRotateCommand(program: Command): void {
  program
    .command('keys:rotate')
    .description(
      'encrypts all stored credentials with the first key of ENCRYPTION_KEY, while the service runs (docs/gateways.md)',
    )
    .action(() =>
      withDatabase(async (database, settings) =>
        printJson(await rotateKeys(database, Vault.fromSetting(keysOf(settings)))),
      ),
    );
}
