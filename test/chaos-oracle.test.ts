import { checkLedger, type Find } from './chaos/check.js';
import { type BooksParts, checkBooks } from './chaos/check-books.js';
import { checkRequests } from './chaos/check-requests.js';
import { checkStopped } from './chaos/check-stopped.js';
import { type Asked, Diary, type Wanted } from './chaos/diary.js';
import { readFirst } from './chaos/shops.js';
import { Tally } from './chaos/tally.js';
import type { Lost } from './chaos/windows.js';
import { useDatabase } from './support/database.js';
import { StripeStandIn } from './support/gateways/index.js';
import { type Capture, ChargeLedger } from './support/gateways/ledger.js';
import { assertInvariants } from './support/invariants.js';
import { createWorker, givenShop } from './support/worker.js';

const ACCOUNT = 'sk_test_oracle';
const HOUR_MS = 3_600_000;

/** A world in which all is right: an order that was charged once, and recorded. Then one thing is planted that must not be. */
describe('The oracle of the chaos runs', () => {
  const database = useDatabase();
  let [id, paid, books, diary, parts, lost]: [number, Capture, Capture[], Diary, BooksParts, Lost[]] = [] as never;
  let stalledMs = 0;

  beforeEach(async () => {
    await database.query(`TRUNCATE sites, scheduled_orders, processing_cycles, orders, event_logs, error_logs CASCADE`);
    const gateway = await StripeStandIn.start();
    const shop = await givenShop(database, { apiKey1: ACCOUNT });
    id = await shop.dueOrder();
    const first = await readFirst(database);
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await worker.drain();
    await worker.end();
    await gateway.stop();
    [paid] = gateway.ledger.charges as [Capture];
    [books, diary, lost, stalledMs] = [[paid], new Diary(), [], 0];
    const known = { ...shop, type: 'GatewayOne' as const, account: ACCOUNT, key: '', orderIds: [id], rates: [] };
    const items = new Map([[id, [{ id: 1, price: '12.50', quantity: 1 }]]]);
    parts = {
      captures: books,
      shopOf: new Map([[id, { ...known, items }]]),
      first,
      diary,
      lost,
      stalledMs: () => stalledMs,
      clockAheadMs: () => [0],
      find: () => undefined,
    };
  });

  async function found(): Promise<string[]> {
    const findings: string[] = [];
    const find: Find = (kind, _, what) => findings.push(`${kind}: ${what.replace(/\S*\d\S*/g, '#')}`);
    await checkLedger(database, books, find);
    checkBooks({ ...parts, find });
    await checkRequests(database, books, { ...parts, find });
    await checkStopped(database, { ...parts, reasons: new Tally(), find });
    return findings;
  }

  const firstMs = () => parts.first.get(id)!.dueMs;
  const asked = (what: string, answer: Partial<Asked>, wanted: Wanted = {}) =>
    Object.assign(diary.begin(id, what, wanted), {
      status: 200,
      endedMs: Date.now(),
      answeredMs: Date.now(),
      ...answer,
    });
  const unanswered = { status: 0, answeredMs: null };
  /** Another charge of the order. */
  const plant = (dueMs: number, but: Partial<Capture> = {}) => {
    const dueUtc = new Date(Math.floor(dueMs / 1_000) * 1_000).toISOString();
    const number = { cycle: books.length + 1 } as object;
    books.push({ ...paid, transactionId: `pi_planted${books.length}`, dueUtc, ...number, ...but });
  };
  /** Another cycle with an Order, as the first one. */
  async function copyCycle(dueMs: number, transactionId: string): Promise<void> {
    await database.query(
      `CREATE TEMPORARY TABLE copied AS SELECT * FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    await database.query(`UPDATE copied SET cycle = 2, order_id = -1, due_utc = $1, gateway_transaction_id = $2`, [
      new Date(dueMs),
      transactionId,
    ]);
    await database.query(`INSERT INTO processing_cycles SELECT * FROM copied`);
    await database.query(`DROP TABLE copied`);
    await database.query(`CREATE TEMPORARY TABLE copied AS SELECT * FROM orders WHERE scheduled_order_id = $1`, [id]);
    await database.query(
      `UPDATE copied SET id = -1, cycle = 2, total = 0, subtotal = NULL, date_created = now(), gateway_transaction_id = NULL`,
    );
    await database.query(`INSERT INTO orders SELECT * FROM copied`);
    await database.query(`DROP TABLE copied`);
    await database.query(`UPDATE scheduled_orders SET cycles = 2 WHERE id = $1`, [id]);
    await database.query(
      `INSERT INTO event_logs SELECT (jsonb_populate_record(e, jsonb_build_object('id', uuid_v7()))).* FROM event_logs e WHERE e.scheduled_order_id = $1
         AND e.event_type = 'ScheduledOrderProcessed'`,
      [id],
    );
  }

  const NO_ORDER = 'loss: # was charged, and has no Order';
  const TWICE = 'double: the occurrence of # was charged more than once';
  const NOT_ASKED_FOR = 'double: the occurrence of # was charged, and no answer ever named it';

  it('finds nothing where all is right', async () => {
    expect(await found()).toEqual([]);
    await assertInvariants(database, booksOf(books), { isAtRest: true });
  });

  it('finds an occurrence that was charged twice, whatever was asked for, lost, or late', async () => {
    for (const what of ['process', 'soon', 'past', 'skip']) asked(what, unanswered);
    asked('process', { occurrenceMs: firstMs() });
    lost.push({ fromMs: 0, toMs: Date.now(), besideMs: 0 });
    stalledMs = HOUR_MS;
    plant(Math.floor(firstMs() / 1_000) * 1_000 + 400);
    expect(await found()).toEqual([NO_ORDER, TWICE]);
  });

  it.each([
    ['nothing', () => undefined],
    ['a call that was refused', () => asked('process', { status: 409, occurrenceMs: firstMs() + HOUR_MS })],
    ['an answer that names another occurrence', () => asked('process', { occurrenceMs: firstMs() + 9_000 })],
    ['a call without an answer at another time', () => asked('process', unanswered)],
    ['a call without an answer that named another', () => asked('soon', unanswered, { occurrenceMs: firstMs() })],
    ['an answer about something else', () => asked('price', { occurrenceMs: firstMs() + HOUR_MS / 2 })],
  ])('finds an occurrence that was charged where the only licence is %s', async (_, licence) => {
    plant(firstMs() + HOUR_MS / 2);
    licence();
    expect(await found()).toEqual([NO_ORDER, NOT_ASKED_FOR]);
  });

  it('lets a call without an answer explain one occurrence, not two', async () => {
    const wanted = firstMs() + HOUR_MS;
    asked('soon', unanswered, { occurrenceMs: wanted });
    plant(wanted);
    expect(await found()).toEqual([NO_ORDER]);
    plant(wanted + 2_000);
    expect(await found()).toEqual([NO_ORDER, NO_ORDER, NOT_ASKED_FOR]);
  });

  it('finds a transaction that pays two cycles', async () => {
    const dueMs = firstMs() + HOUR_MS;
    asked('past', { occurrenceMs: dueMs });
    await copyCycle(dueMs, paid.transactionId);
    expect(await found()).toEqual([
      'double: # has more than one Order',
      'loss: the Order of cycle # due at # has the charge of #',
      'double: # pays the cycles # #',
    ]);
    await expect(assertInvariants(database, booksOf(books))).rejects.toThrow(
      'a transaction pays for more than one cycle',
    );
  });

  it('finds an Order without a charge, and one with the charge of another occurrence', async () => {
    books.length = 0;
    expect(await found()).toEqual(['loss: the Order of cycle # has no charge']);
    await expect(assertInvariants(database, booksOf(books))).rejects.toThrow(
      'an Order to be paid has no charge of its own',
    );
    plant(firstMs() + HOUR_MS, { transactionId: paid.transactionId });
    asked('past', { occurrenceMs: firstMs() + HOUR_MS });
    expect(await found()).toEqual(['loss: the Order of cycle # due at # has the charge of #']);
    await expect(assertInvariants(database, booksOf(books))).rejects.toThrow(
      'an Order to be paid has no charge of its own',
    );
  });

  it('lets an open cycle explain its own charge while workers are at work, and none at rest', async () => {
    const [openMs, otherMs] = [firstMs() + HOUR_MS, firstMs() + 2 * HOUR_MS];
    await database.query(
      `INSERT INTO processing_cycles (scheduled_order_id, cycle, site_id, state, open, due_utc, attempt, next_attempt_utc, technical_failures)
       SELECT id, 2, site_id, 'Unknown', true, $2, 1, now(), 0 FROM scheduled_orders WHERE id = $1`,
      [id, new Date(openMs)],
    );
    plant(openMs);
    await assertInvariants(database, booksOf(books));
    await expect(assertInvariants(database, booksOf(books), { isAtRest: true })).rejects.toThrow(
      'a charge has no Order',
    );
    plant(otherMs);
    await expect(assertInvariants(database, booksOf(books))).rejects.toThrow('a charge has no Order');
    expect(await found()).toContain('loss: cycle # never came to an end: Unknown');
  });

  describe('Of a request that came too late', () => {
    const dueMs = () => firstMs() + HOUR_MS;
    const TOO_LATE = 'was answered with # although it came too late, and was charged';

    async function secondPaid(): Promise<void> {
      plant(dueMs());
      await copyCycle(dueMs(), books[1]!.transactionId);
      await database.query(
        `UPDATE orders SET total = 12.5, date_created = now() - interval '20 seconds' * abs(cycle - 2) WHERE scheduled_order_id = $1`,
        [id],
      );
      await database.query(`UPDATE orders SET subtotal = NULL WHERE scheduled_order_id = $1`, [id]);
    }

    it('finds the second charge of a Process soon after the first, unless it named the next occurrence', async () => {
      await secondPaid();
      const call = asked('process', {
        occurrenceMs: dueMs(),
        endedMs: Date.now() - 5_000,
        sentMs: Date.now() - 6_000,
      });
      expect(await found()).toEqual([`double: process ${TOO_LATE}`]);
      Object.assign(call, { wanted: { isExpected: true } });
      expect(await found()).toEqual([]);
    });

    it('finds the second charge of a Reschedule while the first was in progress', async () => {
      await secondPaid();
      books[0] = { ...paid, sentMs: Date.now() - 60_000 };
      asked('soon', {
        occurrenceMs: dueMs(),
        endedMs: Date.now() - 29_000,
        sentMs: Date.now() - 30_000,
      });
      expect(await found()).toEqual([`double: soon ${TOO_LATE}`]);
    });
  });

  describe('Of an order that stopped', () => {
    const STOPPED =
      'loss: it is Pending, nobody asked for that, and no failure explains it: the last cycle is Completed, without a failure';
    beforeEach(() => database.query(`UPDATE scheduled_orders SET status = 'Pending' WHERE id = $1`, [id]));

    it.each([
      ['nobody stopped', () => undefined],
      ['a refused request wanted to stop', () => asked('pend', { status: 409 })],
      ['somebody paused', () => asked('pause', {})],
      [
        'somebody stopped and started again',
        () => {
          asked('pend', { endedMs: Date.now() - 2_000 });
          Object.assign(asked('activate', {}), { sentMs: Date.now() });
        },
      ],
    ])('finds one that %s', async (_, plantRequest) => {
      plantRequest();
      expect(await found()).toEqual([STOPPED]);
    });

    it('lets the request that stopped it explain it', async () => {
      asked('pend', {});
      expect(await found()).toEqual([]);
    });

    const failed = async (code: number) => {
      await database.query(`DELETE FROM orders WHERE scheduled_order_id = $1`, [id]);
      await database.query(
        `UPDATE processing_cycles SET state = 'Failed', failure_code = $2 WHERE scheduled_order_id = $1`,
        [id, code],
      );
    };
    const FAILED =
      'loss: it is Pending, nobody asked for that, and no failure explains it: the last cycle is Failed, #';

    it('finds one that failed for a reason that was not there', async () => {
      await failed(2000);
      expect((await found()).at(-1)).toBe(FAILED);
    });

    it.each([
      ['this occurrence', '0 days', undefined],
      ['another occurrence', '1 day', FAILED],
    ])('lets the log that a person found no charge for %s explain this one alone', async (_, later, expected) => {
      await failed(2001);
      await database.query(
        `INSERT INTO error_logs (site_id, scheduled_order_id, exception_info, description)
         SELECT site_id, scheduled_order_id, '{}', 'The occurrence of ' || to_char(due_utc AT TIME ZONE 'UTC' + $2::interval, 'YYYY-MM-DD HH24:MI')
           || ' UTC was settled by hand by the shop: not charged.' FROM processing_cycles WHERE scheduled_order_id = $1`,
        [id, later],
      );
      expect((await found()).find((one) => one.startsWith('loss: it is Pending'))).toBe(expected);
    });
  });

  it('finds a charge long after a pause, whatever stood still for a moment', async () => {
    asked('pause', { answeredMs: paid.sentMs - 5_000, endedMs: paid.sentMs - 5_000 });
    stalledMs = 1_000;
    expect(await found()).toEqual(['other: # was charged # ms after pause had been answered']);
  });
});

function booksOf(captures: readonly Capture[]): ChargeLedger {
  const books = new ChargeLedger();
  for (const capture of captures) books.add(capture);
  return books;
}
