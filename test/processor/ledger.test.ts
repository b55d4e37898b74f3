import type { KnownDatabase } from '#libs/entities';
import {
  becomeInactive,
  beginCycles,
  type Difference,
  endLeases,
  endStreaks,
  freezeAttempts,
  integrationChanged,
  keepUnknown,
  loadInDoubt,
  lockDue,
  lockLeased,
  lockNamedOrder,
  lockNewestCycles,
  lockWait,
  markFound,
  probeSoon,
  processNow,
  putBackCycles,
  readBacklog,
  readCompleted,
  readDeployment,
  readNamedCycles,
  readStops,
  readUnplaced,
  recordFailed,
  recordFound,
  releaseCycles,
  renewLeases,
  renumber,
  reportDifference,
  type SentRow,
  stepClock,
} from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { Claims } from '../../apps/worker/src/processor/claim/claims.js';
import { FROM_THE_START } from '../../apps/worker/src/processor/claim/watermark.js';
import { type LeasedCycle, leasedRow, ownedRow } from '../../apps/worker/src/processor/cycle/cycle.js';
import { useDatabase } from '../support/database.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
import { until } from '../support/until.js';
import { type GivenShop, givenShop, knownDatabase } from '../support/worker.js';
import { request } from './request.js';

const WORKER = 'worker';
const LEASE_MS = 3_600_000;
const RECONCILED = ['required_reconciliations', 'integration_reconciliations'];
/** The table has milliseconds, and rounds. */
const LEASE_IS_OVER = `lease_until_utc = now() - interval '1 second'`;
const inAnHour = () => new Date(Date.now() + 3_600_000);
const idsOf = (cycles: readonly LeasedCycle[]) => cycles.map(({ scheduledOrderId }) => scheduledOrderId);

/** An attempt. Each column has a value of its own, so that none can stand for another. */
const SENT: SentRow = {
  gateway_customer_id: 'the gateway_customer_id',
  gateway_payment_id: 'the gateway_payment_id',
  credentials_fingerprint: 'the credentials_fingerprint',
  idempotency_key: 'the idempotency_key',
  amount: 1250,
  currency_iso: 'USD',
  payment_integration_id: 7,
  frozen: '{"amounts": "of the attempt"}',
  rates_version: 9,
  prices_mixed: true,
  order_cycles: 11,
  fixed_totals: 'the fixed_totals',
  unit_prices: 'the unit_prices',
};

