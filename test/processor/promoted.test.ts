import { openDataSource } from '#libs/entities';
import { processNow } from '#libs/ledger';
import { type EphemeralDatabase, startEphemeralDatabase } from '#libs/platform';
import { itInAllCases } from '../support/all-cases.js';
import type { TestDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { poolOf } from '../support/postgres/pool-of.js';
import { canMakeStandby, type Standby, standbyOf } from '../support/postgres/standby.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { request } from './request.js';

const DAY_MS = 24 * 3_600_000;
const STANDING = `SELECT json_agg(json_build_array(id, next_occurrence_utc) ORDER BY id) AS orders FROM scheduled_orders`;

(canMakeStandby ? describe : describe.skip)('A standby that is promoted without the last commits', () => {
  let primary: EphemeralDatabase;
  let standby: Standby;
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  const database = {} as TestDatabase;

  async function connect(url: string): Promise<void> {
    const dataSource = await openDataSource({ url });
    Object.assign(database, { url, dataSource, pool: poolOf(dataSource), query: dataSource.query.bind(dataSource) });
  }

  beforeAll(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    primary = await startEphemeralDatabase({ wal_level: 'replica', max_wal_senders: '4' });
    await connect(primary.url);
    await database.dataSource.runMigrations();
    standby = await standbyOf(primary);
  });
  afterAll(async () => {
    await stopWorkers();
    await database.dataSource.destroy();
    await primary.stop();
    await standby.stop();
    await one.stop();
    await two.stop();
  });

  itInAllCases(
    'is charged from for nothing that the gateways have already: its worker records that instead',
    async () => {
      const shops = [
        await givenShop(database, { apiKey1: 'sk_test_promoted' }),
        await givenShop(database, { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' }),
      ];
      const env = { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT2S' };
      expect(await (await startWorker(database, env, ['--once'])).exited).toBe(0);
      const later = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 20 * DAY_MS);
      const due: number[] = [];
      const onlyLater: number[] = [];
      for (const shop of shops) {
        due.push(...(await shop.dueOrders(5)));
        onlyLater.push(...(await shop.dueOrders(2, { nextOccurrenceUtc: later, scheduleAnchorUtc: later })));
      }
      const ids = [...due, ...onlyLater];
      const replica = await openDataSource({ url: standby.url });
      const [here] = await database.query(STANDING);
      await until(async () => {
        const [there] = await replica.query<object[]>(STANDING);
        return JSON.stringify(there) === JSON.stringify(here);
      });
      await replica.destroy();
      await standby.cutOff();

      const { username, password, pathname, host } = new URL(primary.url);
      const both = `postgres://${username}:${password}@${new URL(standby.url).host},${host}${pathname}?target_session_attrs=primary`;
      const worker = await startWorker({ url: both }, { ...env, PROCESSOR_CRON: '* * * * * *' });
      for (const id of onlyLater) await request(database, id, processNow);
      const charges = () => [...one.ledger.charges, ...two.ledger.charges];
      await until(async () => {
        const [row] = await database.query<{ open: number }>(`SELECT count(*)::int AS open FROM orders`);
        return row!.open === ids.length;
      });
      expect(charges()).toHaveLength(ids.length);

      await database.dataSource.destroy();
      await primary.stop();
      one.forgetKeys();
      two.forgetDuplicates(Infinity, new Set());
      await standby.promote();
      await connect(standby.url);
      expect(await database.query(`SELECT 1 FROM orders`)).toEqual([]);
      await until(async () => (await database.query(`SELECT 1 FROM orders`)).length === ids.length);
      const recorded = await database.query<{ transaction: string }>(
        `SELECT c.gateway_transaction_id AS transaction FROM processing_cycles c JOIN orders o ON o.id = c.order_id WHERE c.state = 'Completed'`,
      );
      expect(recorded.map(({ transaction }) => transaction).sort()).toEqual(
        charges()
          .map(({ transactionId }) => transactionId)
          .sort(),
      );
      // A line is written after its commit.
      const recordedNow = () => worker.output().match(/A charge was not in the ledger: it is recorded now/g) ?? [];
      await until(() => recordedNow().length >= ids.length);
      expect(recordedNow()).toHaveLength(ids.length);

      // It goes on: what is due now is charged, and nothing else.
      const next = await shops[0]!.dueOrder();
      await until(
        async () => (await database.query(`SELECT 1 FROM orders WHERE scheduled_order_id = $1`, [next])).length === 1,
      );
      expect(charges()).toHaveLength(ids.length + 1);
      await assertInvariants(database);
    },
  );
});
