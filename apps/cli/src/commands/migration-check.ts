import type { Command } from 'commander';
import { id } from '../arguments.js';
import { checkMoved } from '../moving/check.js';
import { moving } from '../moving/moving.js';
import { printJson } from '../output.js';
import { EXIT_DATA } from '../refusal.js';

export function migrationCheckCommand(program: Command): void {
  program
    .command('migration:check')
    .description(
      'says which imported subscriptions may go live, and why the others may not: asks the gateways who was charged since the export (charges nothing)',
    )
    .requiredOption('--site <id>', 'the site that the subscriptions were imported into', id)
    .option('--json', 'prints one line of JSON instead of a table')
    .addHelpText('after', '\nWhat to do about each reason: docs/moving-in.md. Exit code 65 when some are held.')
    .action(async ({ site, json }: { readonly site: number; readonly json?: true }) => {
      const report = await moving(site, checkMoved);
      if (json) printJson(report.json());
      else process.stdout.write(report.table());
      if (report.needsPerson) process.exitCode = EXIT_DATA;
    });
}
