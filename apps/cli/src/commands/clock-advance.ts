import { type Command, InvalidArgumentError } from 'commander';
import { advanceClock, assertReady, assertSayable, lockClock } from '#libs/ledger';
import { Conflict } from '#libs/records';
import { addPeriod, isPeriod, Rejected } from '#libs/rules';
import { id } from '../arguments.js';
import { withDatabase } from '../database.js';
import { remark } from '../output.js';
import { Refusal } from '../refusal.js';

interface Options {
  readonly site: number;
  readonly by: string;
}

function period(value: string): string {
  if (!isPeriod(value)) throw new InvalidArgumentError('It is not an ISO 8601 duration such as P3M, P10D or PT1H.');
  return value;
}

export function clockAdvanceCommand(program: Command): void {
  program
    .command('clock:advance')
    .description('moves the clock of a simulated site on: workers process everything that falls due on the way')
    .requiredOption('--site <id>', 'the simulated site', id)
    .requiredOption('--by <duration>', 'how far: P3M, P10D, PT1H', period)
    .action(async ({ site, by }: Options) => {
      await withDatabase(async (database) => {
        const target = await database.transaction(async (tx) => {
          const clock = await lockClock(tx, site);
          if (clock === null) throw new Refusal(`Site ${site} has no test clock.`);
          try {
            assertReady(clock);
            const to = addPeriod(clock.nowUtc, by, '--by');
            assertSayable(to, '--by');
            await advanceClock(tx, clock, to);
            return to;
          } catch (error) {
            if (error instanceof Conflict || error instanceof Rejected) throw new Refusal(error.message);
            throw error;
          }
        });
        remark(`The clock of site ${site} goes on to ${target.toISOString()}: a worker leads it now.`);
      });
    });
}
