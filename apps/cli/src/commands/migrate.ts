import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMs, durationText } from '#libs/platform';
import { assertDirect, withDataSource } from '../database.js';
import { LONGEST_WAIT_MS, migrate } from '../migrate/migrate.js';
import { printJson } from '../output.js';

const HELP = `
Each migration is a transaction of its own. Standard error says whom it waits for (docs/operations.md, New versions).`;

function duration(value: string): number {
  try {
    return durationMs(value);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as RangeError).message}.`);
  }
}

export function migrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('updates the database for this version; a second run changes nothing')
    .addOption(
      new Option('--wait <duration>', 'how long to try again while tables are in use (ISO 8601); PT0S: one try')
        .argParser(duration)
        .default(LONGEST_WAIT_MS, durationText(LONGEST_WAIT_MS)),
    )
    .addHelpText('after', HELP)
    .action(({ wait }: { wait: number }) =>
      withDataSource(async (dataSource, settings) => {
        assertDirect(settings);
        printJson({ Migrations: await migrate(dataSource, { waitMs: wait }) });
      }),
    );
}
