import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { until } from '../support/until.js';
import { drainOnce, startWorker, stopWorkers } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1', ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
const EVENTS = 60;
const database = useDatabase();
const api = useApi(database, OPEN);
const webhooks = webhooksOf(database);
let receiver: WebhookReceiver;
beforeEach(async () => (receiver = await WebhookReceiver.start()));
afterEach(async () => {
  await stopWorkers();
  await receiver.stop();
});

/** What a dead worker has leased is due at once: nobody waits a minute in a test. */
const endLeases = () =>
  database.query(`WITH due AS (UPDATE webhook_deliveries SET next_attempt_utc = now() WHERE next_attempt_utc > now() RETURNING webhook_endpoint_id)
    UPDATE webhook_endpoints SET next_due_utc = now() WHERE id IN (SELECT webhook_endpoint_id FROM due)`);

describe('Workers that are killed again and again', () => {
  itInAllCases('lose nothing: every event arrives, more often only under the same id with the same bytes', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { RatePerSecond: 100 });
    await webhooks.happen(siteId, EVENTS);
    // Each dies after it was answered and before it has written that down.
    for (const time of ALL_CASES ? [1, 4, 9] : [1, 9]) {
      const { exited } = await startWorker(database, { ...OPEN, FAILPOINTS: `after-webhook:kill@${time}` }, ['--once']);
      expect(await exited).toBe('SIGKILL');
      await endLeases();
    }
    for (let rounds = 0; rounds < (ALL_CASES ? 3 : 1); rounds++) {
      const worker = await startWorker(database, OPEN);
      const before = receiver.received.length;
      await until(async () => receiver.received.length > before + 5 || (await isDone(id)));
      worker.kill('SIGKILL');
      await worker.exited;
      await endLeases();
    }
    await drainOnce(database, OPEN);
    expect(await isDone(id)).toBe(true);
    const sent = await webhooks.deliveries(id);
    expect(sent).toHaveLength(EVENTS);
    const bodies = new Map<string, Set<string>>();
    for (const one of receiver.received) bodies.set(one.id, (bodies.get(one.id) ?? new Set()).add(one.body));
    expect([...bodies.keys()].sort()).toEqual(sent.map((one) => `evt_${one.event_id}`).sort());
    expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
    // It must have happened, else the test shows nothing.
    expect(receiver.received.length).toBeGreaterThan(EVENTS);
  });

  const isDone = async (id: number) => {
    const made = await webhooks.deliveries(id);
    return made.length === EVENTS && made.every(({ state }) => state === 'Delivered');
  };
});

describe('A worker', () => {
  itInAllCases(
    'is woken by a commit, tells what it sends in its metrics, and is not ready while it cannot send',
    async () => {
      const { siteId, tokenAuth: token } = await webhooks.merchant();
      await webhooks.endpoint(api, token, receiver.url);
      // It looks by itself once a year only.
      const worker = await startWorker(database, { ...OPEN, PROCESSOR_CRON: '0 0 1 1 *' });
      expect((await fetch(`${worker.url}/health/ready`)).status).toBe(200);
      await webhooks.happen(siteId, 1);
      await until(() => receiver.received.length === 1);
      const metrics = () => fetch(`${worker.url}/metrics`).then((answer) => answer.text());
      await until(async () => (await metrics()).includes('scheduled_orders_webhooks_delivered_total 1'));
      for (const name of ['waiting', 'waiting_age_seconds', 'breakers_open', 'endpoints_disabled'])
        expect(await metrics()).toMatch(new RegExp(`^scheduled_orders_webhooks_${name} 0$`, 'm'));
      for (const name of ['failed_total', 'exhausted_total'])
        expect(await metrics()).toContain(`scheduled_orders_webhooks_${name} 0`);
      await database.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
      );
      await database.query(
        `CREATE TRIGGER refuse BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
      const ready = () => fetch(`${worker.url}/health/ready`);
      try {
        await webhooks.happen(siteId, 1);
        const refused = await until(async () => {
          const answer = await ready();
          return answer.status === 503 && answer;
        });
        expect(await refused.json()).toMatchObject({ reason: 'Webhooks could not be sent.' });
      } finally {
        await database.query(`DROP FUNCTION refuse CASCADE`);
      }
      await until(async () => (await ready()).status === 200);
      expect(worker.output()).not.toContain('DeprecationWarning');
    },
  );

  it('without the role sends nothing', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    await webhooks.endpoint(api, token, receiver.url);
    await webhooks.happen(siteId, 1);
    await drainOnce(database, { ...OPEN, WORKER_ROLES: 'processor' });
    expect(receiver.received).toEqual([]);
    await drainOnce(database, { ...OPEN, WORKER_ROLES: 'dispatcher' });
    expect(receiver.received).toHaveLength(1);
  });
});
