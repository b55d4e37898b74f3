import { type Command, Option } from 'commander';
import { API_KEY_ACCESS, type ApiKeyAccess } from '#libs/entities';
import { createKey } from '../accounts/api-keys.js';
import { email, ids, instant, text } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

interface Options {
  readonly email: string;
  readonly name: string;
  readonly site?: readonly number[];
  readonly access: ApiKeyAccess;
  readonly expires?: Date;
}

export function apikeyCreateCommand(program: Command): void {
  program
    .command('apikey:create')
    .description(
      'makes an API key for a shop\'s back end; prints {"Id":…,"Value":"…"}: keep the value, nothing shows it again',
    )
    .requiredOption('--email <address>', 'the account', email)
    .requiredOption('--name <text>', 'what the key is for', text)
    .option('--site <id>', 'a site that it reaches; repeat it for several; needed if the account has several', ids)
    .addOption(
      new Option('--access <kind>', 'Full, or Read: reads only, and sees no credentials')
        .choices(API_KEY_ACCESS)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'when it stops working, in UTC, such as 2036-01-31T09:00:00Z; else never', instant)
    .addHelpText(
      'after',
      '\nSend it as Authorization: Basic <Value>. Delete it with DELETE /api/ApiKey/{id} (docs/authentication.md).',
    )
    .action(({ email: account, name, site: siteIds, access, expires: expiresUtc }: Options) =>
      withDatabase(async (database) => {
        const key = { name, siteIds, access, expiresUtc };
        printJson(await database.transaction((tx) => createKey(tx, account, key)));
      }),
    );
}
