import { Registry } from 'prom-client';
import { createLogger, loadSettings } from '#libs/platform';
import { CLAIM_DELIVERIES, lockDueEndpoints } from '../../apps/worker/src/dispatcher/deliveries.sql.js';
import { DispatchMetrics } from '../../apps/worker/src/dispatcher/dispatch-metrics.js';
import { fanOut } from '../../apps/worker/src/dispatcher/fan-out.js';
import { InFlight } from '../../apps/worker/src/dispatcher/in-flight.js';
import { expiredDeliveries } from '../../apps/worker/src/housekeeping/expired-deliveries.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { answers, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { until } from '../support/until.js';
import { createWorker, drainOnce, knownDatabase, type TestWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const database = useDatabase();
const api = useApi(database, OPEN);
const webhooks = webhooksOf(database);
let receiver: WebhookReceiver;
let worker: TestWorker;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  worker = createWorker(
    database,
    { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY },
    {},
    { outbound: { wholeMs: 2_000 } },
  );
});
afterEach(async () => {
  await worker.end();
  await receiver.stop();
});

async function given(values: object = {}) {
  const { siteId, tokenAuth: token } = await webhooks.merchant();
  return { siteId, token, id: await webhooks.endpoint(api, token, receiver.url, values) };
}

it('An endpoint that nobody looks at although deliveries wait gets them', async () => {
  const { siteId, id } = await given();
  receiver.next.push(answers(500));
  await webhooks.happen(siteId, 1);
  await worker.drain();
  await webhooks.comeDue(id);
  await database.query(`UPDATE webhook_endpoints SET next_due_utc = NULL WHERE id = $1`, [id]);
  const other = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  await other.drain();
  await other.end();
  expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Delivered', tries: '2' }]);
});

it('A claim sees what was committed before it had the lock', async () => {
  const { siteId, id } = await given();
  await database.query(`UPDATE webhook_endpoints SET next_due_utc = now() WHERE id = $1`, [id]);
  const known = await knownDatabase(database);
  const claimed = await database.pool.transaction(async (tx) => {
    const due = await lockDueEndpoints(tx, known, 100, new InFlight().full);
    expect(due.map(({ endpointId }) => endpointId)).toContain(id);
    await database.query(
      `INSERT INTO webhook_deliveries (site_id, webhook_endpoint_id, sequence, event_id, event_type, next_attempt_utc)
       VALUES ($1, $2, 1000000, uuid_v7(), 'scheduled_order.updated', now() - interval '1 minute')`,
      [siteId, id],
    );
    return tx.execute<{ webhookEndpointId: number }>(CLAIM_DELIVERIES, [[id], [10]]);
  });
  expect(claimed).toMatchObject([{ webhookEndpointId: id }]);
  expect((await webhooks.row(id)).next_due_utc).not.toBeNull();
});

