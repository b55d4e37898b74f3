import type { AccountPayment, FoundCharge } from '#libs/gateways';
import { allCyclesSql, archiveCycles, readDeployment, reportDifference } from '#libs/ledger';
import { paymentsOfOthers } from '../../apps/cli/src/moving/own-payments.js';
import { FoundCharges } from '../../apps/worker/src/processor/reconcile/found-charges.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { createWorker, givenShop, vault } from '../support/worker.js';
import { useCli } from './run.js';

const cli = useCli();

describe('A cycle that only a person can settle', () => {
  const database = useDatabase();
  const run = (...args: string[]) =>
    cli(args, { env: { DATABASE_URL: database.url, ENCRYPTION_KEY: 'c0ffee'.padEnd(64, '0'), USER: 'grace' } });

  async function givenUnknown(): Promise<number> {
    const make = given(database);
    const { siteId } = await make.merchant();
    const id = await make.scheduledOrder(siteId, await make.customer(siteId), { status: 'Pending' });
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, amount, currency_iso, order_id,
         retries_exhausted, failure_code, failure_message, next_attempt_utc)
       VALUES ($1, $2, 1, 'Unknown', true, '2026-01-15T10:00:00Z', 1, 1250, 'USD', nextval('orders_id_seq'), true, 2001,
         'The shop has to look.', '2026-01-16T10:00:00Z')`,
      [siteId, id],
    );
    return id;
  }

  it('is listed with the reason by cycles:stuck', async () => {
    const id = await givenUnknown();
    const { code, stdout } = await run('cycles:stuck', '--state', 'unknown');
    const listed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ScheduledOrderId: number });
    expect(code).toBe(0);
    expect(listed.find(({ ScheduledOrderId }) => ScheduledOrderId === id)).toEqual({
      ScheduledOrderId: id,
      Cycle: 1,
      SiteId: expect.any(Number),
      State: 'Unknown',
      Why: 'The service could not find out whether it was charged. Look at the gateway, then run cycles:resolve. The shop has to look.',
      FailureCode: 2001,
      DueUtc: expect.stringMatching(/^2026-01-15T10:00:00/),
      Attempts: 1,
      LookUps: 0,
      Amount: 1250,
      CurrencyIso: 'USD',
      GatewayTransactionId: null,
      NextAttemptUtc: expect.stringMatching(/^2026-01-16T10:00:00/),
    });
    expect(await run('cycles:stuck', '--state', 'waiting')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['charged', ['--charged', 'pi_found'], 'Charged', 'charged as pi_found'],
    ['not charged', ['--not-charged'], 'NotCharged', 'not charged'],
  ])('is settled as %s by cycles:resolve, and the log says by whom', async (_, found, resolution, words) => {
    const id = await givenUnknown();
    expect(await run('cycles:resolve', '--order', String(id), '--cycle', '1', ...found)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Cycle 1 of scheduled order ${id} is decided: a worker acts on it now.\n`,
    });
    const rows = await database.query(
      `SELECT c.resolution, c.next_attempt_utc <= now() AS now, l.description FROM processing_cycles c
       JOIN error_logs l ON l.scheduled_order_id = c.scheduled_order_id WHERE c.scheduled_order_id = $1`,
      [id],
    );
    const description = `The occurrence of 2026-01-15 10:00 UTC was settled by hand by grace: ${words}.`;
    expect(rows).toEqual([{ resolution, now: true, description }]);
  });

  it.each([
    ['charged', ['--charged', 'pi_found']],
    ['not charged', ['--not-charged']],
  ])('is settled as %s with the difference of its charge, and with no other one', async (_, found) => {
    const id = await givenUnknown();
    const [{ site_id: siteId }] = (await database
      .query(
        `UPDATE processing_cycles SET resolution = 'NeedsReview' WHERE scheduled_order_id = $1 RETURNING site_id::float8`,
        [id],
      )
      .then(([rows]) => rows)) as [{ site_id: number }];
    const integration = await given(database).integration(vault, siteId);
    await database.query(
      `INSERT INTO found_charges (payment_integration_id, site_id, transaction_id, scheduled_order_id, cycle, attempt, amount, charged_utc, is_charged, is_doubtful, state)
       VALUES ($1, $2, 'pi_found', $3, 0, 1, 1250, now(), true, true, 'Placed')`,
      [integration, siteId, id],
    );
    for (const [transactionId, kind] of [
      ['pi_found', 'ChargeWithoutCycle'],
      ['pi_second', 'TwoCharges'],
    ] as const)
      await reportDifference(database.pool, {
        ...{ siteId, kind, paymentIntegrationId: integration, paymentMethodType: 'GatewayOne', transactionId },
        ...{ scheduledOrderId: id, cycle: 1, orderId: null, ours: null, theirs: null },
      });
    expect((await run('cycles:resolve', '--order', String(id), '--cycle', '1', ...found)).code).toBe(0);
    expect(
      await database.query(
        `SELECT gateway_transaction_id AS charge, state FROM payment_differences WHERE scheduled_order_id = $1 ORDER BY id`,
        [id],
      ),
    ).toEqual([
      { charge: 'pi_found', state: 'Settled' },
      { charge: 'pi_second', state: 'Open' },
    ]);
  });

  it.each([
    ['without saying which', ['--cycle', '1'], 'Say either --charged TRANSACTION or --not-charged.'],
    ['when there is no such cycle', ['--cycle', '7', '--not-charged'], 'Scheduled order ORDER has no cycle 7.'],
  ])('is left alone %s', async (_, options, sentence) => {
    const id = await givenUnknown();
    const { code, stderr } = await run('cycles:resolve', '--order', String(id), ...options);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence.replace('ORDER', String(id)));
  });
});

