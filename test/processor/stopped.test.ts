import { becomeActive, becomeInactive, deleteOrders } from '#libs/ledger';
import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { Network } from '../support/postgres/network.js';
import { until } from '../support/until.js';
import { givenShop, startWorker, stopWorkers } from '../support/worker.js';
import { givenFrozenInLine } from './frozen-in-line.js';
import { readers } from './readers.js';
import { request } from './request.js';

const LISTENER = 'scheduled-orders-listen';
const LISTENS = `SELECT 1 FROM pg_stat_activity
  WHERE application_name LIKE $1 || '%' AND datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN %'`;

const GATEWAYS = {
  GatewayOne: { keys: { apiKey1: 'sk_test_stopped' }, standIn: StripeStandIn, setting: 'GATEWAY_ONE_URL' },
  GatewayTwo: {
    keys: { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' },
    standIn: AuthorizeNetStandIn,
    setting: 'GATEWAY_TWO_URL',
  },
} as const;

describe.each(ALL_CASES ? (['GatewayOne', 'GatewayTwo'] as const) : (['GatewayOne'] as const))(
  'An order whose charge is frozen and waits for its turn at %s',
  (type) => {
    const { keys, standIn, setting } = GATEWAYS[type];
    const database = useDatabase();
    const { cycleOf, orderOf, eventsOf, errorsOf } = readers(database);
    let gateway: StripeStandIn | AuthorizeNetStandIn;
    let network: Network;
    let id: number;

    beforeAll(async () => {
      gateway = await standIn.start();
      network = await Network.before(database);
      await startWorker(network, {
        [setting]: gateway.url,
        GATEWAY_CONCURRENCY: '2',
        GATEWAY_TIMEOUT: 'PT5M',
        PROCESSOR_CRON: '* * * * * *',
      });
    });
    afterAll(async () => {
      await stopWorkers();
      await network.stop();
      await gateway.stop();
    });

    beforeEach(async () => {
      const shop = await givenShop(database, keys);
      const first = await shop.dueOrder();
      await until(async () => (await cycleOf(first))?.state === 'Completed');
      id = await givenFrozenInLine(database, gateway, shop);
    });
    afterEach(async () => {
      await until(async () => (await database.query(`SELECT 1 FROM processing_cycles WHERE open`)).length === 0);
      await assertInvariants(database, gateway.ledger);
    });

    /** Its turn comes when a stop keeps everything from being sent: a second after it was answered. */
    async function itsTurnComes(): Promise<void> {
      await until(async () => {
        const [row] = await database.query<{ over: boolean }>(
          `SELECT stopped_utc < clock_timestamp() - interval '1 second' AS over FROM processing_cycles WHERE scheduled_order_id = $1`,
          [id],
        );
        return row!.over;
      });
      gateway.letGo();
      await until(async () => (await cycleOf(id)).state === 'Failed');
    }
    const pause = () => request(database, id, (tx, order, now) => becomeInactive(tx, order, 'Paused', now));
    const resume = () => request(database, id, becomeActive);

    it('is not charged when it is paused: its cycle ends, and nothing failed', async () => {
      await pause();
      await itsTurnComes();
      expect(await cycleOf(id)).toMatchObject({
        attempt: '0',
        failure_code: null,
        failure_message: null,
        retries_exhausted: false,
      });
      const { status, next_occurrence_utc } = await orderOf(id);
      expect(status).toBe('Paused');
      expect(next_occurrence_utc.getTime()).toBeGreaterThan(Date.now());
      expect(await eventsOf(id)).toEqual([]);
      expect(await errorsOf(id)).toEqual([]);
      expect(gateway.ledger.capturesOf(id)).toEqual([]);
    });

    it('is not charged when it is paused while the worker does not hear of it, but listens again in time', async () => {
      network.refused = LISTENER;
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE $1 || '%' AND datname = current_database()`,
        [LISTENER],
      );
      await until(() => network.refusals > 0);
      await pause();
      network.refused = null;
      await until(async () => (await database.query(LISTENS, [LISTENER])).length > 0);
      await itsTurnComes();
      expect(gateway.ledger.capturesOf(id)).toEqual([]);
    });

    it('is not charged when it is deleted', async () => {
      await request(database, id, async (tx) => {
        await deleteOrders(tx, [id]);
        return { deletedUtc: new Date() };
      });
      await itsTurnComes();
      expect(gateway.ledger.capturesOf(id)).toEqual([]);
    });

    it('is not charged either when it is active again by then: it waits for its next occurrence', async () => {
      await pause();
      await resume();
      await itsTurnComes();
      const { status, next_occurrence_utc } = await orderOf(id);
      expect(status).toBe('Active');
      expect(next_occurrence_utc.getTime()).toBeGreaterThan(Date.now() + 60_000);
      expect(await cycleOf(id)).toMatchObject({ next_attempt_utc: null, failure_code: null, retries_exhausted: false });
      expect(gateway.ledger.capturesOf(id)).toEqual([]);
      expect(await eventsOf(id)).toEqual([]);
    });
  },
);
