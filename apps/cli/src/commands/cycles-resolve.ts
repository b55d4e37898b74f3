import type { Command } from 'commander';
import { resolveCycle } from '#libs/ledger';
import { Conflict, NotFound } from '#libs/records';
import { id, text } from '../arguments.js';
import { withDatabase } from '../database.js';
import { remark } from '../output.js';
import { person } from '../person.js';
import { Refusal } from '../refusal.js';

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