it.each([
  ['2 minutes', true],
  ['30 seconds', false],
])('An endpoint that is awake, and was written %s ago, is written with new deliveries: %s', async (ago, isWritten) => {
  const { siteId, id } = await given();
  await webhooks.happen(siteId, 1);
  await database.query(`UPDATE outbox SET sequence = f.sequence + 1 FROM webhook_fan_out f WHERE site_id = $1`, [
    siteId,
  ]);
  // Without the trigger that stamps.
  await database.pool.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = replica`);
    await tx.execute(
      `UPDATE webhook_endpoints SET next_due_utc = now() - interval '1 second', written_utc = now() - $2::interval WHERE id = $1`,
      [id, ago],
    );
  });
  await fanOut(database.pool);
  expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Waiting' }]);
  const rows = await database.query(
    `SELECT written_utc > now() - interval '20 seconds' AS "isWritten" FROM webhook_endpoints WHERE id = $1`,
    [id],
  );
  expect(rows).toEqual([{ isWritten }]);
});

it('What waits behind an expired delivery of the same order is sent', async () => {
  const { siteId, id } = await given({ Ordered: true });
  receiver.next.push(answers(500));
  await webhooks.happen(siteId, 3);
  await worker.drain();
  expect(receiver.received).toHaveLength(1);
  const [head] = await webhooks.deliveries(id);
  await database.query(`DELETE FROM outbox WHERE sequence = $1`, [head!.sequence]);
  const expired = expiredDeliveries(
    database.pool,
    createLogger(
      'worker',
      loadSettings({ DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, LOG_LEVEL: 'silent' }),
    ),
  );
  await expired.run();
  expect(await webhooks.deliveries(id)).toHaveLength(2);
  await database.query(
    `UPDATE webhook_endpoints SET next_due_utc = greatest(next_due_utc, now()), not_before_utc = NULL`,
  );
  await worker.drain();
  expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Delivered' }, { state: 'Delivered' }]);
});

it('A delivery whose event is no longer kept is given up, and is no failure of its endpoint', async () => {
  const { siteId, id } = await given();
  await database.query(`UPDATE webhook_endpoints SET not_before_utc = now() + interval '1 hour' WHERE id = $1`, [id]);
  await webhooks.happen(siteId, 1);
  await worker.drain();
  await database.query(`DELETE FROM outbox`);
  await webhooks.comeDue(id);
  await worker.drain();
  expect(await webhooks.deliveries(id)).toMatchObject([
    { state: 'Exhausted', tries: '0', attempts: [{ Status: null, Error: 'The event is no longer kept.' }] },
  ]);
  expect(await webhooks.row(id)).toMatchObject({ failures: '0', failing_since_utc: null });
});

it('An endpoint whose secret cannot be decrypted is left alone for a while, and no try is used up', async () => {
  const { siteId, id } = await given();
  await database.query(`UPDATE webhook_endpoints SET secret = secret || 'AAAA' WHERE id = $1`, [id]);
  await webhooks.happen(siteId, 1);
  await worker.drain();
  expect(receiver.received).toEqual([]);
  expect(await webhooks.deliveries(id)).toMatchObject([
    {
      state: 'Waiting',
      tries: '0',
      attempts: [{ Status: null, Error: expect.stringContaining('cannot be decrypted') }],
    },
  ]);
  const row = await webhooks.row(id);
  expect(row).toMatchObject({ failures: '0' });
  expect(Number(row.held_seconds)).toBeGreaterThan(800);
});

it('A Retry-After is not shortened by the failures after it', async () => {
  const { siteId, id } = await given();
  receiver.next.push(answers(503, { 'retry-after': '86400' }));
  receiver.always = answers(500);
  await webhooks.happen(siteId, 8);
  await worker.drain();
  const row = await webhooks.row(id);
  expect(Number(row.failures)).toBeGreaterThanOrEqual(5);
  expect(Number(row.held_seconds)).toBeGreaterThan(86_000);
});

it('A new Url starts afresh, and a breaker has its first probe after 10 seconds', async () => {
  const { siteId, id, token } = await given();
  receiver.always = answers(500);
  await webhooks.happen(siteId, 8);
  await worker.drain();
  await webhooks.comeDue(id);
  await worker.drain();
  expect(Number((await webhooks.row(id)).held_seconds)).toBeLessThan(15);
  receiver.always = answers(204);
  const body = { Url: `${receiver.url}/new` };
  expect((await api.request('PUT', `/api/WebhookEndpoint/${id}`, { token, body })).status).toBe(200);
  expect(await webhooks.row(id)).toMatchObject({ failures: '0', failing_since_utc: null, not_before_utc: null });
});

it('A test within the overlap of a rotation is signed with both secrets', async () => {
  const { id, token } = await given();
  const post = (what: string) => api.request('POST', `/api/WebhookEndpoint/${id}/${what}`, { token, body: {} });
  expect((await post('RotateSecret')).status).toBe(200);
  expect((await post('Test')).status).toBe(200);
  expect(receiver.received[0]!.signature.split(' ')).toHaveLength(2);
});

it('The gauges leave out what waits at an endpoint that is disabled', async () => {
  const { siteId, id } = await given();
  await database.query(`UPDATE webhook_endpoints SET not_before_utc = now() + interval '1 hour' WHERE id = $1`, [id]);
  await webhooks.happen(siteId, 2);
  await worker.drain();
  const registry = new Registry();
  const metrics = new DispatchMetrics(database.pool, new InFlight(), registry);
  const waiting = async () => {
    await metrics.read();
    return registry.getSingleMetricAsString('scheduled_orders_webhooks_waiting');
  };
  await database.query(`UPDATE webhook_endpoints SET status = 'Disabled' WHERE id <> $1`, [id]);
  expect(await waiting()).toMatch(/waiting 2$/);
  await database.query(`UPDATE webhook_endpoints SET status = 'Disabled' WHERE id = $1`, [id]);
  expect(await waiting()).toMatch(/waiting 0$/);
});

/** Those of other tests are none of its business. */
const forgetOthers = () => database.query(`UPDATE webhook_endpoints SET status = 'Disabled', next_due_utc = NULL`);

it('The metrics count what fails and is given up, and show breakers, disabled endpoints and the age of what waits', async () => {
  await forgetOthers();
  const { siteId, token, id } = await given();
  await webhooks.endpoint(api, token, `${receiver.url}/gone`);
  const metrics = async (names: readonly string[]) => {
    const text = await worker.metrics();
    return names.map((name) => Number(new RegExp(`^scheduled_orders_webhooks_${name} (.*)$`, 'm').exec(text)?.[1]));
  };
  const names = ['delivered_total', 'failed_total', 'exhausted_total', 'breakers_open', 'endpoints_disabled'];
  const [, , , , disabled] = await metrics(names);
  receiver.always = (reply, received) => answers(received.path === '/hooks/gone' ? 410 : 500)(reply, received);
  await webhooks.happen(siteId, 6);
  await worker.drain();
  const failed = receiver.received.length;
  expect(failed).toBeGreaterThan(6);
  expect(await metrics(names)).toEqual([0, failed, 0, 1, disabled! + 1]);
  await database.query(
    `UPDATE webhook_deliveries SET tries = 9, created_utc = now() - interval '1 hour' WHERE webhook_endpoint_id = $1`,
    [id],
  );
  await webhooks.comeDue(id);
  await worker.drain();
  expect(await metrics(names)).toEqual([0, failed + 1, 1, 1, disabled! + 1]);
  const [waiting, age] = await metrics(['waiting', 'waiting_age_seconds']);
  expect(waiting).toBeGreaterThan(0);
  expect(age).toBeGreaterThanOrEqual(3_600);
});

it.each([
  [410, 'A webhook endpoint answered 410 (Gone): it is disabled.'],
  [500, 'Nothing could be delivered to a webhook endpoint for 5 days: it is disabled.'],
])('An endpoint that is disabled after %i is told of in the log and in a gauge', async (status, sentence) => {
  const { siteId, id } = await given();
  await database.query(
    `UPDATE webhook_endpoints SET failures = 4, failing_since_utc = now() - interval '5 days' WHERE id = $1`,
    [id],
  );
  const registry = new Registry();
  const metrics = new DispatchMetrics(database.pool, new InFlight(), registry);
  const disabled = async () => {
    await metrics.read();
    const { values } = (await registry.getSingleMetric('scheduled_orders_webhooks_endpoints_disabled')!.get()) as {
      values: { value: number }[];
    };
    return values[0]!.value;
  };
  const before = await disabled();
  receiver.always = answers(status);
  await webhooks.happen(siteId, 1);
  const log = await drainOnce(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  expect(log.split('\n').filter((line) => line.includes(sentence))).toEqual([
    expect.stringMatching(new RegExp(`\\b${id}\\b`)),
  ]);
  expect(await disabled()).toBe(before + 1);
});

it('Events are sent also when nothing is heard of their commits, behind a transaction-mode pooler', async () => {
  await forgetOthers();
  const { siteId } = await given();
  const deaf = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, DATABASE_POOLER: 'transaction' });
  try {
    await deaf.start();
    for (let events = 1; events <= 2; events++) {
      await webhooks.happen(siteId, 1);
      await until(() => receiver.received.length === events);
    }
  } finally {
    await deaf.end();
  }
});

describe('Places', () => {
  const forEver = new Promise<void>(() => undefined);
  /** `count` endpoints of an account, each with as much due as it may have. */
  const due = (account: number, count: number, lane: 'quick' | 'slow' = 'quick') =>
    Array.from({ length: count }, (_, n) => ({ endpointId: 10 * account + n, account, lane }));
  /** Sends as much as there is room for. @returns how many deliveries of each endpoint. */
  function fill(inFlight: InFlight, places: ReturnType<typeof due>, sending = forEver): number[] {
    const room = inFlight.room(places);
    for (const [n, place] of places.entries())
      for (let count = 0; count < room[n]!; count++) inFlight.add(place, sending);
    return room;
  }

  it('are half for one account, with ten for an endpoint; a tenth for each other, and for itself, once half are taken', () => {
    const inFlight = new InFlight();
    expect(fill(inFlight, due(1, 5))).toEqual([10, 10, 10, 10, 0]);
    expect(fill(inFlight, due(2, 2))).toEqual([8, 0]);
    expect(inFlight.full).toEqual({ endpoints: [10, 11, 12, 13], slowEndpoints: [], quick: [1, 2], slow: [] });
    for (const account of [3, 4, 5, 6]) expect(fill(inFlight, due(account, 1))).toEqual([8]);
    expect(fill(inFlight, due(7, 1))).toEqual([0]);
    expect(inFlight.full).toMatchObject({ quick: null, slow: [] });
  });

  it('of the other lane are not taken by it', () => {
    const inFlight = new InFlight();
    expect(fill(inFlight, [...due(1, 3, 'slow'), ...due(2, 1, 'slow')])).toEqual([10, 10, 0, 4]);
    expect(inFlight.full).toMatchObject({ quick: [], slow: [1, 2] });
    expect(['quick', 'slow'].map((lane) => inFlight.count(lane as 'quick'))).toEqual([0, 24]);
    // An endpoint has ten in both together.
    expect(fill(inFlight, [...due(1, 3), ...due(2, 1)])).toEqual([0, 0, 10, 6]);
  });

  it('are free again after the answer', async () => {
    const inFlight = new InFlight();
    fill(inFlight, due(1, 4), Promise.resolve());
    await inFlight.ended();
    expect(fill(inFlight, due(2, 4))).toEqual([10, 10, 10, 10]);
  });

  it('are those for slow endpoints after an answer that took more than a second, until one that did not', () => {
    const inFlight = new InFlight();
    for (const [id, ms] of [
      [1, 1_001],
      [2, 1_000],
      [3, 15_000],
    ] as const)
      inFlight.answered(id, ms);
    expect(inFlight.full.slowEndpoints).toEqual([1, 3]);
    inFlight.answered(1, 1_000);
    expect(inFlight.full.slowEndpoints).toEqual([3]);
    for (let id = 4; id <= 1_003; id++) inFlight.answered(id, 2_000);
    expect([inFlight.full.slowEndpoints.length, inFlight.full.slowEndpoints[0]]).toEqual([1_000, 4]);
  });
});
