import { numberEvents, writeEvent } from '#libs/events';
import { processNow, readDeployment, skip } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { migrate } from '../../apps/cli/src/migrate/migrate.js';
import { ALL_CASES } from '../support/all-cases.js';
import { keepEvents, numberSome } from '../support/events/events.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import {
  adoptEarlier,
  createWorker,
  drainOnce,
  givenShop,
  startWorker,
  stopWorkers,
  workUntil,
} from '../support/worker.js';
import { request } from './request.js';
import { RestorableServer } from './restorable-server.js';

const HOUR = 3_600_000;
const server = new RestorableServer();

/** A database of the server with a shop at each gateway. */
async function install() {
  const one = await StripeStandIn.start();
  const two = await AuthorizeNetStandIn.start();
  const database = await server.newDatabase();
  const shopOne = await givenShop(database, { apiKey1: 'sk_test_restored' });
  const shopTwo = await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' });
  const env = () => ({
    GATEWAY_ONE_URL: one.url,
    GATEWAY_TWO_URL: two.url,
    DEPLOYMENT_ID: 'production',
    GATEWAY_TIMEOUT: 'PT2S',
  });
  const sql = <T>(text: string, ...values: unknown[]) => database.query<T>(text, values);
  return {
    ...{ one, two, database, shopOne, shopTwo, env, sql },

    /** What happens before the restore. */
    charge: async (): Promise<void> => {
      const worker = createWorker(database, env());
      await worker.drain();
      await worker.end();
    },
    drain: () => drainOnce(database, env()),

    /** Every order was charged once, at 12.50, and what was charged has its Order. */
    expectChargedOnce: async (orders: number): Promise<void> => {
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
    },

    /** The gateways forget what they were sent, and the orders have been due for as long. */
    aDayPasses: async (): Promise<void> => {
      one.forgetKeys();
      // Beyond the duplicate window, and not so far that the clocks count as wrong.
      two.advance(9 * HOUR);
      await sql(`UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc - interval '25 hours',
        schedule_anchor_utc = schedule_anchor_utc - interval '25 hours', created_utc = created_utc - interval '40 days'`);
    },
    anotherPrice: () => sql(`UPDATE scheduled_order_items SET price = 13`),

    /** Five due orders at each gateway. */
    tenDue: async (): Promise<void> => {
      await shopOne.dueOrders(5);
      await shopTwo.dueOrders(5);
    },
    end: () => Promise.all([one.stop(), two.stop()]),
  };
}
type Installation = Awaited<ReturnType<typeof install>>;

type Tests = Readonly<Record<string, (here: Installation) => Promise<void>>>;

/**
 * Runs the tests of a group at once: to stop the server, copy its folder and start it takes longer than all else that
 * they do.
 */
function together(first: Tests, inAllCases: Tests = {}): void {
  const tests = { ...first, ...(ALL_CASES ? inAllCases : {}) };
  let results: Promise<void>[] = [];
  const installations: Installation[] = [];
  beforeAll(async () => {
    for (const _ of Object.keys(tests)) installations.push(await install());
    results = server.together(Object.values(tests).map((test, index) => () => test(installations[index]!)));
    await Promise.allSettled(results);
  });
  afterAll(async () => {
    await stopWorkers();
    await server.forget();
    for (const installation of installations) await installation.end();
  });
  it.each(Object.keys(tests).map((name, index) => [name, index] as const))('%s', (_, index) => results[index]);
}

