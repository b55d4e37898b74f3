import type { Command } from 'commander';
import { changePassword } from '../accounts/accounts.js';
import { newPassword, type PasswordOptions, passwordStdin } from '../accounts/new-password.js';
import { email } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

export function merchantPasswordCommand(program: Command): void {
  program
    .command('merchant:password')
    .description("sets an account's password (asked for, at least 12 characters) and ends all its access tokens")
    .requiredOption('--email <address>', 'what the merchant logs in with', email)
    .addOption(passwordStdin())
    .action(async (options: PasswordOptions & { readonly email: string }) => {
      const password = await newPassword(options);
      await withDatabase(async (database) =>
        printJson(await database.transaction((tx) => changePassword(tx, options.email, password))),
      );
    });
}
