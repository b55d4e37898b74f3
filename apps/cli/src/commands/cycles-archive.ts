import type { Command } from 'commander';
import { archiveCycles, FEWEST_LEDGER_MONTHS } from '#libs/ledger';
import { between } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

const MOST_MONTHS = 1_200;

const HELP = `
The service shows archived cycles as before. The newest two of an order stay in the ledger, and an order's cycles are moved when at least twelve of
them are old enough (three, when it has no newer ones). It works in small transactions, may run while the service does, and can be repeated after an
interruption.`;

export function cyclesArchiveCommand(program: Command): void {
  program
    .command('cycles:archive')
    .description('moves cycles that ended long ago to the archive, where they take less than half of the space')
    .requiredOption(
      '--older-than <months>',
      `moves what ended more than so many months ago: ${FEWEST_LEDGER_MONTHS} or more`,
      between(FEWEST_LEDGER_MONTHS, MOST_MONTHS),
    )
    .addHelpText('after', HELP)
    .action(async ({ olderThan }: { readonly olderThan: number }) => {
      await withDatabase(async (database) => {
        const { cycles, orders } = await archiveCycles(database, olderThan);
        printJson({ Archived: cycles, ScheduledOrders: orders });
      });
    });
}
