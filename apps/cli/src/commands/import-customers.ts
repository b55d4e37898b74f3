import type { Command } from 'commander';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { importCustomers } from '../import/customers/import-customers.js';
import { finishImport, sayRefused } from '../import/report.js';

interface Options {
  readonly site: number;
  readonly dryRun?: boolean;
}

export function importCustomersCommand(program: Command): void {
  program
    .command('import:customers')
    .description('imports a WooCommerce customer export into a site; a second run updates changed customers')
    .argument('<file>', 'the CSV file of a customer export')
    .requiredOption('--site <id>', 'the site that the customers belong to', id)
    .option('--dry-run', 'says what would be done, and writes nothing')
    .addHelpText('after', '\nWhich column becomes what: docs/moving-in.md. Exit code 65: rows were refused.')
    .action((path: string, { site: siteId, dryRun }: Options) =>
      withDatabase(async (database) =>
        finishImport(await importCustomers(database, { path, siteId, onRefused: sayRefused, dryRun })),
      ),
    );
}
