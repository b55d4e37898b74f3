import { itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, startWorker, stopWorkers, workUntil } from '../support/worker.js';
import { readers } from './readers.js';

const BACKLOG = 1_000;
const BATCH = 10;
/**
 * How much longer each claim of new cycles takes: the backlog lasts for seconds on any machine, and with few orders.
 */
const CLAIM_SECONDS = 0.05;

describe('A round that works off the long backlog of one shop', () => {
  const database = useDatabase();
  const { statesOf } = readers(database);

  itInAllCases(
    'sees to what another shop has to retry, and to what a dead worker left, when their time comes',
    async () => {
      const gateway = await StripeStandIn.start();
      const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_BATCH: String(BATCH) };
      const worker = createWorker(database, env);
      const big = await givenShop(database);
      const small = await givenShop(database, { apiKey1: 'sk_test_small' });
      const [retried, orphan] = [await small.dueOrder({ paymentMethodId: 'pm_declined' }), await small.dueOrder()];
      await database.query(
        `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, worker, lease_until_utc, order_id)
       SELECT site_id, id, 1, 'Claimed', true, next_occurrence_utc, 'dead', now() + interval '1 hour', nextval('orders_id_seq')
       FROM scheduled_orders WHERE id = $1`,
        [orphan],
      );
      await worker.drain();
      await worker.end();
      expect(await statesOf(retried)).toEqual(['Retrying']);
      await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = $1`, [retried]);
      await big.dueOrders(BACKLOG);
      await database.query(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(${CLAIM_SECONDS}); RETURN NULL; END $$`);
      await database.query(
        `CREATE TRIGGER dawdle BEFORE INSERT ON processing_cycles FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`,
      );
      const successor = createWorker(database, env);
      await database.query(
        `UPDATE processing_cycles SET lease_until_utc = now() + interval '1 second' WHERE open AND worker = 'dead'`,
      );
      await database.query(
        `UPDATE processing_cycles SET next_attempt_utc = now() + interval '1 second' WHERE scheduled_order_id = $1`,
        [retried],
      );
      await successor.drain();
      for (const [name, id] of Object.entries({ retried, orphan })) {
        expect(await statesOf(id)).toEqual(['Completed']);
        const [row] = await database.query<{ left: number }>(
          `SELECT count(*)::int AS left FROM processing_cycles seen JOIN processing_cycles big ON big.site_id = $2 AND big.updated_utc > seen.updated_utc
         WHERE seen.scheduled_order_id = $1`,
          [id, big.siteId],
        );
        expect([name, row!.left > BACKLOG / 4]).toEqual([name, true]);
      }
      expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId).sort()).toEqual([retried, orphan]);
      // The backlog is the sandbox's, which keeps no books.
      await assertInvariants(database);
      await successor.end();
      await gateway.stop();
    },
  );
});

describe('Orders that are due', () => {
  const database = useDatabase();
  const { statesOf } = readers(database);
  const never = '0 0 0 1 1 *';
  let gateway: StripeStandIn;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
  });
  afterEach(stopWorkers);
  afterAll(() => gateway.stop());

  async function allDone(): Promise<void> {
    await until(async () => {
      const [row] = await database.query<{ left: number }>(
        `SELECT count(*)::int AS left FROM scheduled_orders WHERE next_occurrence_utc <= now()`,
      );
      return row!.left === 0;
    });
    await assertInvariants(database, gateway.ledger);
  }

  itInAllCases(
    'are taken up as soon as half of what may be in hand is done, although no single shop has filled its window',
    async () => {
      gateway.latencyMs = 500;
      for (let shop = 0; shop < 12; shop++)
        await (await givenShop(database, { apiKey1: `sk_test_shop_${shop}` })).dueOrders(25);
      const env = { GATEWAY_ONE_URL: gateway.url, CLAIM_BATCH: '10', PROCESSOR_CRON: never };
      const worker = await startWorker(database, env); // at most 200 in hand
      await allDone();
      worker.kill('SIGTERM');
      expect(await worker.exited).toBe(0);
    },
  );

  it('are looked for again soon after they could not be claimed', async () => {
    gateway.latencyMs = 0;
    await (await givenShop(database, { apiKey1: 'sk_test_locked' })).dueOrder();
    const other = database.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('LOCK TABLE processing_cycles IN SHARE MODE');
    const worker = await startWorker(database, { GATEWAY_ONE_URL: gateway.url, PROCESSOR_CRON: never });
    await until(() => worker.output().includes('Due orders could not be claimed.'));
    await other.commitTransaction();
    await other.release();
    await allDone();
  });

  it('are looked for when the time of a retry comes, whatever the round that claimed them knew of it', async () => {
    gateway.latencyMs = 300;
    const id = await (
      await givenShop(database, { apiKey1: 'sk_test_retry' })
    ).dueOrder({ paymentMethodId: 'pm_declined' });
    const env = { GATEWAY_ONE_URL: gateway.url, PAYMENT_RETRY_SCHEDULE: 'PT2S' };
    await workUntil(database, async () => (await statesOf(id))[0] === 'Failed', env);
  });
});