/** What its functions promise, each for itself: in a whole product most of it shows only when two meet. */
describe('The ledger', () => {
  const database = useDatabase();
  let shop: GivenShop;
  let other: GivenShop;
  let known: KnownDatabase;
  let claims: Claims;

  beforeAll(async () => {
    [shop, other] = [await givenShop(database), await givenShop(database)];
  });
  beforeEach(async () => {
    known = await knownDatabase(database);
    claims = new Claims(database.pool, WORKER, { claimLeaseMs: LEASE_MS }, { known });
  });
  afterEach(async () => {
    await database.query(`UPDATE scheduled_orders SET status = 'Paused'`);
    for (const table of [
      'processing_cycles',
      'integration_waits',
      'found_charges',
      'payment_differences',
      ...RECONCILED,
    ])
      await database.query(`DELETE FROM ${table}`);
  });

  async function claimed(values: Record<string, unknown> = {}): Promise<LeasedCycle> {
    await shop.dueOrder(values);
    return (await claims.due(1, FROM_THE_START))[0]!;
  }
  async function frozen(values: Record<string, unknown> = {}): Promise<LeasedCycle> {
    const cycle = await claimed(values);
    await freezeAttempts(database.pool, known, [frozenRow(cycle)]);
    return { ...cycle, state: 'Charging', attempt: 1 };
  }
  const frozenRow = (cycle: LeasedCycle) => ({
    attempt: 1,
    type: 'GatewayOne',
    ...SENT,
    ...ownedRow(cycle, WORKER),
  });
  const rowOf = async ({ scheduledOrderId }: Pick<LeasedCycle, 'scheduledOrderId'>) =>
    (
      await database.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(c) AS row FROM processing_cycles c WHERE scheduled_order_id = $1`,
        [scheduledOrderId],
      )
    )[0]!.row;
  const set = ({ scheduledOrderId }: LeasedCycle, columns: string) =>
    database.query(`UPDATE processing_cycles SET ${columns} WHERE scheduled_order_id = $1`, [scheduledOrderId]);
  const inTransaction = <T>(work: (tx: Transaction) => Promise<T>) => database.pool.transaction(work);

  describe('claims', () => {
    it('what is free: cycles in hand take no place in a batch', async () => {
      const ids = await shop.dueOrders(4);
      expect(idsOf(await claims.due(2, FROM_THE_START))).toEqual(ids.slice(0, 2));
      expect(idsOf(await claims.due(2, FROM_THE_START))).toEqual(ids.slice(2));
    });

    it('past an order that somebody keeps locked, without waiting', async () => {
      const [locked, free] = await shop.dueOrders(2);
      await inTransaction(async (tx) => {
        await tx.execute(`SELECT FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [locked]);
        const due = await inTransaction(async (own) => {
          await own.execute(`SET LOCAL lock_timeout = '10s'`);
          return lockDue(own, { longestPauseMs: LEASE_MS, known }, 2, FROM_THE_START);
        });
        expect(due.map(({ scheduledOrderId }) => scheduledOrderId)).toEqual([free]);
      });
    });

    it.each([{ deletedUtc: '2026-01-31T10:00:00Z' }, { status: 'Paused' }, { status: 'Pending' }])(
      'no order that is not Active, or deleted: %j',
      async (values) => {
        await shop.dueOrder(values);
        expect(await claims.due(5, FROM_THE_START)).toEqual([]);
        expect(await claims.shares([{ siteId: shop.siteId, take: 5, after: FROM_THE_START }])).toEqual([]);
        expect(await claims.dueSites()).toEqual([]);
      },
    );

    it('no further try of a site that has as many leased cycles as it may have', async () => {
      await shop.dueOrder();
      const id = await other.dueOrder();
      const cycles = await claims.due(2, FROM_THE_START);
      for (const cycle of cycles)
        await set(
          cycle,
          `state = 'Retrying', worker = NULL, lease_until_utc = NULL, next_attempt_utc = now() - interval '1 minute'`,
        );
      expect(idsOf(await claims.again(5, [shop.siteId]))).toEqual([id]);
    });
  });

  /** How a cycle stands before each claim of it. */
  const AGAIN = {
    takeOver: LEASE_IS_OVER,
    again: `state = 'Retrying', worker = NULL, lease_until_utc = NULL, next_attempt_utc = now() - interval '1 second'`,
    probes: `state = 'Waiting', worker = NULL, lease_until_utc = NULL, next_attempt_utc = now() + interval '1 hour',
      waiting_since_utc = now(), failure_code = 1003`,
  };
  const WAYS = ['takeOver', 'again', 'probes'] as const;
  const claimAgain = {
    takeOver: (by: Claims) => by.takeOver(5),
    again: (by: Claims) => by.again(5, []),
    probes: (by: Claims) => by.probes(5),
  };
  /** Something waits for the integration of the shop, whose probe has come. */
  const givenProbe = () =>
    database.query(
      `INSERT INTO integration_waits (site_id, payment_method_type, next_probe_utc) VALUES ($1, 'GatewayOne', now() - interval '1 second')`,
      [shop.siteId],
    );

  it('claims nothing again that only a jump of the clock makes due', async () => {
    const cycle = await claimed();
    await givenProbe();
    const hourAgo = { now: () => new Date(Date.now() - 3_600_000) };
    const believing = new Claims(database.pool, WORKER, { claimLeaseMs: LEASE_MS }, { known }, null, hourAgo);
    for (const way of WAYS) {
      await set(cycle, AGAIN[way]);
      expect(await claimAgain[way](believing)).toEqual([]);
    }
    expect(await claimAgain.probes(claims)).toHaveLength(1);
  });

  it.each([
    ['the gateway that was asked', null, 'GatewayOne'],
    ['none, where a person has settled it', 'Charged', null],
  ])('has what is looked up wait for %s', async (_, resolution, paymentMethodType) => {
    const cycle = await frozen();
    await set(cycle, AGAIN.again);
    await set(cycle, `state = 'Unknown', resolution = ${resolution === null ? 'NULL' : `'${resolution}'`}`);
    expect(await claims.again(5, [])).toMatchObject([{ state: 'Unknown', paymentMethodType }]);
  });

  it.each(['Charging', 'Unknown'])(
    'stops what was, or may have been, sent when its order is paused: %s',
    async (state) => {
      const cycle = await frozen();
      await set(cycle, `state = '${state}'`);
      await request(database, cycle.scheduledOrderId, (tx, order, now) => becomeInactive(tx, order, 'Paused', now));
      expect(await rowOf(cycle)).toMatchObject({ state, stopped_utc: expect.any(String) });
    },
  );

  it('asks for the charges of an integration once after each time that the database went back', async () => {
    await database.query(
      `INSERT INTO required_reconciliations (generation, cause, cut_off_utc) VALUES (4, 'gap', now()), (5, 'gap', now())`,
    );
    await database.query(
      `INSERT INTO integration_reconciliations (payment_integration_id, generation) VALUES ($1, 5), ($2, 4)`,
      [shop.integrationId, other.integrationId],
    );
    expect(await readBacklog(database.pool)).toMatchObject({ uncompared: 1 });
  });

  it('begins leases anew that a wrong clock has written', async () => {
    const cycle = await claimed();
    const tomorrow = `now() + interval '1 day'`;
    await set(cycle, `updated_utc = ${tomorrow}, lease_until_utc = ${tomorrow}`);
    expect(await putBackCycles(database.pool, 10, 60_000)).toBe(1);
    const isPutBack = `SELECT updated_utc <= now() AND lease_until_utc <= now() + interval '1 minute' AS is FROM processing_cycles`;
    expect(await database.query(isPutBack)).toEqual([{ is: true }]);
  });

  it('puts right a sign of life that a wrong clock has written', async () => {
    await database.query(`UPDATE deployment SET seen_utc = now() + interval '40 days'`);
    await readDeployment(database.pool, undefined);
    expect(await database.query(`SELECT seen_utc <= now() + interval '1 second' AS is FROM deployment`)).toEqual([
      { is: true },
    ]);
  });

  it.each(WAYS)('lets nobody write by an earlier claim of the same worker: %s', async (way) => {
    const { pool } = database;
    const first = await claimed();
    await set(first, AGAIN[way]);
    await givenProbe();
    const [again, ...more] = await claimAgain[way](claims);
    expect([again, more]).toMatchObject([
      { scheduledOrderId: first.scheduledOrderId, claim: first.claim + 1, keptClaim: way === 'takeOver' ? 1 : null },
      [],
    ]);

    const before = await rowOf(first);
    const stale = leasedRow(first, WORKER);
    expect(await renewLeases(pool, inAnHour(), [stale])).toEqual([]);
    await releaseCycles(pool, [stale]);
    await endLeases(pool, [stale]);
    expect(await renumber(pool, stale)).toBeNull();
    expect((await freezeAttempts(pool, known, [frozenRow(first)])).size).toBe(0);
    expect(await readStops(pool, known, [stale])).toEqual([]);
    expect(await loadInDoubt(pool, [stale])).toEqual([]);
    expect(await inTransaction((tx) => lockLeased(tx, [stale]))).toEqual([]);
    expect(await rowOf(first)).toEqual(before);
    expect(await renewLeases(pool, inAnHour(), [leasedRow(again!, WORKER)])).toHaveLength(1);
  });

  it('writes the same of an attempt that is frozen with its cycle as of one that is frozen later', async () => {
    const later = await frozen();
    const id = await shop.dueOrder();
    const cycle = { site_id: shop.siteId, id, cycle: 1, due_utc: later.dueUtc, replaced_utc: null, type: 'GatewayOne' };
    const row = { order_id: 1_000_000, ...SENT, ...cycle };
    const claimant = { worker: WORKER, leaseMs: LEASE_MS, known };
    expect([...(await beginCycles(database.pool, claimant, false, [row]))]).toEqual([id]);
    const own = ['scheduled_order_id', 'order_id', 'created_utc', 'updated_utc', 'started_utc', 'lease_until_utc'];
    const attemptOf = async (scheduledOrderId: number) =>
      Object.fromEntries(Object.entries(await rowOf({ scheduledOrderId })).filter(([name]) => !own.includes(name)));
    const attempt = await attemptOf(id);
    expect(attempt).toEqual(await attemptOf(later.scheduledOrderId));
    expect(attempt).toMatchObject({
      state: 'Charging',
      attempt: 1,
      claim: 1,
      ...SENT,
      frozen: JSON.parse(SENT.frozen!),
    });
  });

  it('freezes once more what it has frozen when the answer was lost, and keeps no attempt twice', async () => {
    const cycle = await frozen();
    expect([...(await freezeAttempts(database.pool, known, [frozenRow(cycle)]))]).toEqual([cycle.scheduledOrderId]);
    expect(await rowOf(cycle)).toMatchObject({ state: 'Charging', attempt: 1, past_attempts: null });
  });

  it('gives back what is held as what waits', async () => {
    const [held, free] = [await claimed(), await claimed()];
    await set(held, 'held_for = 1009');
    await releaseCycles(
      database.pool,
      [held, free].map((cycle) => ownedRow(cycle, WORKER)),
    );
    expect([(await rowOf(held)).state, (await rowOf(free)).state]).toEqual(['Waiting', 'Retrying']);
  });

  it('renews the leases of all cycles but one that somebody keeps locked', async () => {
    const [locked, free] = [await claimed(), await claimed()];
    await inTransaction(async (tx) => {
      await tx.execute(`SELECT FROM processing_cycles WHERE scheduled_order_id = $1 FOR UPDATE`, [
        locked.scheduledOrderId,
      ]);
      const renewed = await inTransaction(async (own) => {
        await own.execute(`SET LOCAL lock_timeout = '10s'`);
        return renewLeases(
          own,
          inAnHour(),
          [locked, free].map((cycle) => ownedRow(cycle, WORKER)),
        );
      });
      expect(renewed.map(({ scheduledOrderId }) => scheduledOrderId)).toEqual([free.scheduledOrderId]);
    });
  });

  it('lets a cycle wait for the gateway that its order has now', async () => {
    const cycle = await claimed();
    await database.query(`UPDATE scheduled_orders SET payment_method_type = 'GatewayTwo' WHERE id = $1`, [
      cycle.scheduledOrderId,
    ]);
    const flags = {
      unsent: false,
      is_look_up: false,
      is_known: false,
      is_replayed: false,
      made_pending: false,
      begins_review: false,
    };
    const kept = { new_status: null, sets_dates: false, next_utc: null, missed_occurrences: 0, transaction_id: null };
    const failures = { payment_failures: 0, technical_failures: 0, retries_exhausted: false };
    const unlogged = { event_type: null, event_description: null, error_description: null, exception_info: null };
    const waiting = { state: 'Waiting', new_attempt: 0, next_attempt_utc: inAnHour(), waiting_since_utc: new Date() };
    const why = { failure_code: 1003, failure_message: 'It is missing.', held_for: null, published: '[]' };
    const row = { ...flags, ...kept, ...failures, ...unlogged, ...waiting, ...why, ...leasedRow(cycle, WORKER) };
    expect(await inTransaction((tx) => recordFailed(tx, [row]))).toBe(1);
    expect(await rowOf(cycle)).toMatchObject({ state: 'Waiting', payment_method_type: 'GatewayTwo', worker: null });
  });

  it('lets nothing be sent when the lease is over, although nobody has taken the cycle over yet', async () => {
    const cycle = await frozen();
    const stops = () => readStops(database.pool, known, [ownedRow(cycle, WORKER)]);
    expect(await stops()).toMatchObject([{ stopped: false, heldBy: null }]);
    await set(cycle, LEASE_IS_OVER);
    expect(await stops()).toEqual([]);
  });

  it('reckons how long ago an attempt was sent in milliseconds', async () => {
    const cycle = await frozen();
    await set(cycle, `started_utc = now() - interval '2 days'`);
    const [row] = await loadInDoubt(database.pool, [leasedRow(cycle, WORKER)]);
    expect(row!.ageMs).toBeGreaterThanOrEqual(2 * 86_400_000);
  });

  it('says of no other cycle than a completed one that it is completed', async () => {
    const cycle = await frozen();
    const completed = () => inTransaction((tx) => readCompleted(tx, [leasedRow(cycle, WORKER)]));
    expect([...(await completed())]).toEqual([]);
    await set(cycle, `state = 'Completed', open = false`);
    expect([...(await completed())]).toEqual([cycle.scheduledOrderId]);
  });

  describe('locks', () => {
    const isLocked = async (table: string, column: string, id: number) =>
      (await database.query(`SELECT FROM ${table} WHERE ${column} = $1 FOR NO KEY UPDATE SKIP LOCKED`, [id])).length ===
      0;
    const areLocked = async (id: number) => [
      await isLocked('scheduled_orders', 'id', id),
      await isLocked('processing_cycles', 'scheduled_order_id', id),
    ];

    it.each([
      ['that are recorded', (tx: Transaction, cycle: LeasedCycle) => lockLeased(tx, [leasedRow(cycle, WORKER)])],
      [
        'that a found charge may belong to',
        async (tx: Transaction, { scheduledOrderId }: LeasedCycle) => {
          await lockNamedOrder(tx, scheduledOrderId);
          await lockNewestCycles(tx, scheduledOrderId);
        },
      ],
    ])('order and cycle %s', async (_, lock) => {
      const cycle = await frozen();
      expect(await areLocked(cycle.scheduledOrderId)).toEqual([false, false]);
      await inTransaction(async (tx) => {
        await lock(tx, cycle);
        expect(await areLocked(cycle.scheduledOrderId)).toEqual([true, true]);
      });
    });

    it('the newest cycle for a request that only looks at it', async () => {
      const cycle = await claimed();
      const { scheduledOrderId: id } = cycle;
      await set(
        cycle,
        `state = 'Completed', open = false, worker = NULL, lease_until_utc = NULL, updated_utc = now() - interval '1 hour'`,
      );
      await request(database, id, async (tx, order, now) => {
        await processNow(tx, order, now);
        expect(await areLocked(id)).toEqual([true, true]);
      });
    });

    it('a wait, so that no cycle joins it', async () => {
      const wait = { siteId: shop.siteId, paymentMethodType: 'GatewayOne' } as const;
      await database.query(`INSERT INTO integration_waits (site_id, payment_method_type) VALUES ($1, 'GatewayOne')`, [
        shop.siteId,
      ]);
      await inTransaction(async (tx) => {
        await lockWait(tx, wait);
        expect(await isLocked('integration_waits', 'site_id', shop.siteId)).toBe(true);
      });
    });
  });

  describe('of a charge in a list of a gateway', () => {
    const listed = ({ scheduledOrderId, dueUtc }: Pick<LeasedCycle, 'scheduledOrderId' | 'dueUtc'>) => ({
      transaction_id: `pi_${scheduledOrderId}`,
      order_id: scheduledOrderId,
      cycle: 0,
      attempt: 1,
      due_utc: new Date(Math.floor(dueUtc.getTime() / 1_000) * 1_000),
      amount: 1250,
      currency_iso: 'USD',
      charged_utc: new Date(),
      is_charged: true,
      gateway_customer_id: 'cus_1',
      is_anyones: false,
    });
    const originOf = ({ siteId, integrationId: paymentIntegrationId }: GivenShop) => ({
      siteId,
      paymentIntegrationId,
      sureUntilUtc: new Date(),
    });

    it('leaves out what names an order of another site', async () => {
      const charge = listed(await claimed());
      expect(await keepUnknown(database.pool, originOf(other), [charge])).toEqual([]);
      expect(await keepUnknown(database.pool, originOf(shop), [charge])).toHaveLength(1);
    });

    it('leaves out what a worker is charging, as long as its lease holds', async () => {
      const cycle = await frozen();
      const keep = () => keepUnknown(database.pool, originOf(shop), [listed(cycle)]);
      expect(await keep()).toEqual([]);
      await set(cycle, LEASE_IS_OVER);
      expect(await keep()).toHaveLength(1);
    });

    it('gives it a place once', async () => {
      const charge = listed(await claimed());
      await keepUnknown(database.pool, originOf(shop), [charge]);
      const found = { paymentIntegrationId: shop.integrationId, transactionId: charge.transaction_id };
      const mark = () => inTransaction((tx) => markFound(tx, found, 'Placed'));
      expect([await mark(), await mark()]).toEqual([true, false]);
    });

    it('gives a place to those first that are certainly ours', async () => {
      const cycle = await claimed();
      const [own, strange] = [listed(cycle), { ...listed(cycle), transaction_id: 'pi_strange', is_anyones: true }];
      const earlier = new Date(own.charged_utc.getTime() - 60_000);
      expect(
        await keepUnknown(database.pool, originOf(shop), [own, { ...strange, charged_utc: earlier }]),
      ).toHaveLength(2);
      expect(await readUnplaced(database.pool, 5, null, 1)).toMatchObject([{ transactionId: own.transaction_id }]);
    });

    it.each([
      [1250, 'of the attempt'],
      [1180, 'of the charge'],
    ])('keeps what was frozen where it was charged: %d', async (amount, amounts) => {
      const cycle = await frozen();
      const { scheduledOrderId: id, dueUtc } = cycle;
      const at = { charged_utc: new Date(), transaction_id: 'pi_found', resolution: 'Found', reason: null };
      const place = { site_id: shop.siteId, id, cycle: 1, attempt: 1, due_utc: dueUtc, replaced_utc: null };
      const charge = { type: 'GatewayOne', ...at, ...SENT, ...place, amount, frozen: '{"amounts": "of the charge"}' };
      await inTransaction((tx) => recordFound(tx, 'open', charge));
      expect(await rowOf(cycle)).toMatchObject({ state: 'Unknown', amount, frozen: { amounts } });
    });

    it('finds the cycle that an audit looks for by the second of its occurrence', async () => {
      const dueUtc = new Date(Math.floor(Date.now() / 1_000 - 3_600) * 1_000 + 250);
      const cycle = await frozen({ nextOccurrenceUtc: dueUtc });
      const { order_id, transaction_id, due_utc, charged_utc } = listed(cycle);
      const named = { order_id, transaction_id, due_utc, charged_utc };
      expect(await readNamedCycles(database.pool, shop.siteId, 'GatewayOne', [named])).toHaveLength(1);
    });
  });

  describe('keeps shops apart', () => {
    const differenceOf = (siteId: number, scheduledOrderId: number): Difference => ({
      siteId,
      kind: 'TwoCharges',
      paymentIntegrationId: null,
      paymentMethodType: 'GatewayOne',
      transactionId: 'pi_twice',
      scheduledOrderId,
      cycle: 1,
      orderId: null,
      ours: null,
      theirs: null,
    });

    it('a difference of one holds no order of another that its charge names', async () => {
      const cycle = await frozen();
      const heldBy = async () => (await readStops(database.pool, known, [ownedRow(cycle, WORKER)]))[0]!.heldBy;
      await reportDifference(database.pool, differenceOf(other.siteId, cycle.scheduledOrderId));
      expect(await heldBy()).toBeNull();
      await reportDifference(database.pool, differenceOf(shop.siteId, cycle.scheduledOrderId));
      expect(await heldBy()).toBe('TwoCharges');
    });

    it.each(['GatewayOne', 'GatewayTwo'] as const)(
      'what is unknown about the key of one goes on when another is paid: %s',
      async (type) => {
        for (const { siteId } of [shop, other])
          await database.query(
            `INSERT INTO integration_waits (site_id, payment_method_type, missing) VALUES ($1, $2, '[{"order": 1}]')`,
            [siteId, type],
          );
        await inTransaction((tx) => endStreaks(tx, [{ site_id: shop.siteId, type }]));
        expect(await database.query(`SELECT site_id FROM integration_waits WHERE missing <> '[]'`)).toEqual([
          { site_id: String(other.siteId) },
        ]);
      },
    );

    it('a new key of one is compared with the ledger, and no key of another', async () => {
      const integrations = [shop, other].map(({ integrationId }) => integrationId);
      await database.query(
        `INSERT INTO integration_reconciliations (payment_integration_id, generation) SELECT unnest($1::bigint[]), 1`,
        [integrations],
      );
      await inTransaction((tx) => integrationChanged(tx, shop.siteId, 'GatewayOne'));
      expect(await database.query(`SELECT payment_integration_id AS id FROM integration_reconciliations`)).toEqual([
        { id: String(other.integrationId) },
      ]);
    });
  });

  it('takes up again what had failed as if it had not', async () => {
    const cycle = await claimed();
    await set(
      cycle,
      `state = 'Failed', open = false, worker = NULL, lease_until_utc = NULL, retries_exhausted = true, ended_utc = now(), held_for = 1009,
       made_pending = true, rescheduled_meanwhile = true, stopped_utc = now(), waiting_since_utc = now()`,
    );
    await request(database, cycle.scheduledOrderId, processNow);
    expect(await rowOf(cycle)).toMatchObject({
      state: 'Retrying',
      open: true,
      retries_exhausted: false,
      ended_utc: null,
      held_for: null,
      made_pending: false,
      rescheduled_meanwhile: false,
      stopped_utc: null,
      waiting_since_utc: null,
      next_attempt_utc: expect.any(String),
    });
  });

  it.each([
    ['the card is unknown, and all cards may be', true, true, false],
    ['another fault was found, and all cards may be unknown', true, false, true],
    ['only this card is unknown', false, true, true],
  ])('has the next order in turn tried where %s: %s, %s, %s', async (_, isWrong, isMissing, isSoon) => {
    await database.query(
      `INSERT INTO integration_waits (site_id, payment_method_type, wrong_account, waiting_since_utc, next_probe_utc)
       VALUES ($1, 'GatewayOne', $2, now(), now() + interval '1 hour')`,
      [shop.siteId, isWrong],
    );
    await probeSoon(database.pool, { siteId: shop.siteId, paymentMethodType: 'GatewayOne' }, isMissing);
    const soon = `SELECT next_probe_utc <= now() + interval '1 second' AS soon FROM integration_waits`;
    expect(await database.query(soon)).toEqual([{ soon: isSoon }]);
  });

  it('lets a test clock stand while an order is processed by it, and tries it again by that clock', async () => {
    const start = '2024-01-31T09:00:00.000Z';
    const simulated = await givenSimulatedShop(database, start);
    const { siteId } = simulated;
    await simulated.order();
    await simulated.advance('2024-02-05T09:00:00.000Z');
    await database.query(`UPDATE test_clocks SET worker = $2 WHERE site_id = $1`, [siteId, WORKER]);
    const [cycle] = await claims.ofSite(siteId).due(5);
    const step = await stepClock(database.pool, { worker: WORKER, leaseMs: LEASE_MS, known }, siteId, 0);
    expect(step).toMatchObject({ presentUtc: new Date(start), isBusy: true, advances: true });

    // Long ago by the real clock, and still to come by this one.
    await set(
      cycle!,
      `state = 'Retrying', worker = NULL, lease_until_utc = NULL, next_attempt_utc = '2024-02-01T09:00:00Z'`,
    );
    expect(await claims.ofSite(siteId).again(5)).toEqual([]);
    expect(await readBacklog(database.pool)).toMatchObject({ retrying: 0 });
    await database.query(`UPDATE test_clocks SET now_utc = '2024-02-01T09:00:00Z' WHERE site_id = $1`, [siteId]);
    expect(await claims.ofSite(siteId).again(5)).toHaveLength(1);
  });

  it('requires one reconciliation when two workers see at once that the database went back', async () => {
    const remembered = { generation: (await readDeployment(database.pool, undefined)).generation, seenUtc: null };
    const noticed = async () =>
      (await readDeployment(database.pool, undefined, { lsn: 'FFFFFFFF/0', ...remembered })).reconciliationCause;
    let both: Promise<unknown>;
    await inTransaction(async (tx) => {
      await tx.execute(`SELECT FROM deployment FOR UPDATE`);
      both = Promise.all([noticed(), noticed()]);
      await until(async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length === 2;
      });
    });
    expect(await both!).toEqual(['memory', 'memory']);
    expect(await database.query(`SELECT cause FROM required_reconciliations`)).toEqual([{ cause: 'memory' }]);
  });
});
