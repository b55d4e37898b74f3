import { type Command, InvalidArgumentError } from 'commander';
import { id, instant } from '../arguments.js';
import { withDatabase } from '../database.js';
import { finishImport, sayRefused } from '../import/report.js';
import { COLUMNS, type NamedColumns } from '../import/subscriptions/column-names.js';
import { importSubscriptions } from '../import/subscriptions/import-subscriptions.js';
import { remark } from '../output.js';
import { Refusal } from '../refusal.js';

interface Options {
  readonly site: number;
  readonly exportedUtc: Date;
  readonly keepDiscounts?: boolean;
  readonly dryRun?: boolean;
  readonly column?: NamedColumns;
}

const CHANGED =
  'were imported before, and changed in the shop since then: left to a person (Manual), so they do not go live';
const LIVE_BUT_ENDED = 'are live, but not active in the shop any more: pause those that must not be charged';
const NOT_IN_FILE = 'were imported before, and are not in this file: look whether the shop still has them';

/** An option that may be repeated: each names the heading of one more column. */
function namedColumn(value: string, before: NamedColumns = new Map()): NamedColumns {
  const [, name, heading] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It is not a column and its heading, e.g. order_total=Total.');
  const column = name.trim().toLowerCase();
  if (!COLUMNS.includes(column)) {
    throw new InvalidArgumentError(`"${name}" is no column that is read. These are: ${COLUMNS.join(', ')}.`);
  }
  return new Map([...before, [column, heading!.trim()]]);
}

/** The result has all ids. */
const MOST_NAMED = 50;

function name(ids: readonly number[], what: string): void {
  if (ids.length === 0) return;
  const more = ids.length > MOST_NAMED ? ', …' : '';
  remark(`${ids.length} ${what}: scheduled orders ${ids.slice(0, MOST_NAMED).join(', ')}${more}`);
}

export function importSubscriptionsCommand(program: Command): void {
  program
    .command('import:subscriptions')
    .description(
      'imports a WooCommerce Subscriptions export into a site, paused; a second run adds only what is new, and leaves what has changed to a person',
    )
    .argument('<file>', 'the CSV file of the subscriptions exporter')
    .requiredOption('--site <id>', 'the site that the subscriptions belong to', id)
    .requiredOption(
      '--exported-utc <instant>',
      'when the file was exported, e.g. 2026-01-31T08:00:00Z: charges since then are looked for before going live',
      instant,
    )
    .option('--keep-discounts', 'recurring coupons stay in the prices for good, and do not ask for a person')
    .option(
      '--column <name=heading>',
      'the heading that a column has in this file, where it is not the exporter’s name for it; may be repeated',
      namedColumn,
    )
    .option('--dry-run', 'says what would be done, and writes nothing')
    .addHelpText('after', '\nThe whole way: docs/moving-in.md. Exit code 65: rows were refused.')
    .action(async (path: string, { site: siteId, exportedUtc, keepDiscounts, dryRun, column: columns }: Options) => {
      if (exportedUtc > new Date()) throw new Refusal(`--exported-utc ${exportedUtc.toISOString()} is in the future.`);
      await withDatabase(async (database) => {
        const request = { path, siteId, exportedUtc, keepDiscounts, columns, onRefused: sayRefused, dryRun };
        const result = await importSubscriptions(database, request);
        finishImport(result);
        const leftOut = Object.entries(result.LeftOut).map(([status, count]) => `${status} (${count})`);
        if (leftOut.length > 0) remark(`not imported, by status: ${leftOut.join(', ')}`);
        name(result.Changed, CHANGED);
        name(result.LiveButEnded, LIVE_BUT_ENDED);
        name(result.NotInFile, NOT_IN_FILE);
      });
    });
}
