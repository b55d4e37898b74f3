import { ALL_CASES } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { webhooksOf } from '../support/webhooks.js';
import { createWorker, ENCRYPTION_KEY, givenShop } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1' };
/** `npm run test:scale` measures so many events in each of its turns, and ten times as many cycles, which are as much faster. */
const MEASURED = Number(process.env.MEASURED_EVENTS ?? 0);
const BACKLOG = ALL_CASES || MEASURED > 0 ? 100_000 : 20_000;
const CYCLES = 10 * MEASURED;
const TURNS = 5;
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

/** Events that have their numbers, and are due at one endpoint only. */
async function givenBacklog(siteId: number, endpointId: number): Promise<void> {
  await database.query(
    `WITH happened AS (
       INSERT INTO outbox (site_id, scheduled_order_id, type, sequence)
       SELECT $1, n, 'scheduled_order.updated', nextval('outbox_sequence_seq') FROM generate_series(1, ${BACKLOG}) n
       RETURNING sequence, event_id, type, scheduled_order_id
     )
     INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, scheduled_order_id, next_attempt_utc)
     SELECT $1, $2, sequence, event_id, type, scheduled_order_id, now() FROM happened`,
    [siteId, endpointId],
  );
  await database.query(`UPDATE webhook_fan_out SET sequence = (SELECT max(sequence) FROM outbox)`);
  await database.query(`ANALYZE outbox, webhook_deliveries`);
}

it('An endpoint that is dead, with very many events, does not hold up another one, and nobody reads them', async () => {
  const receiver = await WebhookReceiver.start();
  const worker = createWorker(
    database,
    { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY },
    {},
    { outbound: { wholeMs: 4_000 } },
  );
  const { siteId, tokenAuth: token } = await webhooks.merchant();
  const dead = await webhooks.endpoint(api, token, `${receiver.url}/dead`);
  const alive = await webhooks.endpoint(api, token, `${receiver.url}/alive`, { RatePerSecond: 100 });
  receiver.always = (reply, { path }) => (path === '/hooks/dead' ? undefined : void reply.writeHead(204).end());
  await webhooks.happen(siteId, 1);
  await worker.drain();
  await givenBacklog(siteId, dead);
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

interface Turns {
  readonly alone: number[];
  readonly beside: number[];
}

/** The median of the turns' ratios: what else the machine does falls on both sides of a turn. */
function ratioOf({ alone, beside }: Turns): number {
  const ratios = beside.map((rate, turn) => rate / alone[turn]!).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)]!;
}

(MEASURED > 0 ? it : it.skip)(
  'Beside it another endpoint gets at least 95 % of its rate, and cycles are processed as fast',
  async () => {
    const receiver = await WebhookReceiver.start();
    const shop = await givenShop(database, { apiKey1: 'sandbox' });
    const { siteId, tokenAuth: token } = shop;
    const EventTypes = ['scheduled_order.updated'];
    const dead = await webhooks.endpoint(api, token, `${receiver.url}/dead`, { EventTypes, Status: 'Disabled' });
    await webhooks.endpoint(api, token, `${receiver.url}/alive`, { EventTypes, RatePerSecond: 100 });
    receiver.always = (reply, { path }) => (path === '/hooks/dead' ? undefined : void reply.writeHead(204).end());
    await givenBacklog(siteId, dead);
    const keys = { ENCRYPTION_KEY: `${ENCRYPTION_KEY},${TEST_ENCRYPTION_KEY}` };
    const worker = createWorker(database, { ...OPEN, ...keys });
    worker.worker.start();

    /** Events a second that the other one gets. */
    const events = async (): Promise<number> => {
      receiver.received.length = 0;
      await webhooks.happen(siteId, MEASURED);
      const arrived = () => receiver.at('/hooks/alive').length;
      await until(() => arrived() > 0);
      const [from, first] = [performance.now(), arrived()];
      await until(() => arrived() === MEASURED, 300_000);
      return ((MEASURED - first) * 1_000) / (performance.now() - from);
    };
    let times = 0;
    /** Cycles a second. */
    const cycles = async (): Promise<number> => {
      // Occurrences of their own: a payment names the second of its occurrence.
      await database.query(
        `UPDATE scheduled_orders SET next_occurrence_utc = now() - interval '1 hour' + $2 * interval '1 second' WHERE site_id = $1`,
        [siteId, ++times],
      );
      const from = performance.now();
      await worker.worker.tick();
      const left = `SELECT 1 FROM scheduled_orders o WHERE o.site_id = $1 AND o.next_occurrence_utc <= now()
        UNION ALL SELECT 1 FROM processing_cycles WHERE open LIMIT 1`;
      await until(async () => (await database.query(left, [siteId])).length === 0, 300_000);
      return (CYCLES * 1_000) / (performance.now() - from);
    };
    await shop.dueOrders(CYCLES, { nextOccurrenceUtc: new Date(Date.now() + 90 * 86_400_000) });
    const newTurns = (): Turns => ({ alone: [], beside: [] });
    const found = { events: newTurns(), cycles: newTurns() };
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [name, Status] of [
        ['alone', 'Disabled'],
        ['beside', 'Enabled'],
      ] as const) {
        const changed = await api.request('PUT', `/api/WebhookEndpoint/${dead}`, { token, body: { Status } });
        expect(changed.status).toBe(200);
        found.events[name].push(await events());
        found.cycles[name].push(await cycles());
      }
    }
    process.stderr.write(`${JSON.stringify(found)}\n`);
    await worker.end();
    await receiver.stop();
    expect((await webhooks.deliveries(dead)).filter(({ state }) => state === 'Waiting').length).toBeGreaterThan(
      BACKLOG * 0.9,
    );
    expect(ratioOf(found.events)).toBeGreaterThanOrEqual(0.95);
    // What a cycle takes has a wider spread.
    expect(ratioOf(found.cycles)).toBeGreaterThanOrEqual(0.8);
  },
  1_800_000,
);
