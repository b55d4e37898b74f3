import type { Command } from 'commander';
import { createSite } from '../accounts/accounts.js';
import { currency, email, text, webAddress } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

interface Options {
  readonly email: string;
  readonly siteName: string;
  readonly siteUrl: string;
  readonly siteType?: string;
  readonly currency: string;
}

export function siteCreateCommand(program: Command): void {
  program
    .command('site:create')
    .description('adds a site to an account; prints {"UserId":…,"SiteId":…}')
    .requiredOption('--email <address>', 'the account', email)
    .requiredOption('--site-name <name>', "the shop's name", text)
    .requiredOption('--site-url <url>', "the shop's home page", webAddress)
    .option('--site-type <type>', 'the commerce platform, e.g. WooCommerce', text)
    .option('--currency <code>', "the shop's currency, ISO 4217", currency, 'USD')
    .action((options: Options) =>
      withDatabase(async (database) => {
        const site = {
          name: options.siteName,
          url: options.siteUrl,
          type: options.siteType,
          currencyIso: options.currency,
        };
        printJson(await database.transaction((tx) => createSite(tx, options.email, site)));
      }),
    );
}
