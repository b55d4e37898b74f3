import type { Command } from 'commander';
import { changePassword } from '../accounts/accounts.js';
import { newPassword, type PasswordOptions, passwordStdin } from '../accounts/new-password.js';
import { email } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson, remark } from '../output.js';

/** Whoever knew the password may have made a key. */
const keysRemain = (count: number) =>
  `${count === 1 ? 'One API key of the account still works' : `${count} API keys of the account still work`}: delete those that you do not know (GET /api/ApiKeys, DELETE /api/ApiKey/{id}).`;

export function merchantPasswordCommand(program: Command): void {
  program
    .command('merchant:password')
    .description(
      "sets an account's password (asked for, at least 12 characters) and ends all its access tokens; API keys stay",
    )
    .requiredOption('--email <address>', 'what the merchant logs in with', email)
    .addOption(passwordStdin())
    .action(async (options: PasswordOptions & { readonly email: string }) => {
      const password = await newPassword(options);
      await withDatabase(async (database) => {
        const { result, keysLeft } = await database.transaction((tx) => changePassword(tx, options.email, password));
        printJson(result);
        if (keysLeft > 0) remark(keysRemain(keysLeft));
      });
    });
}
