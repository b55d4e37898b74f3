import type { Command } from 'commander';
import { id, upTo } from '../arguments.js';
import { goLive } from '../moving/go-live.js';
import { moving } from '../moving/moving.js';
import { printJson, remark } from '../output.js';
import { EXIT_DATA } from '../refusal.js';

interface Options {
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
    .action(async ({ site, batch, limit }: Options) => {
      const onBatch = (live: number) => remark(`${live} are live`);
      const result = await moving(site, (parts) => goLive(parts, { batch, limit, onBatch }));
      printJson(result);
      if (Object.keys(result.Held).length > 0) process.exitCode = EXIT_DATA;
    });
}
