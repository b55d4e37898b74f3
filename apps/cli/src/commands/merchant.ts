import type { Command } from 'commander';
import { changePassword, createMerchant } from '../accounts/accounts.js';
import { newPassword, type PasswordOptions, passwordStdin } from '../accounts/new-password.js';
import { currency, email, text, webAddress } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson, remark } from '../output.js';

interface Options extends PasswordOptions {
  readonly email: string;
  readonly siteName: string;
  readonly siteUrl: string;
  readonly siteType?: string;
  readonly currency: string;
}

export function merchantCreateCommand(program: Command): void {
  program
    .command('merchant:create')
    .description('creates an account with its first site; prints {"UserId":…,"SiteId":…}')
    .requiredOption('--email <address>', 'what the merchant logs in with', email)
    .addOption(passwordStdin().conflicts('password'))
    .option(
      '--password <text>',
      'for scripts only: others on this machine can see it while the command runs; left out, it is asked for, at least 12 characters',
      text,
    )
    .requiredOption('--site-name <name>', "the shop's name", text)
    .requiredOption('--site-url <url>', "the shop's home page", webAddress)
    .option('--site-type <type>', 'the commerce platform, e.g. WooCommerce', text)
    .option('--currency <code>', "the shop's currency, ISO 4217", currency, 'USD')
    .action(async (options: Options) => {
      const password = await newPassword(options);
      const site = {
        name: options.siteName,
        url: options.siteUrl,
        type: options.siteType,
        currencyIso: options.currency,
      };
      await withDatabase(async (database) =>
        printJson(await database.transaction((tx) => createMerchant(tx, options.email, password, site))),
      );
    });
}

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
