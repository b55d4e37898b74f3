import type { Command } from 'commander';
import { changePassword } from '../accounts/accounts.js';
import { email } from '../arguments.js';
import { askNewPassword } from '../ask.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

export function merchantPasswordCommand(program: Command): void {
  program
    .command('merchant:password')
    .description("sets an account's password, asked for or read from standard input, and ends all its access tokens")
    .requiredOption('--email <address>', 'what the merchant logs in with', email)
    .action(async (options: { email: string }) => {
      const password = await askNewPassword();
      await withDatabase(async (database) =>
        printJson(await database.transaction((tx) => changePassword(tx, options.email, password))),
      );
    });
}
