import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { makeDemoYear, startYearWorker } from '../support/demo.js';
import { stopWorkers } from '../support/worker.js';

jest.setTimeout(180_000);
const database = useDatabase();
afterAll(async () => {
  await stopWorkers();
  endApis();
});

it('x', async () => {
  const api = startApi({ DATABASE_URL: database.url });
  const url = await api.url();
  await startYearWorker(database);
  const started = performance.now();
  const siteId = await makeDemoYear(database, url);
  console.log(siteId, performance.now() - started);
  console.log(await database.query(`SELECT state, count(*) FROM processing_cycles WHERE site_id = $1 GROUP BY 1`, [siteId]));
});
