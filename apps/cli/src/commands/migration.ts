import { type Command, InvalidArgumentError } from 'commander';
import { id, upTo } from '../arguments.js';
import { checkMoved } from '../moving/check.js';
import { goLive } from '../moving/go-live.js';
import { moving } from '../moving/moving.js';
import { resolveHeld } from '../moving/resolve.js';
import { printJson, remark } from '../output.js';
import { person } from '../person.js';
import { EXIT_DATA, Refusal } from '../refusal.js';

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

interface ResolveOptions {
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
    .action(async ({ site, orders, moveOn, keepDate }: ResolveOptions) => {
      if (moveOn === keepDate) throw new Refusal('Say either --move-on or --keep-date.');
      const decision = moveOn ? 'moveOn' : 'keepDate';
      const missedDates = await moving(site, (parts) => resolveHeld(parts, { ids: orders, decision, by: person() }));
      for (const [order, dates] of missedDates) {
        if (dates > 1) remark(`Scheduled order ${order} passed over ${dates} dates: the others have passed too.`);
      }
      remark(`${orders.length} decided: run migration:check again.`);
    });
}

interface GoLiveOptions {
  readonly site: number;
  readonly batch: number;
  readonly limit: number;
}

const LARGEST_BATCH = 5_000;

export function migrationGoLiveCommand(program: Command): void {
  program
    .command('migration:go-live')
    .description(
      'makes the imported subscriptions Active that have passed migration:check; asks the gateways again before each batch',
    )
    .requiredOption('--site <id>', 'the site that the subscriptions were imported into', id)
    .option('--batch <number>', 'how many in one transaction', upTo(LARGEST_BATCH), 500)
    .option('--limit <number>', 'how many at most, for example to begin with a few', upTo(999_999_999), 999_999_999)
    .addHelpText(
      'after',
      '\nIt may be stopped and run again at any time. The order of steps: docs/moving-in.md. Exit code 65 when some were held.',
    )
    .action(async ({ site, batch, limit }: GoLiveOptions) => {
      const onBatch = (live: number) => remark(`${live} are live`);
      const result = await moving(site, (parts) => goLive(parts, { batch, limit, onBatch }));
      printJson(result);
      if (Object.keys(result.Held).length > 0) process.exitCode = EXIT_DATA;
    });
}
