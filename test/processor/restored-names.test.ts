import { processNow, skip } from '#libs/ledger';
import { ALL_CASES } from '../support/all-cases.js';
import { cloneDatabase, copyOf, dropDatabase, type TestDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, type Fault, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { adoptEarlier, drainOnce, givenShop } from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORDERS = 5;

interface Scenario {
  readonly type: 'GatewayOne' | 'GatewayTwo';
  /** After the Process, whose commit the restore loses. */
  readonly laterMs: number;
  /** What one charge meets after the restore: nothing is charged by it. */
  readonly fault?: Fault;
}

type Row = [what: string, Scenario];

describe('A restored database whose numbers of cycles have drifted from what the gateway was sent', () => {
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let original: TestDatabase;
  let restored: TestDatabase;

  beforeEach(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    original = await cloneDatabase();
  });
  afterEach(async () => {
    for (const database of [original, restored]) await dropDatabase(database);
    await one.stop();
    await two.stop();
  });

  const drain = (database: TestDatabase) =>
    drainOnce(database, { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT2S' });

  /** As `pg_dump` and `pg_restore` make it: the same rows in another database. */
  async function backUp(): Promise<void> {
    restored = await copyOf(original);
  }

  /** The next occurrence is due at `dueUtc`. */
  const nextIsDue = (ids: readonly number[], dueUtc: Date) =>
    restored.query(
      `UPDATE scheduled_orders SET next_occurrence_utc = $2,
         schedule_anchor_utc = schedule_anchor_utc - (next_occurrence_utc - $2::timestamptz) WHERE id = ANY ($1)`,
      [ids, dueUtc],
    );

  /**
   * Every wait of a cycle is over at once, but for what may still be under way at the gateway; what was given up is
   * processed by request.
   */
  const complete = (ids: readonly number[], cycles: number) =>
    until(async () => {
      for (const id of ids) {
        await readers(restored).comeDue(id);
        if ((await readers(restored).statesOf(id)).at(-1) === 'Failed') await request(restored, id, processNow);
      }
      await drain(restored);
      const [completed] = await restored.query(
        `SELECT FROM scheduled_orders WHERE id = ANY ($1) HAVING min(cycles) = $2`,
        [ids, cycles],
      );
      return completed !== undefined;
    });

  const ROWS: Row[] = [
    ['GatewayOne, which still knows the keys', { type: 'GatewayOne', laterMs: 20 * HOUR_MS }],
    ['GatewayTwo, within its duplicate window', { type: 'GatewayTwo', laterMs: 6 * HOUR_MS }],
    [
      'GatewayOne a month later, which answers 500 and charges nothing',
      { type: 'GatewayOne', laterMs: 30 * DAY_MS, fault: 'errorBefore' },
    ],
    [
      'GatewayTwo after 26 hours, when a connection is reset',
      { type: 'GatewayTwo', laterMs: 26 * HOUR_MS, fault: 'resetBefore' },
    ],
  ];

  it.each(ALL_CASES ? ROWS : [ROWS[0]!, ROWS[3]!])(
    'gets an own payment for each Order, and an Order for each payment: %s',
    async (_, scenario) => {
      const { type, laterMs, fault } = scenario;
      const gateway = type === 'GatewayOne' ? one : two;
      const books = gateway.ledger;
      const shop = await givenShop(original, {
        type,
        apiAccount: type === 'GatewayTwo' ? 'login' : null,
        apiKey1: type === 'GatewayOne' ? 'sk_test_names' : 'key4567890123456',
      });
      await drain(original);
      const second = Math.floor(Date.now() / 1_000) * 1_000;
      const processedUtc = new Date(second - laterMs);
      const next = new Date(second + HOUR_MS);
      const ids = await shop.dueOrders(ORDERS, {
        frequencyType: 'Days',
        frequency: 30,
        nextOccurrenceUtc: next,
        scheduleAnchorUtc: next,
        createdUtc: new Date(second - 60 * DAY_MS),
      });
      await backUp();

      // The commits that the restore loses: cycle 1 is skipped, and cycle 2 is charged, by the gateway's clock of then.
      gateway.dateHeader = new Date().toUTCString();
      gateway.clockAheadMs = -laterMs;
      for (const id of ids) {
        await request(original, id, skip);
        await request(original, id, (tx, order) => processNow(tx, order, processedUtc, true));
      }
      await drain(original);
      gateway.clockAheadMs = 0;
      gateway.dateHeader = 'right';
      expect(books.charges).toHaveLength(ORDERS);
      expect(await readers(original).statesOf(ids[0]!)).toEqual(['Skipped', 'Completed']);

      await restored.query(`UPDATE deployment SET seen_utc = $1`, [new Date(processedUtc.getTime() - HOUR_MS)]);
      await adoptEarlier(restored);
      await drain(restored);
      for (const id of ids) expect(await readers(restored).statesOf(id)).toEqual(['Completed']);
      expect(books.charges).toHaveLength(ORDERS);

      for (const occurrence of [2, 3]) {
        if (fault && occurrence === 2) gateway.faults.next(fault);
        // In different seconds, as occurrences are.
        await nextIsDue(ids, new Date(second - (3 - occurrence) * 60_000));
        await complete(ids, occurrence);
        await assertInvariants(restored, books);
      }
      expect(books.doubles()).toEqual([]);
      const orders = await restored.query<{ transaction: string }>(
        `SELECT gateway_transaction_id AS transaction FROM orders ORDER BY 1`,
      );
      expect(orders.map(({ transaction }) => transaction)).toEqual(
        books.charges.map(({ transactionId }) => transactionId).sort(),
      );
      expect(books.charges).toHaveLength(3 * ORDERS);
    },
  );
});
