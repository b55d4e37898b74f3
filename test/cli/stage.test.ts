import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileKind, stageFile } from '../../apps/cli/src/import/stage.js';
import { useDatabase } from '../support/database.js';

describe('Rows of an import, on their way into its table', () => {
  const database = useDatabase();
  const path = join(mkdtempSync(join(tmpdir(), 'stage-')), 'file.csv');
  writeFileSync(path, 'Name\nAda\nGrace\n');

  /** What the table has in the end. */
  const staged = (rowOf: (name: string | undefined, line: number) => object) =>
    database.pool.transaction(async (tx) => {
      const kind: FileKind = {
        name: 'list of names',
        required: ['Name'],
        prepare: async () => {
          await tx.execute(`CREATE TEMPORARY TABLE staged (line integer, "firstName" text) ON COMMIT DROP`);
          return (cells, line) => [rowOf(cells('Name'), line)];
        },
      };
      const counts = await stageFile(tx, path, kind, () => undefined);
      return { ...counts, rows: await tx.execute('SELECT line, "firstName" FROM staged ORDER BY line') };
    });

  it('are written by the names of its columns', async () => {
    expect(await staged((firstName, line) => ({ line, firstName }))).toEqual({
      read: 2,
      refused: 0,
      rows: [
        { line: 2, firstName: 'Ada' },
        { line: 3, firstName: 'Grace' },
      ],
    });
  });

  it('end it where a field has another name than its column, which would be lost without a word', async () => {
    const misspelt = staged((fristName, line) => ({ line, fristName }));
    await expect(misspelt).rejects.toThrow('the field "fristName", and the table "staged" has no such column.');
  });
});