describe('deployment:adopt', () => {
  const database = useDatabase();

  it('makes a copy the one to charge from', async () => {
    await readDeployment(database.pool, undefined);
    await database.query(`UPDATE deployment SET system_identifier = 'another'`);
    const { code, stdout } = await cli(['deployment:adopt'], { env: { DATABASE_URL: database.url } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      DeploymentId: expect.stringMatching(/^made-/),
      AdoptedUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const [row] = await database.query(
      `SELECT system_identifier <> 'another' AS own, adopted_utc IS NOT NULL AS adopted FROM deployment`,
    );
    expect(row).toEqual({ own: true, adopted: true });
  });
});

describe('cycles:archive', () => {
  const database = useDatabase();
  const make = given(database);
  const archive = (months: string) =>
    cli(['cycles:archive', '--older-than', months], { env: { DATABASE_URL: database.url } });
  const archived = (cycles: number, orders: number) => ({
    code: 0,
    stderr: '',
    stdout: `${JSON.stringify({ Archived: cycles, ScheduledOrders: orders })}\n`,
  });

  /**
   * An order with completed cycles, the newest of which ended at `newestUtc`, and each other a month before the one
   * after it.
   */
  async function givenCycles(count: number, newestUtc: string): Promise<number> {
    const { siteId } = await make.merchant();
    const id = await make.scheduledOrder(siteId, await make.customer(siteId), { status: 'Pending' });
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, updated_utc, order_id, gateway_transaction_id)
       SELECT $1, $2, n, 'Completed', false, at, at, n, 'pi_' || n
       FROM generate_series(1, $3::int) n CROSS JOIN LATERAL (SELECT $4::timestamptz - ($3 - n) * interval '1 month' AS at) a`,
      [siteId, id, count, newestUtc],
    );
    return id;
  }

  const numbersOf = async (id: number) => {
    const [row] = await database.query<{ ledger: string; archive: string | null; newest: string | null }>(
      `SELECT (SELECT string_agg(c.cycle::text, ' ' ORDER BY c.cycle) FROM processing_cycles c WHERE c.scheduled_order_id = o.id) AS ledger,
         (SELECT string_agg(c ->> 'cycle', ' ' ORDER BY a.last_cycle, (c ->> 'cycle')::int)
          FROM archived_cycles a, jsonb_array_elements(a.cycles) c WHERE a.scheduled_order_id = o.id) AS archive, o.archived_cycle AS newest
       FROM scheduled_orders o WHERE o.id = $1`,
      [id],
    );
    return row!;
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i).join(' ');
  const untouched = (count: number) => ({ ledger: numbers(1, count), archive: null, newest: null });
  const now = () => new Date().toISOString();

  it('moves what ended long ago by dozens, and keeps what is newer', async () => {
    const [few, enough] = [await givenCycles(23, now()), await givenCycles(24, now())];
    expect(await archive('12')).toEqual(archived(12, 1));
    expect(await numbersOf(few)).toEqual(untouched(23));
    expect(await numbersOf(enough)).toEqual({ ledger: numbers(13, 24), archive: numbers(1, 12), newest: '12' });
    expect(await archive('12')).toEqual(archived(0, 0));
    // Of orders without newer cycles the rest follows.
    await database.query(`UPDATE processing_cycles SET updated_utc = updated_utc - interval '1 year'`);
    expect(await archive('12')).toEqual(archived(21 + 10, 2));
    expect(await numbersOf(enough)).toEqual({ ledger: '23 24', archive: numbers(1, 22), newest: '22' });
  });

  it('keeps the newest two of an order, an open one, and single ones for which a row is too much', async () => {
    const [ended, short, open] = await Promise.all(
      [5, 4, 40].map((count) => givenCycles(count, '2020-01-15T10:00:00Z')),
    );
    await database.query(
      `UPDATE processing_cycles SET state = 'Unknown', open = true, next_attempt_utc = now() WHERE scheduled_order_id = $1 AND cycle = 3`,
      [open],
    );
    expect(await archive('1200')).toEqual(archived(0, 0));
    expect(await archive('12')).toEqual(archived(3, 1));
    expect(await numbersOf(ended!)).toEqual({ ledger: '4 5', archive: '1 2 3', newest: '3' });
    expect(await numbersOf(short!)).toEqual(untouched(4));
    expect(await numbersOf(open!)).toEqual(untouched(40));
  });

  it('waits for nobody: an order that is locked is left for the next run', async () => {
    const id = await givenCycles(14, '2020-01-15T10:00:00Z');
    const request = database.dataSource.createQueryRunner();
    await request.startTransaction();
    await request.query(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    expect(await archive('12')).toEqual(archived(0, 0));
    await request.rollbackTransaction();
    await request.release();
    expect(await archive('12')).toEqual(archived(12, 1));
    expect(await numbersOf(id)).toEqual({ ledger: '13 14', archive: numbers(1, 12), newest: '12' });
  });

  it('leaves to the ledger what a reconciliation may have to compare', async () => {
    const id = await givenCycles(14, '2020-01-15T10:00:00Z');
    await database.query(
      `INSERT INTO required_reconciliations (generation, cause, cut_off_utc) VALUES (1, 'Restored', '2020-02-14T10:00:00Z')`,
    );
    expect(await archive('12')).toEqual(archived(0, 0));
    await database.query(`UPDATE required_reconciliations SET cut_off_utc = '2020-05-15T10:00:00Z'`);
    expect(await archive('12')).toEqual(archived(12, 1));
    expect((await numbersOf(id)).newest).toBe('12');
    await database.query(`DELETE FROM required_reconciliations`);
  });

  it('refuses less than three months', async () => {
    for (const months of ['2', '1201', '-1', '3.5', 'P1Y']) {
      const { code, stdout, stderr } = await archive(months);
      expect([code, stdout]).toEqual([64, '']);
      expect(stderr).toContain('It is not a number from 3 to 1200.');
    }
  });

  it('may run while a worker processes the same orders', async () => {
    const ids = await (await givenShop(database)).dueOrders(60);
    await database.query(
      `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, updated_utc)
       SELECT o.site_id, o.id, n, 'Skipped', false, '2020-01-15', '2020-01-15' FROM scheduled_orders o, generate_series(1, 14) n WHERE o.id = ANY ($1::bigint[])`,
      [ids],
    );
    const worker = createWorker(database);
    const drain = { isOver: false };
    const work = worker.drain().finally(() => (drain.isOver = true));
    while (!drain.isOver) await archiveCycles(database.pool, 12);
    await work;
    // The archive may have had all of the orders locked when the worker looked.
    await worker.drain();
    await worker.end();
    expect((await archiveCycles(database.pool, 12)).orders).toBe(0);
    const cycles = await database.query(
      `SELECT string_agg(c.cycle::text, ' ' ORDER BY c.cycle) AS numbers, max(c.state) FILTER (WHERE c.cycle = 15) AS newest,
         (SELECT string_agg(x.cycle::text, ' ') FROM orders x WHERE x.scheduled_order_id = o.id) AS written, o.archived_cycle IN (12, 13) AS archived
       FROM scheduled_orders o CROSS JOIN LATERAL ${allCyclesSql('o')} c WHERE o.id = ANY ($1::bigint[]) GROUP BY o.id`,
      [ids],
    );
    const whole = { numbers: numbers(1, 15), newest: 'Completed', written: '15', archived: true };
    expect(cycles).toEqual(ids.map(() => whole));
  });

  it('is known to who compares the ledger with charges in a list of the gateway', async () => {
    const id = await givenCycles(14, '2020-01-15T10:00:00Z');
    await archive('12');
    const [{ site_id: siteId }] = (await database
      .query(`UPDATE scheduled_orders SET payment_method_customer_id = 'cus_1' WHERE id = $1 RETURNING site_id`, [id])
      .then(([rows]) => rows)) as [{ site_id: string }];
    const listed = (transactionId: string, cycle: number, dueUtc: Date | null): FoundCharge => ({
      transactionId,
      siteId: null,
      installation: 'unnamed',
      gatewayCustomerId: 'cus_1',
      scheduledOrderId: id,
      cycle,
      attempt: 1,
      dueUtc,
      amount: 1_000,
      currencyIso: 'USD',
      chargedUtc: new Date('2020-01-15T10:00:00Z'),
      isCharged: true,
      refunded: 0,
      isVoided: false,
      isDisputed: false,
    });
    const keep = (...charges: FoundCharge[]) =>
      new FoundCharges(database.pool).keep(
        { paymentIntegrationId: 1, paymentMethodType: 'GatewayOne', siteId: Number(siteId), sureUntilUtc: new Date() },
        charges,
      );
    const own = listed('pi_7', 7, new Date('2019-06-15T10:00:00Z'));
    // The gateway tells no occurrence of it: with the number of a cycle that was completed long ago, it is another
    // installation's.
    const foreign = listed('pi_of_another', 3, null);
    expect(await keep(own, foreign)).toEqual({ orphans: [], orderIds: [] });
    expect(await keep(listed('pi_unknown', 7, new Date('2019-06-15T10:00:00Z')))).toEqual({
      orphans: [],
      orderIds: [id],
    });
  });

  it('commands find what is in the archive', async () => {
    const id = await givenCycles(14, '2020-01-15T10:00:00Z');
    await archive('12');
    const { code, stderr } = await cli(['cycles:resolve', '--order', String(id), '--cycle', '7', '--not-charged'], {
      env: { DATABASE_URL: database.url },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cycle 7 of scheduled order ${id} is Completed`)]);
    const payment = (transactionId: string, about: Partial<FoundCharge>) =>
      ({ transactionId, named: { scheduledOrderId: id, installation: 'this', ...about } }) as AccountPayment;
    const seventh = { dueUtc: new Date('2019-06-15T10:00:00Z') };
    const foreign = [payment('pi_of_another', seventh), payment('pi_7', { ...seventh, installation: 'other' })];
    const inOldForm = payment('pi_8', { dueUtc: null, installation: 'unnamed' });
    const all = [payment('pi_7', seventh), ...foreign, inOldForm];
    expect(await paymentsOfOthers(database.pool, all)).toEqual([...foreign, inOldForm]);
  });
});
