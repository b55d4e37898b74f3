import type { Command } from 'commander';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { finishImport, sayRefused } from '../import/report.js';
import { importTaxRates } from '../import/tax-rates/import-tax-rates.js';

interface Options {
  readonly site: number;
  readonly dryRun?: boolean;
}

export function importTaxRatesCommand(program: Command): void {
  program
    .command('import:tax-rates')
    .description('imports a WooCommerce tax-rate export into a site; a second run updates changed rates')
    .argument('<file>', 'the CSV file that WooCommerce exports')
    .requiredOption('--site <id>', 'the site that the rates belong to', id)
    .option('--dry-run', 'says what would be done, and writes nothing')
    .addHelpText('after', '\nWhat becomes what: docs/moving-in.md. Exit code 65: rows were refused.')
    .action((path: string, { site: siteId, dryRun }: Options) =>
      withDatabase(async (database) =>
        finishImport(await importTaxRates(database, { path, siteId, onRefused: sayRefused, dryRun })),
      ),
    );
}
