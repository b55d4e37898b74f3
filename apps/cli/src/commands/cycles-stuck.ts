import { type Command, InvalidArgumentError } from 'commander';
import { stuckCycles } from '#libs/cycles';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';

const STATES = ['Unknown', 'Waiting', 'Retrying', 'Claimed', 'Charging'];
const LARGEST_LIST = 1_000_000;

function state(value: string): string {
  const known = STATES.find((name) => name.toLowerCase() === value.toLowerCase());
  if (known === undefined) throw new InvalidArgumentError(`It is not one of ${STATES.join(', ')}.`);
  return known;
}

function limit(value: string): number {
  const number = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > LARGEST_LIST)
    throw new InvalidArgumentError(`It is not a number from 1 to ${LARGEST_LIST}.`);
  return number;
}

export function cyclesStuckCommand(program: Command): void {
  program
    .command('cycles:stuck')
    .description('lists waiting cycles with their reasons: one line of JSON each, the longest due first')
    .option('--state <state>', `only those in this state: ${STATES.join(', ')}`, state)
    .option('--limit <number>', 'how many at most', limit, 1_000)
    .action(async (options: { readonly state?: string; readonly limit: number }) => {
      await withDatabase(async (database) => {
        for (const cycle of await stuckCycles(database, options)) printJson(cycle);
      });
    });
}
