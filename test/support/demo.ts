import { Vault } from '#libs/vault';
import { prepareDemo } from '../../apps/cli/src/demo/demo-account.js';
import { fillDemo } from '../../apps/cli/src/demo/fill-demo.js';
import { TEST_ENCRYPTION_KEY, type TestApi } from './api.js';
import type { TestDatabase } from './database.js';
import { given } from './given.js';
import { createWorker, type TestWorker } from './worker.js';

/** The demo as `npm start` makes it, in an empty database: what was due has been processed. The caller ends the worker. */
export async function makeDemo(database: TestDatabase, api: TestApi): Promise<TestWorker> {
  const now = new Date();
  await prepareDemo(database.pool, now);
  await fillDemo(api.url, now);
  // What the examples of webhooks need: a visitor of the demo makes an endpoint first.
  await given(database).webhook(Vault.fromSetting(TEST_ENCRYPTION_KEY), 1);
  const worker = createWorker(database, { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await worker.drain();
  return worker;
}
