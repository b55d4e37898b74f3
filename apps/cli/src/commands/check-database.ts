import type { Command } from 'commander';
import { checkReferences } from '../check/references.js';
import { withDatabase } from '../database.js';
import { printJson } from '../output.js';
import { Refusal } from '../refusal.js';

/** When a whole table is lost, nobody wants to read every row. */
const MOST_LISTED = 1_000;

const HELP = `
A line of JSON for each reference that leads nowhere (at most ${MOST_LISTED.toLocaleString('en')}), then one with how many rows of each table were read. The exit
code is 1 when there is any. It may run while the service does.`;

export function checkDatabaseCommand(program: Command): void {
  program
    .command('check:database')
    .description('proves that everything that rows refer to exists, also where the database does not check it')
    .addHelpText('after', HELP)
    .action(() =>
      withDatabase(async (database) => {
        let missing = 0;
        const rows = await checkReferences(database, (row) => {
          if (++missing <= MOST_LISTED) printJson(row);
        });
        printJson({ Rows: rows, Missing: missing });
        if (missing > 0) {
          throw new Refusal(
            `${missing} ${missing === 1 ? 'reference leads' : 'references lead'} to rows that do not exist: docs/operations.md says what to do (Checking the references).`,
          );
        }
      }),
    );
}
