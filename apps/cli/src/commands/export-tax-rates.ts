import type { Command } from 'commander';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { exportTaxRates } from '../export/export-tax-rates.js';

export function exportTaxRatesCommand(program: Command): void {
  program
    .command('export:tax-rates')
    .description("writes a site's tax rates to standard output, in the columns of WooCommerce's export")
    .requiredOption('--site <id>', 'the site that the rates belong to', id)
    .action(({ site }: { site: number }) =>
      withDatabase(async (database) => {
        for await (const rows of exportTaxRates(database, site)) process.stdout.write(rows);
      }),
    );
}