describe('A database that is restored in place', () => {
  beforeAll(() => server.make());
  afterAll(() => server.remove());

  const lateRestore = (meanwhile: 'aDayPasses' | 'anotherPrice') => async (here: Installation) => {
    const { one, two, charge, drain, expectChargedOnce, tenDue } = here;
    await charge();
    await tenDue();
    await server.backUp();
    await charge();
    expect(one.ledger.charges.length + two.ledger.charges.length).toBe(10);
    await server.restore(true);
    await here[meanwhile]();
    expect(await drain()).toMatch(/The database was restored or promoted/);
    await expectChargedOnce(10);
  };

  describe('with a recovery', () => {
    together(
      {
        'charges nobody again, a day later': lateRestore('aDayPasses'),

        async 'gives no number of an event again, so that no reader passes over one'(here) {
          const { database, env, sql, shopOne, charge } = here;
          const { siteId } = shopOne;
          await charge();
          await keepEvents(database, siteId);
          const write = (OrderId: number) =>
            database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: { OrderId } }));
          await write(1);
          await numberSome(database);
          await server.backUp();
          for (let order = 2; order < 6; order++) await write(order);
          const before = await readDeployment(database.pool, undefined);
          expect(await numberEvents(database.pool, before)).toMatchObject({ count: 4 });
          const [{ cursor }] = (await sql<{ cursor: string }>(`SELECT max(sequence) AS cursor FROM outbox`)) as [
            { cursor: string },
          ];
          await server.restore(true);
          await write(6);
          await expect(numberEvents(database.pool, before)).rejects.toMatchObject({ code: 'SO001' });
          const left = `SELECT count(*)::int AS left FROM outbox WHERE sequence IS NULL`;
          await workUntil(database, async () => (await sql<{ left: number }>(left))[0]!.left === 0, env());
          const after = await sql(`SELECT facts->'OrderId' AS order FROM outbox WHERE sequence > $1`, cursor);
          expect(after).toEqual([{ order: 6 }]);
        },

        async 'records what a Process charged that is lost, also for orders that are due only later'(here) {
          const { database, sql, shopOne, shopTwo, charge, drain, expectChargedOnce } = here;
          await charge();
          const later = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * 24 * HOUR);
          const values = { nextOccurrenceUtc: later, scheduleAnchorUtc: later };
          const ids = [await shopOne.dueOrder(values), await shopTwo.dueOrder(values)];
          await server.backUp();
          for (const id of ids) await request(database, id, processNow);
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
        },

        async 'gives no id again that lost commits gave away, and tells the shop of their charges'(here) {
          const { one, sql, shopOne, charge, drain } = here;
          await charge();
          await server.backUp();
          const [lost] = await shopOne.dueOrders(1);
          await charge();
          await server.restore(true);
          const output = await drain();
          expect(await shopOne.dueOrder()).toBeGreaterThan(lost! + 1_000);
          // Nobody can record the charge of an order that does not exist.
          expect(output).toMatch(/The gateway has a charge of a scheduled order that does not exist/);
          expect(
            await sql(
              `SELECT kind, state, scheduled_order_id::int AS id, gateway_transaction_id AS "transactionId", (theirs -> 'Amount')::int AS amount
               FROM payment_differences WHERE site_id = $1`,
              shopOne.siteId,
            ),
          ).toEqual(
            one.ledger.capturesOf(lost!).map(({ transactionId }) => {
              return { kind: 'ChargeWithoutCycle', state: 'Open', id: lost, transactionId, amount: 1250 };
            }),
          );
          expect(one.ledger.capturesOf(lost!)).toHaveLength(1);
        },

        async 'holds what cannot be told for a person, and charges the order no more until then'(here) {
          const { one, database, sql, shopOne, charge, drain } = here;
          await charge();
          const id = await shopOne.dueOrder();
          await server.backUp();
          await charge();
          await server.restore(true);
          // Its customer skips the occurrence before the restored database is compared with the gateway.
          await request(database, id, skip);
          await drain();
          await sql(`UPDATE scheduled_orders SET next_occurrence_utc = now()`);
          await drain();
          expect(one.ledger.capturesOf(id)).toHaveLength(1);
          expect(one.ledger.charges).toHaveLength(1);
          expect(await sql(`SELECT state, resolution FROM processing_cycles ORDER BY cycle`)).toEqual([
            { state: 'Skipped', resolution: null },
            { state: 'Unknown', resolution: 'NeedsReview' },
          ]);
        },
      },
      {
        'charges nobody again, at another price by now': lateRestore('anotherPrice'),

        async 'charges nobody again when the backup is older than the first worker'(here) {
          const { two, database, shopTwo, charge, drain, anotherPrice, expectChargedOnce } = here;
          await migrate(database.dataSource);
          await shopTwo.dueOrders(5);
          await server.backUp();
          await charge();
          expect(two.ledger.charges).toHaveLength(5);
          await server.restore(true);
          await anotherPrice();
          expect(await drain()).toMatch(/The database was restored or promoted/);
          await expectChargedOnce(5);
        },

        async 'is noticed also when it comes back while a worker looks at it'({ database, sql, charge, drain }) {
          await charge();
          await sql(`UPDATE deployment SET seen_utc = now() - interval '1 minute'`);
          await server.backUp();
          let isRestored = false;
          /** A worker whose first statement reached the database as it was, and whose next ones the restored one. */
          const inBetween: SqlExecutor = {
            execute: async (statement, values) => {
              const rows = await database.pool.execute<never>(statement, values);
              if (!isRestored) await server.restore(true);
              isRestored = true;
              return rows;
            },
          };
          await readDeployment(inBetween, 'production');
          expect(isRestored).toBe(true);
          expect(await drain()).toMatch(/The database was restored or promoted/);
        },
      },
    );
  });

  /**
   * Two orders that are overdue for longer than the gateways remember keys, and were charged once before the restore.
   */
  const forgotten = (after: (here: Installation) => unknown) => async (here: Installation) => {
    const { one, sql, shopOne, charge, drain, expectChargedOnce } = here;
    await charge();
    const overdue = new Date(Date.now() - 25 * HOUR);
    await shopOne.dueOrders(2, { nextOccurrenceUtc: overdue, scheduleAnchorUtc: overdue });
    await server.backUp();
    await charge();
    await server.restore(false);
    one.forgetKeys();
    await after(here);
    await drain();
    await sql(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE next_attempt_utc IS NOT NULL`);
    await drain();
    await expectChargedOnce(2);
  };

  describe('without a recovery, which nobody can notice', () => {
    together(
      {
        async 'charges nobody again when the gateways have forgotten: what is overdue for so long is looked up first'(
          here,
        ) {
          await here.charge();
          await here.tenDue();
          await server.backUp();
          await here.charge();
          await server.restore(false);
          await here.aDayPasses();
          await here.drain();
          await here.expectChargedOnce(10);
        },
      },
      {
        'nor when the look-up fails at first': forgotten(({ one }) =>
          one.faults.next('errorBefore', { times: 1, operation: 'lookUp' }),
        ),
        'nor when a worker dies before it could look': forgotten(async ({ database, env, sql }) => {
          const toDie = { ...env(), CLAIM_LEASE: 'PT1S', FAILPOINTS: 'after-freeze:kill' };
          const doomed = await startWorker(database, toDie, ['--once']);
          expect(await doomed.exited).toBe('SIGKILL');
          await until(
            async () => (await sql(`SELECT 1 FROM processing_cycles WHERE lease_until_utc > now()`)).length === 0,
          );
        }),

        async 'charges nobody again at another price, when it is adopted as documented'(here) {
          await here.charge();
          await here.tenDue();
          await server.backUp();
          await here.charge();
          await server.restore(false);
          await here.anotherPrice();
          await adoptEarlier(here.database, 'production');
          await here.drain();
          await here.expectChargedOnce(10);
        },
      },
    );
  });
});
