import { type Command, InvalidArgumentError } from 'commander';
import { stuckCycles } from '#libs/ledger';
import { upTo } from '../arguments.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

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
