import { readFileSync } from 'node:fs';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { Shell, shellBlocks } from '../support/docs/shell.js';
import { given as givenIn } from '../support/given.js';
import { createWorker, type TestWorker } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

/** What the quick start defines for all examples. */
const definitions = (name: string) =>
  new RegExp(`^${name}\\(\\) \\{.*\\}$`, 'm').exec(readFileSync('docs/quick-start.md', 'utf8'))![0];

let worker: TestWorker;
let shell: Shell;
beforeAll(() => {
  worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
});
afterAll(async () => {
  shell.end();
  await worker.end();
});

/**
 * In each example, a comment says what its line shows: `# Completed`, or the beginning of it: `# 2000 PaymentFailed: …
 * …`.
 */
const commentsIn = (block: string) => [...block.matchAll(/ # (.+)$/gm)].map(([, words]) => words!.replace(/ …$/, ''));

it('every call of docs/after-a-charge.md works as it is shown, and shows what it says', async () => {
  const { tokenAuth, siteId } = await given.merchant();
  const customer = await given.customer(siteId);
  const product = await given.product(siteId);
  const body = { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox', TestMode: true };
  expect((await api.request('POST', '/api/PaymentIntegrations', { token: tokenAuth, body })).status).toBe(201);
  shell = new Shell({ API: api.url, TOKEN: tokenAuth, CUSTOMER: String(customer), PRODUCT: String(product) });
  await shell.run([definitions('field'), definitions('call')].join('\n'));
  for (const block of shellBlocks(readFileSync('docs/after-a-charge.md', 'utf8'))) {
    const shown = await shell.run(block);
    expect({ block, shown: shown.join('\n') }).not.toMatchObject({ shown: expect.stringContaining('was answered') });
    for (const [index, words] of commentsIn(block.replace(/^SINCE=.*$/m, '')).entries())
      expect({ block, shown: shown[index] }).toEqual({ block, shown: expect.stringContaining(words) });
    await worker.drain();
  }
  const changed = await database.query(`SELECT external_id FROM orders ORDER BY id`);
  expect(changed).toEqual([{ external_id: '98231' }, { external_id: null }]);
});
