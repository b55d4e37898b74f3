import { randomUUID } from 'node:crypto';

/** One server for the run, or the one that TEST_DATABASE_URL names. */
export default async function setup() {
  process.env.TEST_RUN_ID = randomUUID();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_SERVER_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  // The built one: Jest loads this file outside of its module system, and `npm test` builds first.
  const { startEphemeralDatabase } = await import(new URL('../../dist/libs/config/src/index.js', import.meta.url).href);
  globalThis.testPostgres = await startEphemeralDatabase();
  process.env.TEST_SERVER_URL = globalThis.testPostgres.url;
}
