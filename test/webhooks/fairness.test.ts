import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { webhooksOf } from '../support/webhooks.js';
import { createWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1' };
const BACKLOG = 100_000;
const database = useDatabase();
const api = useApi(database, OPEN);
const webhooks = webhooksOf(database);

/** Rows of the deliveries' table that statements have read so far. */
async function rowsRead(): Promise<number> {
  await database.query(`SELECT pg_stat_force_next_flush()`);
  const [row] = await database.query<{ read: string }>(
    `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_all_tables WHERE relname = 'webhook_deliveries'`,
  );
  return Number(row!.read);
}

it('An endpoint that is dead, with 100,000 events, does not hold up another one, and nobody reads them', async () => {
  const receiver = await WebhookReceiver.start();
  const worker = createWorker(
    database,
    { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY },
    {},
    { outbound: { wholeMs: 300 } },
  );
  const { siteId, tokenAuth: token } = await webhooks.merchant();
  const dead = await webhooks.endpoint(api, token, `${receiver.url}/dead`);
  const alive = await webhooks.endpoint(api, token, `${receiver.url}/alive`, { RatePerSecond: 100 });
  receiver.always = (reply, { path }) => (path === '/hooks/dead' ? undefined : void reply.writeHead(204).end());
  await webhooks.happen(siteId, 1);
  await worker.drain();
  await database.query(
    `INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, next_attempt_utc)
     SELECT $1, $2, 1000000 + n, uuid_v7(), 'scheduled_order.updated', 77, now() FROM generate_series(1, ${BACKLOG}) n`,
    [siteId, dead],
  );
  await database.query(`ANALYZE webhook_deliveries`);
  await database.query(
    `UPDATE webhook_endpoints SET failures = 5, failing_since_utc = now(), next_due_utc = now() WHERE id = $1`,
    [dead],
  );
  const before = await rowsRead();
  for (let round = 0; round < 5; round++) {
    await webhooks.happen(siteId, 10);
    await worker.drain();
  }
  expect(receiver.at('/hooks/alive')).toHaveLength(51);
  expect((await webhooks.deliveries(alive)).every(({ state }) => state === 'Delivered')).toBe(true);
  await worker.end();
  await receiver.stop();
  // Statistics of a connection are complete when it has ended. Some rows for each of the fifty, and none of the backlog.
  expect((await rowsRead()) - before).toBeLessThan(2_000);
});
