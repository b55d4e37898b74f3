import type { Command } from 'commander';
import { id, text } from '../arguments.js';
import { withDatabase } from '../database.js';
import { importProducts } from '../import/products/import-products.js';
import { finishImport, sayRefused } from '../import/report.js';

interface Options {
  readonly site: number;
  readonly virtualShippingClass?: string;
  readonly dryRun?: boolean;
}

export function importProductsCommand(program: Command): void {
  program
    .command('import:products')
    .description('imports a WooCommerce product export into a site; a second run updates changed products')
    .argument('<file>', 'the CSV file that WooCommerce exports')
    .requiredOption('--site <id>', 'the site that the products belong to', id)
    .option(
      '--virtual-shipping-class <name>',
      'shipping class for virtual products, so that they can have a shipping rate of 0',
      text,
    )
    .option('--dry-run', 'says what would be done, and writes nothing')
    .addHelpText('after', '\nWhich column becomes what: docs/moving-in.md. Exit code 65: rows were refused.')
    .action((path: string, options: Options) =>
      withDatabase(async (database) => {
        const result = await importProducts(database, {
          path,
          siteId: options.site,
          virtualShippingClass: options.virtualShippingClass,
          now: new Date(),
          onRefused: sayRefused,
          dryRun: options.dryRun,
        });
        finishImport(result);
      }),
    );
}
