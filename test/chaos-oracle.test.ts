import { adoptDeployment, resolveCycle, skip, stuckCycles } from '#libs/ledger';
import { checkLedger, type Find } from './chaos/check.js';
import { checkAudit } from './chaos/check-audit.js';
import { type BooksParts, checkBooks } from './chaos/check-books.js';
import { type NotCharged, setAside } from './chaos/check-given-back.js';
import { checkPushes, type InShop, type ShopBooks } from './chaos/check-pushes.js';
import { checkRequests } from './chaos/check-requests.js';
import { checkSecond } from './chaos/check-second.js';
import { checkForgotten, checkStopped } from './chaos/check-stopped.js';
import type { GivenBack } from './chaos/dashboards.js';
import { Diary, type DiaryEntry, type Wanted } from './chaos/diary.js';
import type { ClockAheadMs } from './chaos/licences.js';
import { SecondInstallation } from './chaos/second.js';
import { readFirst } from './chaos/shops.js';
import { Tally } from './chaos/tally.js';
import type { Lost } from './chaos/windows.js';
import { request } from './processor/request.js';
import { describeInAllCases } from './support/all-cases.js';
import { useDatabase } from './support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from './support/gateways/index.js';
import { type Capture, ChargeLedger } from './support/gateways/ledger.js';
import { given } from './support/given.js';
import { assertInvariants } from './support/invariants.js';
import { Random } from './support/random.js';
import { until } from './support/until.js';
import { createWorker, type GivenShop, givenShop, vault } from './support/worker.js';

const ACCOUNT = 'sk_test_oracle';
const HOUR_MS = 3_600_000;

/**
 * A world in which all is right: an order that was charged once, and recorded. Then one thing is planted that must not
 * be.
 */
