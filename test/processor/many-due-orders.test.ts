import { readFileSync } from 'node:fs';
import { itInAllCases } from '../support/all-cases.js';
import { heapOf, measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';

/** `npm run test:scale` processes 100,000 of them. */
const MANY = Number(process.env.DUE_ORDERS ?? 8_000);
const HOUR_MS = 3_600_000;
/** By then everything has been needed once: code is compiled, caches and buffers are there. */
const WARM = MANY / 3;

describe('Very many due orders of one shop', () => {
  const database = useDatabase();
  afterAll(stopWorkers);

  const completedOf = async (siteId: number): Promise<number> => {
    const [row] = await database.query<{ count: string }>(
      `SELECT count(*) FROM processing_cycles WHERE site_id = $1 AND state = 'Completed'`,
      [siteId],
    );
    return Number(row!.count);
  };

  itInAllCases('delay the ten of another by a few batches, and need no more memory than some', async () => {
    const big = await givenShop(database);
    const small = await givenShop(database);
    const due = (hoursAgo: number) => {
      const at = new Date(Math.floor(Date.now() / 1000) * 1000 - hoursAgo * HOUR_MS);
      return { nextOccurrenceUtc: at, scheduleAnchorUtc: at };
    };
    await big.dueOrders(MANY, due(5));
    await small.dueOrders(10, due(1));
    await database.query('ANALYZE');

    const batch = 500;
    const worker = await startWorker(database, { CLAIM_BATCH: String(batch), ...heapOf(192) });
    await until(async () => (await completedOf(small.siteId)) === 10);
    const earlier = await database.query(
      `SELECT FROM processing_cycles WHERE site_id = $1 AND state = 'Completed'
         AND updated_utc < (SELECT max(updated_utc) FROM processing_cycles WHERE site_id = $2)`,
      [big.siteId, small.siteId],
    );
    expect(earlier.length).toBeLessThan(12 * batch);

    const megabytes = () => {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))!;
      return Number(kilobytes) / 1_024;
    };
    let warm = 0;
    let most = 0;
    await until(async () => {
      const completed = await completedOf(big.siteId);
      if (completed < WARM) warm = Math.max(warm, megabytes());
      else most = Math.max(most, megabytes());
      return completed === MANY;
    }, 240_000);
    expect(most).toBeLessThan(measured(warm + 100));
    await assertInvariants(database);
  });
});
