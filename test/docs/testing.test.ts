import { readFileSync } from 'node:fs';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Shell, shellBlocks } from '../support/docs/shell.js';
import { given as givenIn } from '../support/given.js';
import { createWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

/** What the README's tour defines for all examples. */
const definitions = (name: string) =>
  new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(readFileSync('README.md', 'utf8'))![0];

const said = (block: string) => [...block.matchAll(/ # (.+)$/gm)].map(([, words]) => words!);

it('every call of docs/testing.md works as it is shown, and shows what it says', async () => {
  const { tokenAuth, siteId } = await given.merchant();
  await given.product(siteId);
  const shell = new Shell({ API: api.url, TOKEN: tokenAuth, SITE: String(siteId) });
  const worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await shell.run([definitions('field'), definitions('call')].join('\n'));
  const blocks = shellBlocks(readFileSync('docs/testing.md', 'utf8'));
  let count = 0;
  for (const block of blocks) {
    const shown = await shell.run(block);
    expect({ block, shown: shown.join('\n') }).not.toMatchObject({ shown: expect.stringContaining('was answered') });
    // What a line with a comment shows stands behind what the lines before it show.
    for (const words of said(block)) {
      expect({ block, shown: shown.join('\n') }).toEqual({ block, shown: expect.stringContaining(words.trim()) });
      count += 1;
    }
    await worker.drain();
  }
  shell.end();
  await worker.end();
  expect(count).toBeGreaterThanOrEqual(13);
});
