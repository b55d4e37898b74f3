import { Vault } from '#libs/platform';
import { prepareDemo } from '../../../apps/cli/src/demo/demo-account.js';
import { fillDemo } from '../../../apps/cli/src/demo/fill-demo.js';
import { liveThroughYear } from '../../../apps/cli/src/demo/year/live.js';
import { TEST_ENCRYPTION_KEY, type TestApi } from '../api.js';
import type { TestDatabase } from '../database.js';
import { given } from '../given.js';
import { createWorker, startWorker, type TestWorker, type WorkerProcess } from '../worker.js';

/**
 * The demo as `npm start` makes it, in an empty database: what was due has been processed a while ago. The caller ends
 * the worker.
 */
export async function makeDemo(database: TestDatabase, api: TestApi): Promise<TestWorker> {
  const now = new Date();
  await prepareDemo(database.pool, now);
  await fillDemo(api.url, now);
  // What the examples of webhooks, differences and shops need: a visitor of the demo makes an endpoint first.
  await given(database).webhook(Vault.fromSetting(TEST_ENCRYPTION_KEY), 1);
  await given(database).difference(1);
  // Nobody calls it: it has asked for a pause.
  const shop = { receiver: 'WooCommerceRest', notBeforeUtc: new Date(Date.now() + 86_400_000) };
  await given(database).shop(Vault.fromSetting(TEST_ENCRYPTION_KEY), 1, shop);
  await given(database).insert('product_imports', { siteId: 1, state: 'Done' });
  const worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await worker.drain();
  // A while ago: a Process call is no repetition of it.
  await database.query(
    `UPDATE processing_cycles SET updated_utc = updated_utc - interval '1 minute' WHERE state = 'Completed'`,
  );
  return worker;
}

/**
 * The demo of `npm start` in an empty database, with the year of its simulated shop: 40 customers, 120 scheduled orders
 * (7 of them deleted), more than 1,500 Orders, and some of each trouble. It takes as long as with `npm start`, half a
 * minute on a busy machine. API and worker are whatever works on that database, with `TEST_ENCRYPTION_KEY`: `startApi`
 * or `useApi`, and `startYearWorker`, which must run until this has resolved. Log in as DEMO_EMAIL with DEMO_PASSWORD
 * (apps/cli/src/demo/demo-account.ts).
 * @returns the id of the simulated site. Its clock says now, as the demo was made.
 * @public for tests of the console.
 */
export async function makeDemoYear(database: TestDatabase, apiUrl: string): Promise<number> {
  const now = new Date();
  await prepareDemo(database.pool, now);
  const siteId = await fillDemo(apiUrl, now);
  await liveThroughYear(apiUrl, siteId);
  return siteId;
}

/**
 * A worker of the build, as a process of its own; `stopWorkers` ends it.
 * @public as makeDemoYear.
 */
export const startYearWorker = (database: TestDatabase): Promise<WorkerProcess> =>
  startWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
