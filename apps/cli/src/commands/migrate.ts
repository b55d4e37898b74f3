import type { Command } from 'commander';
import { assertDirect, withDatabase } from '../database.js';
import { migrate } from '../migrate.js';
import { printJson } from '../output.js';

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('brings the database to what this version needs; a second run changes nothing')
    .action(() =>
      withDatabase(async (database, settings) => {
        assertDirect(settings);
        printJson({ Migrations: await migrate(database) });
      }),
    );
}
