import { type Command, InvalidArgumentError } from 'commander';
import { id } from '../arguments.js';
import { moving } from '../moving/moving.js';
import { resolveHeld } from '../moving/resolve.js';
import { remark } from '../output.js';
import { person } from '../person.js';
import { Refusal } from '../refusal.js';

interface Options {
  readonly site: number;
  readonly orders: readonly number[];
  readonly moveOn?: true;
  readonly keepDate?: true;
}

const MOST = 10_000;

function idList(value: string): number[] {
  const all = [...new Set(value.split(',').map((one) => id(one.trim())))];
  if (all.length > MOST) throw new InvalidArgumentError(`It has more than ${MOST} ids.`);
  return all;
}

export function migrationResolveCommand(program: Command): void {
  program
    .command('migration:resolve')
    .description('stores your decision about subscriptions that migration:check holds as PaidSinceExport or DatePassed')
    .requiredOption('--site <id>', 'the site that the subscriptions were imported into', id)
    .requiredOption('--orders <ids>', 'their scheduled orders, separated by commas', idList)
    .option('--move-on', 'their next date is paid, or given up: it moves to the first one that is still to come')
    .option('--keep-date', 'their next date is not paid: if it has passed, it is charged when they go live')
    .addHelpText('after', '\nRun migration:check afterwards. How to decide: docs/moving-in.md.')
    .action(async ({ site, orders, moveOn, keepDate }: Options) => {
      if (moveOn === keepDate) throw new Refusal('Say either --move-on or --keep-date.');
      const decision = moveOn ? 'moveOn' : 'keepDate';
      const passedOver = await moving(site, (parts) => resolveHeld(parts, { ids: orders, decision, by: person() }));
      for (const [order, dates] of passedOver) {
        if (dates > 1) remark(`Scheduled order ${order} passed over ${dates} dates: the others have passed too.`);
      }
      remark(`${orders.length} decided: run migration:check again.`);
    });
}