describeInAllCases('The oracle of the chaos runs', () => {
  const database = useDatabase();
  let [id, paid, books, diary, parts, lost]: [number, Capture, Capture[], Diary, BooksParts, Lost[]] = [] as never;
  let [givenBack, notCharged, theirs]: [GivenBack[], NotCharged[], Capture[]] = [[], [], []];
  let shopBooks: ShopBooks[] = [];
  let stalledMs = 0;
  let shop: GivenShop;

  beforeEach(async () => {
    await database.query(`TRUNCATE sites, scheduled_orders, processing_cycles, orders, event_logs, error_logs CASCADE`);
    const gateway = await StripeStandIn.start();
    shop = await givenShop(database, { apiKey1: ACCOUNT });
    id = await shop.dueOrder();
    const first = await readFirst(database);
    const worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await worker.drain();
    await worker.end();
    await gateway.stop();
    [paid] = gateway.ledger.charges as [Capture];
    [books, diary, lost, stalledMs] = [[paid], new Diary(), [], 0];
    [givenBack, notCharged, theirs, shopBooks] = [[], [], [], []];
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
    const { aside, standing } = await setAside(database, { ...parts, givenBack, notCharged, find });
    await checkLedger(database, standing, find);
    checkBooks({ ...parts, captures: standing, find });
    await checkRequests(database, standing, { ...parts, find });
    await checkForgotten(database, { ...parts, notCharged, find });
    await checkStopped(database, { ...parts, aside, reasons: new Tally(), find });
    await checkSecond(database, theirs, parts.first, find);
    await checkAudit(database, { ...parts, captures: standing, givenBack, find });
    await checkPushes(database, { shopBooks, aside, find });
    return findings;
  }

  const firstMs = () => parts.first.get(id)!.dueMs;
  const requested = (what: string, answer: Partial<DiaryEntry>, wanted: Wanted = {}) =>
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

  const STOPPED_LATE = 'other: # was charged # ms after pause had been answered';
  const NO_ORDER = 'loss: # was charged, and has no Order';
  const TWICE = 'double: the occurrence of # was charged more than once';
  const NOT_ASKED_FOR = 'double: the occurrence of # was charged, and no answer ever named it';

  it('finds nothing where all is right', async () => {
    expect(await found()).toEqual([]);
    await assertInvariants(database, booksOf(books), { isAtRest: true });
  });

  it('finds an occurrence that was charged twice, whatever was asked for, lost, or late', async () => {
    for (const what of ['process', 'soon', 'past', 'skip']) requested(what, unanswered);
    requested('process', { occurrenceMs: firstMs() });
    lost.push({ fromMs: 0, toMs: Date.now(), besideMs: 0 });
    stalledMs = HOUR_MS;
    plant(Math.floor(firstMs() / 1_000) * 1_000 + 400);
    expect(await found()).toEqual([NO_ORDER, TWICE]);
  });

  it.each([
    ['nothing', () => undefined],
    ['a call that was refused', () => requested('process', { status: 409, occurrenceMs: firstMs() + HOUR_MS })],
    ['an answer that names another occurrence', () => requested('process', { occurrenceMs: firstMs() + 9_000 })],
    ['a call without an answer at another time', () => requested('process', unanswered)],
    ['a call without an answer that named another', () => requested('soon', unanswered, { occurrenceMs: firstMs() })],
    ['an answer about something else', () => requested('price', { occurrenceMs: firstMs() + HOUR_MS / 2 })],
  ])('finds an occurrence that was charged where the only licence is %s', async (_, licence) => {
    plant(firstMs() + HOUR_MS / 2);
    licence();
    expect(await found()).toEqual([NO_ORDER, NOT_ASKED_FOR]);
  });

  it('lets a call without an answer explain one occurrence, not two', async () => {
    const wanted = firstMs() + HOUR_MS / 2;
    requested('soon', unanswered, { occurrenceMs: wanted });
    plant(wanted);
    expect(await found()).toEqual([NO_ORDER]);
    plant(wanted + 2_000);
    expect(await found()).toEqual([NO_ORDER, NO_ORDER, NOT_ASKED_FOR]);
  });

  it('finds a transaction that pays two cycles', async () => {
    const dueMs = firstMs() + HOUR_MS;
    requested('past', { occurrenceMs: dueMs });
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
    requested('past', { occurrenceMs: firstMs() + HOUR_MS });
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
      const call = requested('process', {
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
      requested('soon', {
        occurrenceMs: dueMs(),
        endedMs: Date.now() - 29_000,
        sentMs: Date.now() - 30_000,
      });
      expect(await found()).toEqual([`double: soon ${TOO_LATE}`]);
    });

    it.each([
      ['it neither before nor after', [-60_000, -32_000], [-3_000, 0], [`double: process ${TOO_LATE}`]],
      ['it meanwhile', [-10_000, -9_000], [-3_000, 0], []],
      ['it, while the clock was wrong,', [-60_000, -32_000], [-10_000, -9_000], []],
    ])('lets a loss, or a wrong clock, explain %s', async (_, [lostFrom, lostTo], [wrongFrom, wrongTo], expected) => {
      await secondPaid();
      const now = Date.now();
      books[0] = { ...paid, sentMs: now - 30_000 };
      requested('process', { occurrenceMs: dueMs(), sentMs: now - 6_000, endedMs: now - 5_000 });
      lost.push({ fromMs: now + lostFrom!, toMs: now + lostTo!, besideMs: now + lostTo! });
      const clockAheadMs: ClockAheadMs = (from, to) =>
        from <= now + wrongTo! && now + wrongFrom! <= to ? [0, 2 * HOUR_MS] : [0];
      parts = { ...parts, clockAheadMs };
      expect(await found()).toEqual(expected);
    });
  });

  describe("While the database's clock was ahead", () => {
    const AHEAD_MS = 2 * HOUR_MS;
    const EARLY = 'other: # was charged # ms before its time';
    /** It was so for a minute, an hour ago. */
    beforeEach(() => {
      const [fromMs, toMs] = [Date.now() - HOUR_MS, Date.now() - HOUR_MS + 60_000];
      const clockAheadMs: ClockAheadMs = (from, to) => (from <= toMs && fromMs <= to ? [0, AHEAD_MS] : [0]);
      parts = { ...parts, clockAheadMs };
    });
    const duringMs = () => Date.now() - HOUR_MS + 30_000;
    const processed = (answer: Partial<DiaryEntry>) =>
      requested('process', { sentMs: duringMs(), endedMs: duringMs() + 100, ...answer });

    it('still finds an occurrence that was charged twice, and one that nobody asked for', async () => {
      plant(firstMs());
      expect(await found()).toEqual([NO_ORDER, TWICE]);
      books.length = 1;
      processed(unanswered);
      plant(duringMs() + AHEAD_MS, { sentMs: Date.now() + AHEAD_MS });
      expect(await found()).toEqual([NO_ORDER]);
      plant(duringMs() + AHEAD_MS + 1_000, { sentMs: Date.now() + AHEAD_MS });
      expect(await found()).toEqual([NO_ORDER, NO_ORDER, NOT_ASKED_FOR]);
    });

    it('finds a charge before its time that was not due by any clock', async () => {
      const cases: [number, Partial<Capture>, string[]][] = [
        [duringMs() + AHEAD_MS, {}, []],
        [duringMs() + AHEAD_MS + HOUR_MS, {}, [EARLY]],
        [duringMs() + AHEAD_MS, { sentMs: duringMs() - HOUR_MS }, [EARLY]],
      ];
      for (const [dueMs, but, expected] of cases) {
        books.length = 1;
        requested('soon', { occurrenceMs: dueMs });
        plant(dueMs, but);
        expect((await found()).filter((one) => one === EARLY)).toEqual(expected);
      }
    });

    /** Nobody has ever taken the order up. */
    const untouched = async (dueMs: number) => {
      books.length = 0;
      await database.query(`TRUNCATE processing_cycles, orders, event_logs CASCADE`);
      await database.query(`UPDATE scheduled_orders SET cycles = 0, next_occurrence_utc = $2 WHERE id = $1`, [
        id,
        new Date(dueMs),
      ]);
    };
    const NEVER = 'loss: it fell due, nobody kept it, and it was never taken up';

    it('lets only a Process of that time explain that an order waits for the time that it made', async () => {
      const dueMs = duringMs() + AHEAD_MS;
      await untouched(dueMs);
      expect(await found()).toEqual([NEVER]);
      const right = Date.now() - 30 * 60_000;
      requested('process', { occurrenceMs: dueMs, sentMs: right, endedMs: right });
      processed({ occurrenceMs: dueMs + 5_000 });
      processed({ status: 409, occurrenceMs: dueMs });
      expect(await found()).toEqual([NEVER]);
      processed({ occurrenceMs: dueMs });
      expect(await found()).toEqual([]);
    });

    it('finds an order that is forgotten when the clock is right again', async () => {
      const dueMs = Date.now() - 1_000;
      processed({ occurrenceMs: dueMs });
      await untouched(dueMs);
      expect(await found()).toEqual(['loss: it is due, and nobody processes it', NEVER]);
    });
  });

  describe('Of an order that stopped', () => {
    const STOPPED =
      'loss: it is Pending, nobody asked for that, and no failure explains it: the last cycle is Completed, without a failure';
    beforeEach(() => database.query(`UPDATE scheduled_orders SET status = 'Pending' WHERE id = $1`, [id]));

    it.each([
      ['nobody stopped', () => undefined],
      ['a refused request wanted to stop', () => requested('pend', { status: 409 })],
      ['somebody paused', () => requested('pause', {})],
      [
        'somebody stopped and started again',
        () => {
          requested('pend', { endedMs: Date.now() - 2_000 });
          Object.assign(requested('activate', {}), { sentMs: Date.now() });
        },
      ],
    ])('finds one that %s', async (_, plantRequest) => {
      plantRequest();
      expect(await found()).toEqual([STOPPED]);
    });

    it('lets the request that stopped it explain it', async () => {
      requested('pend', {});
      expect(await found()).toEqual([]);
    });

    it.each([
      ['before it', [-30_000, -10_001], [STOPPED]],
      ['after it', [-8_000, 0], [STOPPED]],
      ['with it', [-12_000, -9_500], []],
    ])('lets a start that was lost count for nothing: commits were lost %s', async (_, [fromMs, toMs], expected) => {
      const now = Date.now();
      requested('pend', { sentMs: now - 21_000, endedMs: now - 20_000 });
      requested('activate', { sentMs: now - 10_000, endedMs: now - 9_900 });
      lost.push({ fromMs: now + fromMs!, toMs: now + toMs!, besideMs: now + toMs! });
      expect(await found()).toEqual(expected);
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

  describe('Of charges that were given back', () => {
    const AGAIN =
      'double: the occurrence of # was charged again after the first charge was given back, and nobody asked for it';
    const BEFORE = 'double: the occurrence of # was charged again before the first charge was given back';
    const givenBackAt = (atMs: number, about: Partial<GivenBack> = {}) =>
      givenBack.push({ transactionId: paid.transactionId, as: 'refund', isWhole: true, atMs, ...about });
    const agoMs = (seconds: number) => Date.now() - seconds * 1_000;

    /** Its charge was given back before it was recorded: the cycle failed, and the shop's log says why. */
    async function unpaid(): Promise<void> {
      books[0] = { ...paid, sentMs: agoMs(100) };
      await database.query(`DELETE FROM orders WHERE scheduled_order_id = $1`, [id]);
      await database.query(`DELETE FROM event_logs WHERE scheduled_order_id = $1`, [id]);
      await database.query(
        `UPDATE processing_cycles SET state = 'Failed', failure_code = 2001, order_id = NULL WHERE scheduled_order_id = $1`,
        [id],
      );
      await database.query(`UPDATE scheduled_orders SET status = 'Pending', cycles = 0 WHERE id = $1`, [id]);
      await database.query(
        `INSERT INTO error_logs (site_id, scheduled_order_id, exception_info, description)
         SELECT site_id, id, json_build_object('InnerExceptionInfo', $2::text || ' refunded'), '2001 given back' FROM scheduled_orders WHERE id = $1`,
        [id, paid.transactionId],
      );
    }

    it('lets the giving back explain that a charge has no Order, and that its order stopped', async () => {
      await unpaid();
      givenBackAt(agoMs(60));
      expect(await found()).toEqual([]);
    });

    const STOPPED =
      'loss: it is Pending, nobody asked for that, and no failure explains it: the last cycle is Failed, #';
    it('finds a charge without an Order that was given back in part, or nobody, or without a word to the shop', async () => {
      await unpaid();
      for (const about of [null, { isWhole: false }, { transactionId: 'pi_x' }]) {
        if (about) givenBackAt(agoMs(60), about);
        expect((await found()).filter((one) => !one.includes('the audit'))).toEqual([NO_ORDER, STOPPED]);
        givenBack.length = 0;
      }
      givenBackAt(agoMs(60));
      await database.query(`UPDATE error_logs SET exception_info = '{}' WHERE description = '2001 given back'`);
      expect((await found()).filter((one) => !one.includes('the audit'))).toEqual([NO_ORDER, STOPPED]);
    });

    it('lets a decision of a person who saw it given back explain that a charge has no Order', async () => {
      await unpaid();
      givenBackAt(agoMs(60));
      await database.query(`UPDATE error_logs SET exception_info = '{}' WHERE description = '2001 given back'`);
      const decisions: [string, NotCharged, boolean][] = [
        ['having seen it', { scheduledOrderId: id, atMs: agoMs(40), transactionId: paid.transactionId }, true],
        ['having seen nothing', { scheduledOrderId: id, atMs: agoMs(40) }, false],
        ['having seen another', { scheduledOrderId: id, atMs: agoMs(40), transactionId: 'pi_x' }, false],
        ['before', { scheduledOrderId: id, atMs: agoMs(70), transactionId: paid.transactionId }, false],
      ];
      givenBack.push({ transactionId: 'pi_x', as: 'refund', isWhole: true, atMs: agoMs(60) });
      for (const [what, decision, explains] of decisions) {
        notCharged = [decision];
        expect([what, (await found()).includes(NO_ORDER)]).toEqual([what, !explains]);
      }
    });

    it('finds an order that stopped where the charge of another occurrence was given back', async () => {
      await unpaid();
      givenBackAt(agoMs(60));
      await database.query(
        `UPDATE processing_cycles SET due_utc = due_utc - interval '1 day' WHERE scheduled_order_id = $1`,
        [id],
      );
      expect(await found()).toEqual([STOPPED]);
    });

    it('finds an occurrence that was charged again, unless somebody asked for that after the first charge was given back', async () => {
      await unpaid();
      givenBackAt(agoMs(60));
      plant(firstMs(), { sentMs: agoMs(20) });
      const cases: [string, () => unknown, string[]][] = [
        ['nothing', () => undefined, [AGAIN]],
        ['a refused Process', () => requested('process', { status: 409, sentMs: agoMs(40) }), [AGAIN]],
        ['a Process before that', () => requested('process', { sentMs: agoMs(80), endedMs: agoMs(70) }), [AGAIN]],
        ['a Process after the charge', () => requested('process', { sentMs: agoMs(10) }), [AGAIN]],
        ['another request', () => requested('activate', { sentMs: agoMs(40) }), [AGAIN]],
        ['a decision about another', () => notCharged.push({ scheduledOrderId: id + 1, atMs: agoMs(40) }), [AGAIN]],
        ['a decision before that', () => notCharged.push({ scheduledOrderId: id, atMs: agoMs(70) }), [AGAIN]],
        ['a Process in between', () => requested('process', { sentMs: agoMs(40), endedMs: agoMs(39) }), []],
        ['a decision in between', () => notCharged.push({ scheduledOrderId: id, atMs: agoMs(40) }), []],
      ];
      for (const [what, plantIt, expected] of cases) {
        [diary, notCharged] = [new Diary(), []];
        parts = { ...parts, diary };
        plantIt();
        const doubles = (await found()).filter((one) => one.startsWith('double'));
        expect([what, doubles]).toEqual([what, expected]);
      }
    });

    it('finds one that was charged again before it was given back, and one beside the charge that paid', async () => {
      await unpaid();
      givenBackAt(agoMs(10));
      plant(firstMs(), { sentMs: agoMs(20) });
      requested('process', { sentMs: agoMs(30) });
      expect(await found()).toEqual([BEFORE, NO_ORDER]);
      Object.assign(books[1]!, { sentMs: agoMs(200) });
      expect((await found())[0]).toBe(
        'double: the occurrence of # was charged more than once, and one of them was given back',
      );
    });

    it('finds one that was charged again although it has its Order, whatever was given back', async () => {
      givenBackAt(agoMs(60));
      plant(firstMs(), { sentMs: agoMs(20) });
      requested('process', { sentMs: agoMs(40), endedMs: agoMs(39) });
      notCharged.push({ scheduledOrderId: id, atMs: agoMs(40), transactionId: paid.transactionId });
      expect(await found()).toEqual([NO_ORDER, TWICE, 'other: the audit did not see that # met a refund']);
    });

    it('finds an occurrence that was taken up again after a decision about another order', async () => {
      notCharged.push({ scheduledOrderId: id + 1, atMs: Date.now() });
      await database.query(
        `INSERT INTO processing_cycles SELECT (jsonb_populate_record(c, '{"cycle": 2, "state": "Skipped", "order_id": null, "gateway_transaction_id": null}')).*
         FROM processing_cycles c WHERE scheduled_order_id = $1`,
        [id],
      );
      const OFTEN = 'other: it fell due # times at most, and was taken up # times';
      expect(await found()).toEqual([OFTEN]);
      notCharged.push({ scheduledOrderId: id, atMs: Date.now() });
      expect(await found()).toEqual([]);
    });
  });

  describe('Of an order that was taken up again', () => {
    const OFTEN = 'other: it fell due # times at most, and was taken up # times';
    const takenUp = (cycle: number, state: string, attempt: number) =>
      database.query(
        `INSERT INTO processing_cycles SELECT (jsonb_populate_record(c, jsonb_build_object('cycle', $2::int, 'state', $3::text, 'attempt', $4::int,
           'order_id', NULL, 'gateway_transaction_id', NULL))).* FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = 1`,
        [id, cycle, state, attempt],
      );
    const oftens = async () => (await found()).filter((one) => one === OFTEN);

    it.each([
      ['it ended before anything was sent', 'Failed', 0, []],
      ['something was sent for it', 'Failed', 1, [OFTEN]],
      ['it was skipped', 'Skipped', 0, [OFTEN]],
    ])('judges the other cycle by how it ended: %s', async (_, state, attempt, expected) => {
      await takenUp(2, state, attempt);
      expect(await oftens()).toEqual(expected);
    });

    it('lets a charge that was found explain one cycle that ended, not two', async () => {
      await takenUp(2, 'Failed', 1);
      await database.query(`UPDATE processing_cycles SET idempotency_key = NULL WHERE cycle = 1`);
      expect(await oftens()).toEqual([]);
      await takenUp(3, 'Failed', 1);
      expect(await oftens()).toEqual([OFTEN]);
    });
  });

  describe('Of differences', () => {
    const differs = (kind: string, transactionId: string) =>
      database.query(
        `INSERT INTO payment_differences (site_id, kind, fact, holds, gateway_transaction_id, scheduled_order_id)
         SELECT site_id, $2, $3, false, $3, id FROM scheduled_orders WHERE id = $1`,
        [id, kind, transactionId],
      );
    beforeEach(() => givenBack.push({ transactionId: paid.transactionId, as: 'dispute', isWhole: false, atMs: 0 }));

    it('finds one that the audit did not see, and one that is none', async () => {
      const UNSEEN = 'other: the audit did not see that # met a dispute';
      expect(await found()).toEqual([UNSEEN]);
      await differs('RefundUnseen', paid.transactionId);
      expect(await found()).toEqual(['other: the audit says RefundUnseen of #', UNSEEN]);
      await database.query(`DELETE FROM payment_differences`);
      await differs('DisputeUnseen', paid.transactionId);
      expect(await found()).toEqual([]);
    });

    it('finds what is none also where the charge went to an account that the audit cannot read', async () => {
      books[0] = { ...paid, account: `${ACCOUNT}_other` };
      expect(await found()).toEqual([]);
      await differs('TwoCharges', paid.transactionId);
      expect(await found()).toEqual(['other: the audit says TwoCharges of #']);
    });

    it.each([
      [
        'another customer',
        'cus_second',
        ['other: # of another installation, and of another customer, is a difference of it'],
      ],
      ['its own customer', 'cus_1', []],
    ])('judges a difference about a charge of another installation and %s', async (_, gatewayCustomerId, expected) => {
      theirs = [{ ...paid, transactionId: 'pi_9', gatewayCustomerId }];
      givenBack.length = 0;
      await differs('ChargeWithoutCycle', 'pi_9');
      await database.query(
        `UPDATE payment_differences SET state = 'Settled', settled_as = 'Resolved', settled_by = 'the shop', settled_utc = now()`,
      );
      expect(await found()).toEqual(expected);
    });
  });

  it('finds an Order that a charge of another installation pays', async () => {
    [books[0], theirs] = [{ ...paid, transactionId: 'pi_9' }, [paid]];
    expect((await found()).at(-1)).toBe('double: # of another installation pays for it');
  });

  it('knows what another installation has sent, and excuses nothing else under its name', async () => {
    const gateways = { one: await StripeStandIn.start(), two: await AuthorizeNetStandIn.start() };
    const shops = [parts.shopOf.get(id)!];
    const [random, over] = [new Random(1, 'second'), new AbortController()];
    const second = new SecondInstallation({
      gateways,
      shops,
      first: parts.first,
      tested: 'tested',
      tally: new Tally(),
      random,
    });
    const running = second.run(1, over.signal);
    const sent = await until(() => gateways.one.ledger.charges[0]);
    over.abort();
    await running;
    expect(second.isOwn(sent)).toBe(true);
    const but = [{ installation: 'tested' }, { installation: '' }, { attempt: 2 }, { scheduledOrderId: id + 1 }];
    for (const one of but) expect(second.isOwn({ ...sent, ...one })).toBe(false);
    await Promise.all([gateways.one.stop(), gateways.two.stop()]);
  });

  describe('Of a worker that allows for no late list', () => {
    let gateway: StripeStandIn;
    beforeEach(async () => (gateway = await StripeStandIn.start()));
    afterEach(async () => {
      await gateway.stop();
      // Else what follows would wait until all is compared.
      await database.query(`TRUNCATE required_reconciliations`);
    });

    const drain = async () => {
      const env = { GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT0.5S', GATEWAY_LIST_LAG: 'PT0S' };
      const worker = createWorker(database, env);
      await worker.drain();
      await worker.end();
    };

    /** Another order is charged. */
    async function charged(): Promise<number> {
      const other = await shop.dueOrder();
      const known = parts.shopOf.get(id)!;
      const items = new Map([...known.items, [other, known.items.get(id)!]]);
      const first = (await readFirst(database)).get(other)!;
      parts = {
        ...parts,
        shopOf: new Map([...parts.shopOf, [other, { ...known, items }]]),
        first: new Map([...parts.first, [other, first]]),
      };
      await drain();
      books.push(...gateway.ledger.charges);
      return other;
    }

    /** The database loses what a worker has committed. */
    async function goBack(other: number): Promise<void> {
      for (const table of ['orders', 'processing_cycles', 'event_logs'])
        await database.query(`DELETE FROM ${table} WHERE scheduled_order_id = $1`, [other]);
      await database.query(`UPDATE scheduled_orders SET next_occurrence_utc = $2, cycles = 0 WHERE id = $1`, [
        other,
        new Date(parts.first.get(other)!.dueMs),
      ]);
      lost.push({ fromMs: 0, toMs: Date.now(), besideMs: 0 });
      await adoptDeployment(database.pool, undefined);
    }

    it.each([
      ['nothing, where the list shows a charge at once', 0, []],
      ['the lost payment, where the list shows a charge later', 600_000, [NO_ORDER]],
    ])('finds %s', async (_, listDelayMs, findings) => {
      gateway.listDelayMs = listDelayMs;
      const other = await charged();
      await goBack(other);
      await request(database, other, skip);
      const answeredMs = Date.now();
      Object.assign(diary.begin(other, 'skip', {}), { status: 200, answeredMs, endedMs: answeredMs });
      await drain();
      // A person decides what a worker cannot tell: which occurrence it paid.
      const { transactionId } = gateway.ledger.capturesOf(other)[0]!;
      for (const { Cycle: cycle } of await stuckCycles(database.pool, { limit: 2 }))
        await resolveCycle(database.pool, { scheduledOrderId: other, cycle, transactionId, by: 'Grace' });
      await drain();
      expect(await found()).toEqual(findings);
    });
  });

  describe('Of Orders that are to arrive in a shop', () => {
    const NAME = 'planted-7-k3x';
    /** As it stands there where all is right. */
    const ours = (but: Partial<InShop> = {}): InShop => ({
      ...{ id: '101', number: '101', name: NAME, is: 'paid', wasPaid: true, total: '12.50', currencyIso: 'USD' },
      ...{ transactionId: paid.transactionId, units: 1, takesStock: true },
      ...but,
    });
    const inShop = (orders: InShop[], books: Partial<ShopBooks> = {}) =>
      (shopBooks = [{ siteId: shop.siteId, orders, mailedTwice: [], unitsTaken: null, ...books }]);
    const pushIs = (values: string) => database.query(`UPDATE order_pushes SET ${values}`);
    beforeEach(async () => {
      await given(database).shop(vault, shop.siteId, { receiver: 'WooCommerceRest', push: true });
      await database.query(`UPDATE sites SET listens_since_utc = now()`);
      await database.query(
        `INSERT INTO order_pushes (scheduled_order_id, cycle, site_id, order_id, push_name, state, shop_order_id, shop_total)
         SELECT scheduled_order_id, cycle, site_id, id, $1, 'Pushed', '101', total FROM orders`,
        [NAME],
      );
      await database.query(`UPDATE orders SET external_id = '101', order_number = '101'`);
      await tells('order.pushed');
      inShop([ours()]);
    });
    /** Its charge was found in the gateway's books. */
    async function findsByTotal(): Promise<void> {
      await database.query(`UPDATE order_items SET total = NULL`);
      await database.query(
        `INSERT INTO found_charges (payment_integration_id, site_id, transaction_id, scheduled_order_id, cycle, attempt, amount, charged_utc, is_charged, is_doubtful, state)
         SELECT c.payment_integration_id, o.site_id, o.gateway_transaction_id, o.scheduled_order_id, 0, 1, 1250, now(), true, false, 'Placed'
         FROM orders o JOIN processing_cycles c ON c.order_id = o.id`,
      );
    }
    const changesLines = () =>
      database.query(
        `INSERT INTO action_logs (site_id, scheduled_order_id, action_type) SELECT site_id, scheduled_order_id, 'DeleteScheduledOrderItem' FROM orders`,
      );
    const ofPushes = async () => (await found()).filter((one) => !one.includes('items'));
    const tells = (type: string) =>
      database.query(
        `INSERT INTO outbox (site_id, scheduled_order_id, type, facts) SELECT site_id, scheduled_order_id, $1, jsonb_build_object('Cycle', cycle) FROM orders`,
        [type],
      );

    it('finds nothing where it stands there once, beside what was deleted and what nobody sees', async () => {
      inShop([
        ours(),
        ours({ id: '102', is: 'deleted', wasPaid: false }),
        ours({ id: '103', is: 'draft', wasPaid: false }),
      ]);
      expect(await found()).toEqual([]);
    });

    it.each<[string, Partial<InShop>[], string[]]>([
      ['not there', [], ['loss: the Order of cycle # is Pushed, and not in its shop: null']],
      [
        'there as a draft alone',
        [{ is: 'draft' }],
        ['loss: the Order of cycle # is Pushed, and not in its shop: null'],
      ],
      ['deleted', [{ is: 'deleted' }], ['loss: the Order of cycle # is Pushed, and not in its shop: null']],
      [
        'there twice, once unpaid',
        [{}, { id: '102', is: 'unpaid', wasPaid: false }],
        ['double: the Order of cycle # is # times in its shop'],
      ],
      [
        'there twice, once thrown away',
        [{}, { id: '102', is: 'thrown away', wasPaid: false }],
        ['double: the Order of cycle # is # times in its shop'],
      ],
      [
        'paid twice, and once deleted since',
        [{}, { id: '102', is: 'deleted' }],
        ['double: # was paid twice in its shop'],
      ],
      ['unpaid', [{ is: 'unpaid', wasPaid: false }], ['loss: the Order of cycle # is unpaid in its shop']],
      [
        'thrown away, and the push does not say so',
        [{ is: 'thrown away' }],
        ['loss: the Order of cycle # is thrown away in its shop'],
      ],
      [
        'paid, and took no stock',
        [{ takesStock: false }],
        ['loss: the Order of cycle # was pushed, and took no stock'],
      ],
      [
        'paid by another charge',
        [{ transactionId: 'pi_x' }],
        ['other: the Order of cycle # was paid by # and in its shop by pi_x'],
      ],
      ['of other units', [{ units: 2 }], ['other: the Order of cycle # has # units in USD, and in its shop # in USD']],
      [
        'in another currency',
        [{ currencyIso: 'EUR' }],
        ['other: the Order of cycle # has # units in USD, and in its shop # in EUR'],
      ],
    ])('finds one that is %s', async (_, orders, expected) => {
      inShop(orders.map(ours));
      expect(await found()).toEqual(expected);
    });

    it('finds one that goes by another id or number than it has', async () => {
      for (const but of [{ id: '102' }, { number: 'S-101' }]) {
        inShop([ours(but)]);
        expect(await found()).toEqual(['other: the Order of cycle # is # # in its shop, and goes by # # #']);
      }
    });

    it.each(['Waiting', 'Sending', 'Unknown', 'Failed'])('finds one that is %s at the end', async (state) => {
      await pushIs(`state = '${state}', sent_utc = now()`);
      expect(await found()).toEqual([`loss: the Order of cycle # never arrived: it is ${state}: null`]);
    });

    it('finds one that nobody is to push', async () => {
      await database.query(`DELETE FROM order_pushes`);
      inShop([]);
      expect(await found()).toEqual(['loss: the Order of cycle # is not to arrive in its shop']);
    });

    it('finds a cent of difference that the push, or its event, does not show', async () => {
      inShop([ours({ total: '12.51' })]);
      const UNTOLD = 'other: the Order of cycle # is # in its shop # and nobody was told';
      expect(await found()).toEqual(['other: the Order of cycle # is # in its shop, and the push says #', UNTOLD]);
      await pushIs(`shop_total = 12.51`);
      await tells('order.total_differs');
      expect(await found()).toEqual([UNTOLD]);
      await pushIs(`message = 'It is 12.51.'`);
      expect(await found()).toEqual([]);
      await database.query(`DELETE FROM outbox WHERE type = 'order.total_differs'`);
      expect(await found()).toEqual([UNTOLD]);
    });

    it('finds one that arrived, and no event says so', async () => {
      await database.query(`DELETE FROM outbox WHERE type = 'order.pushed'`);
      expect(await found()).toEqual(['other: the Order of cycle # is Pushed, and no event says so']);
    });

    it.each<[string, Partial<InShop>, boolean, string[]]>([
      ['nothing', {}, false, ['other: the Order of cycle # differs without a reason: Why.']],
      ['that it was thrown away', { is: 'thrown away', wasPaid: false }, false, []],
      ['that it took no stock', { takesStock: false }, false, []],
      ['that only the total of its charge is known', {}, true, []],
    ])('of one that differs, lets %s explain it', async (_, but, isByTotal, expected) => {
      await pushIs(`state = 'Differs', message = '${isByTotal ? 'Only the total of the charge is known.' : 'Why.'}'`);
      await tells('order.push_failed');
      if (isByTotal) await findsByTotal();
      inShop([ours(but)]);
      expect(await ofPushes()).toEqual(expected);
    });

    describe('whose charge was found when its lines were others', () => {
      const UNITS = 'other: the Order of cycle # has # units in USD, and in its shop # in USD';
      beforeEach(() => pushIs(`message = 'Only the total is known.'`));

      it('finds other units, unless it was found, its lines were changed, and somebody was told', async () => {
        inShop([ours({ units: 2 })]);
        expect(await ofPushes()).toEqual([UNITS]);
        await changesLines();
        expect(await ofPushes()).toEqual([UNITS]);
        await findsByTotal();
        expect(await ofPushes()).toEqual([]);
        await pushIs(`message = NULL`);
        expect(await ofPushes()).toEqual([UNITS]);
        await pushIs(`message = 'Only the total is known.'`);
        await database.query(`DELETE FROM action_logs`);
        expect(await ofPushes()).toEqual([UNITS]);
      });

      it('finds one with nothing to pack that is not there, unless it was found, and somebody was told', async () => {
        const LOST = 'loss: the Order of cycle # never arrived: it is Failed: Nothing to pack.';
        inShop([]);
        await pushIs(`state = 'Failed', message = 'Nothing to pack.'`);
        await tells('order.push_failed');
        await findsByTotal();
        await changesLines();
        expect(await ofPushes()).toEqual([LOST]);
        await database.query(`DELETE FROM order_items`);
        expect(await ofPushes()).toEqual([]);
        await database.query(`DELETE FROM outbox WHERE type = 'order.push_failed'`);
        expect(await ofPushes()).toEqual(['other: the Order of cycle # has nothing to pack, and nobody was told']);
        await database.query(`DELETE FROM found_charges`);
        expect(await ofPushes()).toEqual([LOST]);
      });
    });

    it('finds another currency, unless its gateway tells none, its order was changed, and a person decides', async () => {
      const OTHER = 'other: the Order of cycle # has # units in USD, and in its shop # in EUR';
      const WHY = 'other: the Order of cycle # differs without a reason: Its currency there is EUR.';
      await pushIs(`state = 'Differs', message = 'Its currency there is EUR.'`);
      await tells('order.push_failed');
      inShop([ours({ currencyIso: 'EUR' })]);
      expect(await ofPushes()).toEqual([WHY, OTHER]);
      await findsByTotal();
      expect(await ofPushes()).toEqual([WHY, OTHER]);
      await database.query(
        `INSERT INTO action_logs (site_id, scheduled_order_id, action_type) SELECT site_id, scheduled_order_id, 'UpdateScheduledOrder' FROM orders`,
      );
      expect(await ofPushes()).toEqual([]);
      await database.query(`UPDATE found_charges SET currency_iso = 'USD'`);
      expect(await ofPushes()).toEqual([WHY, OTHER]);
      await database.query(`UPDATE found_charges SET currency_iso = NULL`);
      await pushIs(`state = 'Pushed'`);
      expect(await ofPushes()).toEqual([OTHER]);
    });

    it('finds one that differs, and nobody knows why, or nobody was told', async () => {
      await pushIs(`state = 'Differs'`);
      inShop([ours({ takesStock: false })]);
      expect(await found()).toEqual([
        'other: the Order of cycle # differs, and nobody knows why',
        'other: the Order of cycle # is Differs, and no event says so',
      ]);
    });

    it('finds what no Order stands for: it is paid, is to be paid, or was made by nobody here', async () => {
      const other = { id: '102', name: 'planted-7-k3y', transactionId: 'pi_x' };
      const PACKED = 'double: # has no Order, and is packed # paid by pi_x)';
      const cases: [Partial<InShop>, string[]][] = [
        [{}, [PACKED]],
        [{ is: 'unpaid', wasPaid: false }, ['double: # has no Order, and its customer is asked to pay it #']],
        [{ name: null }, ['other: # is in a shop, and nobody here has made it']],
        [{ name: 'planted-7-k3y-2' }, [PACKED]],
        [{ name: 'planted-verify' }, [PACKED.replace('#', 'planted-verify')]],
        [{ is: 'thrown away' }, []],
      ];
      for (const [but, expected] of cases) {
        inShop([ours(), ours({ ...other, ...but })]);
        expect(await found()).toEqual(expected);
      }
    });

    it('lets a charge that was given back whole, and has no Order, explain what it paid there, and no other', async () => {
      const away = { ...paid, transactionId: 'pi_x' };
      const paidBy = (transactionId: string) => ours({ id: '102', name: 'planted-7-k3y', transactionId });
      const check = async (orders: InShop[]) => {
        const findings: string[] = [];
        inShop(orders);
        await checkPushes(database, { shopBooks, aside: [away], find: (kind) => findings.push(kind) });
        return findings;
      };
      expect(await check([ours(), paidBy('pi_x')])).toEqual([]);
      expect(await check([ours(), paidBy('pi_y')])).toEqual(['double']);
      // The occurrence was charged again since, and its box is packed once.
      expect(await check([ours({ transactionId: 'pi_x' })])).toEqual([]);
      expect(await check([ours({ transactionId: 'pi_y' })])).toEqual(['other']);
    });

    it('finds a box that was packed twice for one occurrence, under two names', async () => {
      inShop([ours(), ours({ id: '102', name: `${NAME}-2` })]);
      expect(await found()).toEqual([
        expect.stringMatching(/^double: # has no Order, and is packed /),
        'double: # was paid twice in its shop',
      ]);
    });

    it('finds an Order of a site whose shop has no books', async () => {
      shopBooks = [];
      expect(await found()).toEqual(['other: its shop has no books']);
    });

    it('finds one by total that differs for something else', async () => {
      await pushIs(`state = 'Differs', message = 'Why.'`);
      await tells('order.push_failed');
      await findsByTotal();
      expect(await ofPushes()).toEqual(['other: the Order of cycle # differs without a reason: Why.']);
    });

    it('finds a customer who was mailed twice, and a stock that was taken twice', async () => {
      inShop([ours(), ours({ id: '102', is: 'deleted', wasPaid: false, takesStock: false })], {
        mailedTwice: [NAME],
        unitsTaken: 2,
      });
      expect(await found()).toEqual([
        'double: the customer of # was mailed twice',
        'double: # units were ordered of a shop, and # taken from its stock',
      ]);
    });
  });

  it('finds a charge long after a pause, whatever stood still for a moment', async () => {
    requested('pause', { answeredMs: paid.sentMs - 5_000, endedMs: paid.sentMs - 5_000 });
    stalledMs = 1_000;
    expect(await found()).toEqual([STOPPED_LATE]);
  });

  it.each([
    ['before it was asked for', -10_000, -101, 0, [STOPPED_LATE]],
    ['after it was answered', 1_001, 3_000, 1_001, [STOPPED_LATE]],
    ['with it, but the charge came before that', -1_000, 1_000, 5_001, [STOPPED_LATE]],
    ['with it', -1_000, 1_000, 500, []],
  ])(
    'finds a charge after a pause unless the pause was lost: commits were lost %s',
    async (_, from, to, beside, expected) => {
      const answeredMs = paid.sentMs - 5_000;
      requested('pause', { sentMs: answeredMs - 100, answeredMs, endedMs: answeredMs });
      lost.push({ fromMs: answeredMs + from, toMs: answeredMs + to, besideMs: answeredMs + beside });
      expect(await found()).toEqual(expected);
    },
  );
});

function booksOf(captures: readonly Capture[]): ChargeLedger {
  const books = new ChargeLedger();
  for (const capture of captures) books.add(capture);
  return books;
}
