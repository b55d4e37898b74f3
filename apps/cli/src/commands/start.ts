import type { Command } from 'commander';
import { readEnvironment } from '#libs/platform';
import { runEverything } from '../start/run-everything.js';

export function startCommand(program: Command): void {
  program
    .command('start')
    .description(
      'runs everything in one terminal, as `npm start` does: migrations, API, worker and, without DATABASE_URL, its own database with a demo shop',
    )
    .option(
      '--demo',
      'creates the demo shop also in the database that DATABASE_URL names, if it has no account yet',
      false,
    )
    .option(
      '--no-demo-year',
      'leaves the simulated demo shop empty; a later start without this option gives it its year',
    )
    .action(async ({ demo, demoYear }: { demo: boolean; demoYear: boolean }) => {
      process.exitCode = await runEverything(readEnvironment(), { demo, demoYear });
    });
}
