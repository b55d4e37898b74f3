import { type Command, InvalidArgumentError } from 'commander';
import { archiveCycles, FEWEST_LEDGER_MONTHS, resolveCycle, stuckCycles } from '#libs/ledger';
import { Conflict, NotFound } from '#libs/records';
import { between, id, text, upTo } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson, remark } from '../output.js';
import { person } from '../person.js';
import { Refusal } from '../refusal.js';

const STATES = ['Unknown', 'Waiting', 'Retrying', 'Claimed', 'Charging'];
const LARGEST_LIST = 1_000_000;

function state(value: string): string {
  const known = STATES.find((name) => name.toLowerCase() === value.toLowerCase());
  if (known === undefined) throw new InvalidArgumentError(`It is not one of ${STATES.join(', ')}.`);
  return known;
}

export function cyclesStuckCommand(program: Command): void {
  program
    .command('cycles:stuck')
    .description('lists waiting cycles with their reasons: one line of JSON each, the longest due first')
    .option('--state <state>', `only those in this state: ${STATES.join(', ')}`, state)
    .option('--limit <number>', 'how many at most', upTo(LARGEST_LIST), 1_000)
    .action(async (options: { readonly state?: string; readonly limit: number }) => {
      await withDatabase(async (database) => {
        for (const cycle of await stuckCycles(database, options)) printJson(cycle);
      });
    });
}

interface Options {
  readonly order: number;
  readonly cycle: number;
  readonly charged?: string;
  readonly notCharged?: boolean;
}

export function cyclesResolveCommand(program: Command): void {
  program
    .command('cycles:resolve')
    .description('stores your decision whether a cycle with an unknown outcome was charged; look at the gateway first')
    .requiredOption('--order <id>', 'the scheduled order', id)
    .requiredOption('--cycle <number>', 'its cycle, as cycles:stuck lists it', id)
    .option('--charged <transaction>', "it was charged: the gateway's transaction id", text)
    .option('--not-charged', 'it was not charged: it may be charged again')
    .action(async ({ order, cycle, charged, notCharged }: Options) => {
      if ((charged === undefined) === (notCharged !== true)) {
        throw new Refusal('Say either --charged TRANSACTION or --not-charged.');
      }
      await withDatabase(async (database) => {
        const resolution = {
          scheduledOrderId: order,
          cycle,
          transactionId: charged ?? null,
          by: person(),
        };
        try {
          await resolveCycle(database, resolution);
        } catch (error) {
          if (error instanceof Conflict || error instanceof NotFound) throw new Refusal(error.message);
          throw error;
        }
        remark(`Cycle ${cycle} of scheduled order ${order} is decided: a worker acts on it now.`);
      });
    });
}

const MOST_MONTHS = 1_200;

const HELP = `
The newest two cycles of an order stay in the ledger, and an order's cycles are moved when at least twelve of
them are old enough (three, when it has no newer ones). It may run while the service does, and be repeated.`;

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
