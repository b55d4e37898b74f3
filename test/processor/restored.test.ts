import { adoptDeployment, processNow, readDeployment, skip } from '#libs/cycles';
import type { SqlExecutor } from '#libs/database';
import { numberEvents, writeEvent } from '#libs/outbox';
import { migrate } from '../../apps/cli/src/migrate/migrate.js';
import { keepEvents, numberSome } from '../support/events.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { createWorker, drainOnce, type GivenShop, givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { request } from './request.js';
import { RestorableServer } from './restorable-server.js';

const HOUR = 3_600_000;

describe('A database that is restored in place', () => {
  const server = new RestorableServer();
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let shopOne: GivenShop;
  let shopTwo: GivenShop;

  beforeAll(() => server.make());
  afterAll(() => server.remove());

  /** The database is backed up with five due orders at each gateway, after a worker has been at work. */
  beforeEach(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    await server.newDatabase();
    shopOne = await givenShop(server.database, { apiKey1: 'sk_test_restored' });
    shopTwo = await givenShop(server.database, {
      type: 'GatewayTwo',
      apiAccount: 'login',
      apiKey1: 'key4567890123456',
    });
    await charge();
  });
  afterEach(async () => {
    await stopWorkers();
    await server.dropDatabase();
    await one.stop();
    await two.stop();
  });

  const env = () => ({
    GATEWAY_ONE_URL: one.url,
    GATEWAY_TWO_URL: two.url,
    DEPLOYMENT_ID: 'production',
    GATEWAY_TIMEOUT: 'PT2S',
  });
  /** What happens before the restore. */
  async function charge(): Promise<void> {
    const worker = createWorker(server.database, env());
    await worker.drain();
    await worker.end();
  }
  const drain = () => drainOnce(server.database, env());

  const sql = <T>(text: string, ...values: unknown[]) => server.database.query<T>(text, values);

  /** Every order was charged once, at 12.50, and what was charged has its Order. */
  async function expectChargedOnce(orders: number): Promise<void> {
    expect([...one.ledger.doubles(), ...two.ledger.doubles()]).toEqual([]);
    const charges = [...one.ledger.charges, ...two.ledger.charges];
    expect(charges).toHaveLength(orders);
    const recorded = await sql<{ transaction: string }>(
      `SELECT c.gateway_transaction_id AS transaction FROM processing_cycles c
       JOIN orders o ON o.id = c.order_id AND o.total = 12.5 WHERE c.state = 'Completed'`,
    );
    expect(recorded.map(({ transaction }) => transaction).sort()).toEqual(
      charges.map(({ transactionId }) => transactionId).sort(),
    );
    expect(await sql(`SELECT count(*)::int AS open FROM processing_cycles WHERE open`)).toEqual([{ open: 0 }]);
  }

  /** The gateways forget what they were sent, and the orders have been due for as long. */
  async function aDayPasses(): Promise<void> {
    one.forgetKeys();
    // Beyond the duplicate window, and not so far that the clocks count as wrong.
    two.advance(9 * HOUR);
    await sql(`UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc - interval '25 hours',
      schedule_anchor_utc = schedule_anchor_utc - interval '25 hours', created_utc = created_utc - interval '40 days'`);
  }
  const anotherPrice = () => sql(`UPDATE scheduled_order_items SET price = 13`);

  describe('with a recovery', () => {
    it.each([
      ['a day later', aDayPasses],
      ['at another price by now', anotherPrice],
    ])('charges nobody again, %s', async (_, meanwhile) => {
      await shopOne.dueOrders(5);
      await shopTwo.dueOrders(5);
      await server.backUp();
      await charge();
      expect(one.ledger.charges.length + two.ledger.charges.length).toBe(10);
      await server.restore(true);
      await meanwhile();
      expect(await drain()).toMatch(/The database was restored or promoted/);
      await expectChargedOnce(10);
    });

    it('charges nobody again when the backup is older than the first worker', async () => {
      await server.dropDatabase();
      await server.newDatabase();
      await migrate(server.database.dataSource);
      const shop = await givenShop(server.database, {
        type: 'GatewayTwo',
        apiAccount: 'login',
        apiKey1: 'key4567890123456',
      });
      await shop.dueOrders(5);
      await server.backUp();
      await charge();
      expect(two.ledger.charges).toHaveLength(5);
      await server.restore(true);
      await anotherPrice();
      expect(await drain()).toMatch(/The database was restored or promoted/);
      await expectChargedOnce(5);
    });

    it('gives no number of an event again, so that no reader passes over one', async () => {
      const { siteId } = shopOne;
      await keepEvents(server.database, siteId);
      const write = (OrderId: number) =>
        server.database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: { OrderId } }));
      await write(1);
      await numberSome(server.database);
      await server.backUp();
      for (let order = 2; order < 6; order++) await write(order);
      const before = await readDeployment(server.database.pool, undefined);
      expect(await numberEvents(server.database.pool, before)).toMatchObject({ count: 4 });
      const [{ cursor }] = (await sql<{ cursor: string }>(`SELECT max(sequence) AS cursor FROM outbox`)) as [
        { cursor: string },
      ];
      await server.restore(true);
      await write(6);
      await expect(numberEvents(server.database.pool, before)).rejects.toMatchObject({ code: 'SO001' });
      const worker = createWorker(server.database, env());
      try {
        worker.worker.start();
        const left = `SELECT count(*)::int AS left FROM outbox WHERE sequence IS NULL`;
        await until(async () => (await sql<{ left: number }>(left))[0]!.left === 0);
      } finally {
        await worker.end();
      }
      const after = await sql(`SELECT facts->'OrderId' AS order FROM outbox WHERE sequence > $1`, cursor);
      expect(after).toEqual([{ order: 6 }]);
    });

    it('is noticed also when it comes back while a worker looks at it', async () => {
      await sql(`UPDATE deployment SET seen_utc = now() - interval '1 minute'`);
      await server.backUp();
      let isRestored = false;
      /** A worker whose first statement reached the database as it was, and whose next ones the restored one. */
      const inBetween: SqlExecutor = {
        execute: async (statement, values) => {
          const rows = await server.database.pool.execute<never>(statement, values);
          if (!isRestored) await server.restore(true);
          isRestored = true;
          return rows;
        },
      };
      await readDeployment(inBetween, 'production');
      expect(isRestored).toBe(true);
      expect(await drain()).toMatch(/The database was restored or promoted/);
    });

    it('records what a Process charged that is lost, also for orders that are due only later', async () => {
      const later = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * 24 * HOUR);
      const values = { nextOccurrenceUtc: later, scheduleAnchorUtc: later };
      const ids = [await shopOne.dueOrder(values), await shopTwo.dueOrder(values)];
      await server.backUp();
      for (const id of ids) await request(server.database, id, processNow);
      await charge();
      await server.restore(true);
      await drain();
      await expectChargedOnce(2);
      const orders = await sql<{ next_occurrence_utc: Date; cycles: string }>(
        `SELECT next_occurrence_utc, cycles FROM scheduled_orders ORDER BY id`,
      );
      // Charged in place of the next occurrence: the one after it is next.
      for (const order of orders) {
        expect(order.cycles).toBe('1');
        expect(order.next_occurrence_utc.getTime()).toBeGreaterThan(later.getTime());
      }
    });

    it('gives no id again that lost commits gave away', async () => {
      await server.backUp();
      const [lost] = await shopOne.dueOrders(1);
      await charge();
      await server.restore(true);
      const output = await drain();
      expect(await shopOne.dueOrder()).toBeGreaterThan(lost! + 1_000);
      // Nobody can record the charge of an order that does not exist.
      expect(output).toMatch(/The gateway has a charge of a scheduled order that does not exist/);
    });

    it('holds what cannot be told for a person, and charges the order no more until then', async () => {
      const id = await shopOne.dueOrder();
      await server.backUp();
      await charge();
      await server.restore(true);
      // Its customer skips the occurrence before the restored database is compared with the gateway.
      await request(server.database, id, skip);
      await drain();
      await sql(`UPDATE scheduled_orders SET next_occurrence_utc = now()`);
      await drain();
      expect(one.ledger.of(id)).toHaveLength(1);
      expect(one.ledger.charges).toHaveLength(1);
      expect(await sql(`SELECT state, resolution FROM processing_cycles ORDER BY cycle`)).toEqual([
        { state: 'Skipped', resolution: null },
        { state: 'Unknown', resolution: 'Held' },
      ]);
    });
  });

  describe('without a recovery, which nobody can notice', () => {
    it('charges nobody again when the gateways have forgotten: what is overdue for so long is looked up first', async () => {
      await shopOne.dueOrders(5);
      await shopTwo.dueOrders(5);
      await server.backUp();
      await charge();
      await server.restore(false);
      await aDayPasses();
      await drain();
      await expectChargedOnce(10);
    });

    it.each(['the look-up fails at first', 'a worker dies before it could look'])('nor when %s', async (what) => {
      const overdue = new Date(Date.now() - 25 * HOUR);
      await shopOne.dueOrders(2, { nextOccurrenceUtc: overdue, scheduleAnchorUtc: overdue });
      await server.backUp();
      await charge();
      await server.restore(false);
      one.forgetKeys();
      if (what.includes('dies')) {
        const toDie = { ...env(), CLAIM_LEASE: 'PT1S', FAILPOINTS: 'after-freeze:kill' };
        const doomed = await startWorker(server.database, toDie, ['--once']);
        expect(await doomed.exited).toBe('SIGKILL');
        await until(
          async () => (await sql(`SELECT 1 FROM processing_cycles WHERE lease_until_utc > now()`)).length === 0,
        );
      } else one.faults.next('errorBefore', { times: 1, operation: 'lookUp' });
      await drain();
      await sql(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE next_attempt_utc IS NOT NULL`);
      await drain();
      await expectChargedOnce(2);
    });

    it('charges nobody again at another price, when it is adopted as documented', async () => {
      await shopOne.dueOrders(5);
      await shopTwo.dueOrders(5);
      await server.backUp();
      await charge();
      await server.restore(false);
      await anotherPrice();
      await adoptDeployment(server.database.pool, 'production');
      await drain();
      await expectChargedOnce(10);
    });
  });
});
