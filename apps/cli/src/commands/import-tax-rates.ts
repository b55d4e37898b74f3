import type { Command } from 'commander';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { finishImport, sayRefused } from '../import/report.js';
import { importTaxRates } from '../import/tax-rates/import-tax-rates.js';

export function importTaxRatesCommand(program: Command): void {
  program
    .command('import:tax-rates')
    .description('imports a WooCommerce tax-rate export into a site; a second run updates changed rates')
    .argument('<file>', 'the CSV file that WooCommerce exports')
    .requiredOption('--site <id>', 'the site that the rates belong to', id)
    .addHelpText(
      'after',
      '\nWhat becomes what: docs/importing.md. Refused rows are named on standard error (exit code 65).',
    )
    .action((path: string, options: { site: number }) =>
      withDatabase(async (database) =>
        finishImport(await importTaxRates(database, { path, siteId: options.site, onRefused: sayRefused })),
      ),
    );
}
