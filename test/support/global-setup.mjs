import { randomUUID } from 'node:crypto';
import { startPostgres } from './postgres.mjs';

/** One server for the run, or the one that TEST_DATABASE_URL names. */
export default async function setup() {
  process.env.TEST_RUN_ID = randomUUID();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_SERVER_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  globalThis.testPostgres = await startPostgres();
  process.env.TEST_SERVER_URL = globalThis.testPostgres.url;
}
