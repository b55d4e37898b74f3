import { type Charge, Gateways, type PaymentMethodType } from '#libs/gateways';
import { DeploymentGuard } from '../../apps/worker/src/guards/deployment-guard.js';
import { givenCharge } from '../gateways/given-charge.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn, StripeStandIn } from '../support/gateways/index.js';
import { until } from '../support/until.js';
import { createWorker, type GivenShop, givenShop, type TestWorker, type WorkerEnvironment } from '../support/worker.js';
import { type Books, booksOfOne, booksOfTwo } from './audited-books.js';
import { type Paid, WAYS } from './audited-ways.js';

const KEYS = {
  GatewayOne: { apiKey1: 'sk_test_audit' },
  GatewayTwo: { apiAccount: 'login', apiKey1: 'key4567890123456' },
};
const TYPES = ['GatewayOne', 'GatewayTwo'] as const;
/** Longer than the lists may lag behind. */
const AGO_MS = 600_000;
const ELSEWHERE = { customer: '1001', card: '2001', amount: 4_990, currency: 'USD' };

describe('The audit', () => {
  const database = useDatabase();
  let one: StripeStandIn;
  let two: AuthorizeNetStandIn;
  let shops: Record<PaymentMethodType, GivenShop>;
  const workers: TestWorker[] = [];

  beforeEach(async () => {
    one = await StripeStandIn.start();
    two = await AuthorizeNetStandIn.start();
    shops = {
      GatewayOne: await givenShop(database, { type: 'GatewayOne', ...KEYS.GatewayOne }),
      GatewayTwo: await givenShop(database, { type: 'GatewayTwo', ...KEYS.GatewayTwo }),
    };
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.end();
    await Promise.all([one.stop(), two.stop()]);
    await database.query(`UPDATE integration_audits SET next_audit_utc = 'infinity', lease_until_utc = NULL`);
  });

  const newWorker = (settings: WorkerEnvironment = {}): TestWorker => {
    const env = { GATEWAY_ONE_URL: one.url, GATEWAY_TWO_URL: two.url, GATEWAY_TIMEOUT: 'PT20S', ...settings };
    const worker = createWorker(database, env);
    workers.push(worker);
    return worker;
  };

  /** What is done at the gateways in `work` was done ten minutes ago. */
  async function ago<T>(work: () => Promise<T>): Promise<T> {
    for (const standIn of [one, two]) standIn.clockAheadMs = -AGO_MS;
    try {
      return await work();
    } finally {
      for (const standIn of [one, two]) standIn.clockAheadMs = 0;
    }
  }

  /** Charges what is due, ten minutes ago. */
  async function charge(): Promise<void> {
    const worker = newWorker();
    await ago(() => worker.drain());
    await database.query(
      `UPDATE orders SET date_created = now() - $1 * interval '1 millisecond' WHERE date_created > now() - interval '1 minute'`,
      [AGO_MS],
    );
    await worker.end();
    workers.splice(workers.indexOf(worker), 1);
  }

  const comeDue = () =>
    database.query(
      `UPDATE integration_audits SET next_audit_utc = now(), checked_until_utc = now() - 2 * $1 * interval '1 millisecond'
      WHERE next_audit_utc <> 'infinity'`,
      [AGO_MS],
    );

  async function audit(): Promise<void> {
    await comeDue();
    await newWorker().drain();
  }

  /** Lists nothing that was listed before. */
  async function auditOnwards(): Promise<void> {
    await database.query(
      `UPDATE integration_audits SET next_audit_utc = now(), checked_until_utc = now() - interval '1 minute'`,
    );
    await newWorker().drain();
  }

  async function giveUp(id: number): Promise<void> {
    await database.query(`UPDATE scheduled_orders SET status = 'Pending' WHERE id = $1`, [id]);
    await database.query(
      `UPDATE processing_cycles SET state = 'Failed', open = false, next_attempt_utc = NULL, ended_utc = now() WHERE scheduled_order_id = $1`,
      [id],
    );
  }

  const found = async (siteId?: number) =>
    database.query<{ kind: string; id: number; state: string; holds: boolean }>(
      `SELECT kind, scheduled_order_id::float8 AS id, state, holds FROM payment_differences WHERE site_id = coalesce($1, site_id) ORDER BY id, kind`,
      [siteId ?? null],
    );
  const bothSites = async () => [...(await found(shops.GatewayOne.siteId)), ...(await found(shops.GatewayTwo.siteId))];

  const auditOf = async (type: PaymentMethodType) =>
    (
      await database.query<{
        audited_utc: Date | null;
        next_audit_utc: Date | number;
        worker: string | null;
        open: object[];
        in_ms: number;
      }>(
        `SELECT audited_utc, next_audit_utc, worker, open_charges AS open, extract(epoch FROM next_audit_utc - now())::float8 * 1000 AS in_ms
         FROM integration_audits WHERE payment_integration_id = $1`,
        [shops[type].integrationId],
      )
    )[0];

  /** Charges past the service, as somebody who has the account's key. @returns the transaction. */
  async function chargePast(type: PaymentMethodType, about: Partial<Charge>): Promise<string> {
    const standIn = type === 'GatewayOne' ? one : two;
    const gateways = new Gateways({ gatewayOneUrl: one.url, gatewayTwoUrl: two.url, timeoutMs: 20_000 });
    const credentials = { type, apiAccount: null, apiKey2: null, testMode: true, ...KEYS[type] };
    const before = standIn.served.charge;
    await ago(() =>
      gateways.for(1, credentials).charge(
        givenCharge({
          gatewayCustomerId: '1001',
          gatewayPaymentId: '2001',
          ...about,
          idempotencyKey: `foreign-${before}`,
        }),
      ),
    );
    gateways.close();
    return (standIn === one ? one.intentIds : two.transactionIds).at(-1)!;
  }

  async function paidOf(type: PaymentMethodType, id: number, otherId: number, books: Books): Promise<Paid> {
    const [cycle] = await database.query<{ due_utc: Date; gateway_transaction_id: string; amount: string }>(
      `SELECT due_utc, gateway_transaction_id, amount FROM processing_cycles WHERE scheduled_order_id = $1`,
      [id],
    );
    const [deployment] = await database.query<{ key_prefix: string }>(`SELECT key_prefix FROM deployment`);
    const { due_utc: dueUtc, gateway_transaction_id: transactionId, amount } = cycle!;
    const installation = deployment!.key_prefix;
    const own = { scheduledOrderId: id, dueUtc, installation, amount: Number(amount), attempt: 2 };
    return {
      ...{ id, otherId, transactionId, dueUtc, installation, books },
      sql: (statement) => database.query(statement, [id]),
      again: (about) => chargePast(type, { ...own, siteId: shops[type].siteId, ...about }),
      void: (voided) => two.void(voided),
      settle: (settled) => two.settleOne(settled),
    };
  }

  const declineAtTwo = (named: Partial<Charge>) =>
    chargePast('GatewayTwo', { ...named, gatewayPaymentId: '9001002', attempt: 3 });

  /** In each of the ways, at least once. */
  const PLANTED = ALL_CASES ? 50 : WAYS.length;

  it(`finds each of ${2 * PLANTED} planted differences in one pass, and nothing else`, async () => {
    const ids = {
      GatewayOne: await shops.GatewayOne.dueOrders(PLANTED + 5),
      GatewayTwo: await shops.GatewayTwo.dueOrders(PLANTED + 5),
    };
    await charge();
    const books = { GatewayOne: booksOfOne(one), GatewayTwo: booksOfTwo(two, declineAtTwo) };
    const expected: { kind: string; id: number }[] = [];
    for (const type of TYPES) {
      const ways = WAYS.filter(({ only }) => only === undefined || only === type);
      for (const [n, id] of ids[type].slice(0, PLANTED).entries()) {
        const { plant, kinds } = ways[n % ways.length]!;
        const paid = await paidOf(type, id, ids[type].at(-1)!, books[type]);
        if (type === 'GatewayTwo' && n % 3 === 0) two.settleOne(paid.transactionId);
        const other = await plant(paid);
        expected.push(...kinds.map((kind) => ({ kind, id: typeof other === 'number' ? other : id })));
      }
    }
    expect(new Set(expected.map(({ kind }) => kind)).size).toBe(13);
    await audit();
    const seen = (await bothSites()).map(({ kind, id }) => `${id} ${kind}`);
    expect(seen.sort()).toEqual(expected.map(({ kind, id }) => `${id} ${kind}`).sort());

    await audit();
    expect(await bothSites()).toHaveLength(seen.length);
  });

  it('finds nothing where all is well: orders, declines, retries, lost answers, refusals', async () => {
    for (const type of TYPES) {
      const ids = await shops[type].dueOrders(20);
      await shops[type].dueOrders(3, { paymentMethodId: type === 'GatewayOne' ? 'pm_declined' : '9001002' });
      await database.query(`UPDATE scheduled_orders SET status = 'Paused' WHERE id = $1`, [ids[0]]);
    }
    for (const standIn of [one, two])
      standIn.faults.randomly({ loseAfter: 0.2, loseBefore: 0.2, unavailable: 0.1, errorAfter: 0.1 });
    await charge();
    for (const standIn of [one, two]) standIn.faults.none();
    await audit();
    expect((await auditOf('GatewayOne'))!.open.length + (await auditOf('GatewayTwo'))!.open.length).toBeGreaterThan(0);
    await database.query(
      `UPDATE processing_cycles SET next_attempt_utc = now() WHERE open AND next_attempt_utc IS NOT NULL`,
    );
    await charge();
    await audit();
    expect(await bothSites()).toEqual([]);
    expect(one.ledger.charges.length).toBeGreaterThan(10);
    for (const type of TYPES)
      expect(await auditOf(type)).toMatchObject({ worker: null, audited_utc: expect.any(Date), open: [] });
  });

  it('finds nothing in what other software, another installation and guests charge', async () => {
    for (const type of TYPES) {
      const [id] = await shops[type].dueOrders(2);
      await charge();
      await chargePast(type, { scheduledOrderId: id!, installation: 'another', siteId: shops[type].siteId });
      await chargePast(type, { scheduledOrderId: id!, installation: 'of another shop', siteId: 999_999 });
      if (type === 'GatewayTwo') two.chargeElsewhere('login', { ...ELSEWHERE, invoice: `${id!}-1-1` });
    }
    one.chargeElsewhere('sk_test_audit', { customer: null, card: 'pm_guest', amount: 4_990, currency: 'USD' });
    two.chargeElsewhere('login', ELSEWHERE);
    await audit();
    expect(await bothSites()).toEqual([]);
  });

  it('compares a charge whose outcome was not known when it is', async () => {
    const id = await shops.GatewayOne.dueOrder();
    one.faults.next('loseAfter');
    one.faults.always('unavailable', 'lookUp');
    one.faults.next('unavailable', { times: 100 });
    await charge();
    one.faults.none();
    await comeDue();
    await database.query(
      `UPDATE processing_cycles SET next_attempt_utc = now() + interval '1 hour' WHERE scheduled_order_id = $1`,
      [id],
    );
    await newWorker().drain();
    expect((await auditOf('GatewayOne'))!.open).toHaveLength(1);

    // A look-up that did not find it has made the cycle fail since, and no list shows its charge again.
    await giveUp(id);
    await auditOnwards();
    expect(await found(shops.GatewayOne.siteId)).toEqual([
      { kind: 'ChargedAfterStop', id, state: 'Open', holds: true },
    ]);
  });

  describe.each(TYPES)('of a charge at %s that the gateway had not decided', (type) => {
    const decide = (isCharged: boolean) => {
      for (const id of one.undecidedIds) one.finish(id, isCharged ? 'succeeded' : 'requires_payment_method');
      for (const id of two.undecidedIds) two.finish(id, isCharged ? 'capturedPendingSettlement' : 'declined');
    };
    let id: number;

    /** It is listed once. */
    beforeEach(async () => {
      id = await shops[type].dueOrder();
      for (const standIn of [one, two]) standIn.faults.next('undecided');
      await charge();
      await audit();
      expect((await auditOf(type))!.open).toHaveLength(1);
    });

    it('finds nothing when it is declined, and the next attempt is paid', async () => {
      decide(false);
      for (const attempt of ['look-up', 'next attempt']) {
        await database.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE open`);
        await charge();
        await auditOnwards();
        expect([attempt, await bothSites()]).toEqual([attempt, []]);
      }
      expect(await database.query(`SELECT state FROM processing_cycles WHERE scheduled_order_id = $1`, [id])).toEqual([
        // At GatewayTwo the first one might still arrive for hours.
        { state: type === 'GatewayOne' ? 'Completed' : 'Retrying' },
      ]);
      expect((await auditOf(type))!.open).toHaveLength(type === 'GatewayOne' ? 0 : 1);
    });

    it('waits until it is decided, also when its cycle has ended, and nothing was sent for a day', async () => {
      await giveUp(id);
      await database.query(`UPDATE integration_audits SET sent_utc = now() - interval '25 hours'`);
      await auditOnwards();
      expect([await bothSites(), (await auditOf(type))!.open.length]).toEqual([[], 1]);
      expect((await auditOf(type))!.in_ms).toBeLessThanOrEqual(600_000);
      decide(true);
      await auditOnwards();
      expect(await bothSites()).toEqual([{ kind: 'ChargedAfterStop', id, state: 'Open', holds: true }]);
      expect((await auditOf(type))!.in_ms).toBe(Infinity);
    });
  });

  it('asks no more for a charge that the gateway refuses to tell of, when nothing was sent for a day', async () => {
    const id = await shops.GatewayTwo.dueOrder();
    two.faults.next('undecided');
    await charge();
    await audit();
    await giveUp(id);
    // The lists can be read.
    two.whenAsked = (request) => void (request === 'getTransactionDetailsRequest' && two.withoutDetails.add('login'));
    await database.query(`UPDATE integration_audits SET sent_utc = now() - interval '25 hours'`);
    await auditOnwards();
    expect((await auditOf('GatewayTwo'))!.in_ms).toBe(Infinity);
  });

  itInAllCases(
    'says nothing about a ledger that loses commits in the meantime: a reconciliation comes first',
    async () => {
      const id = await shops.GatewayOne.dueOrder();
      await charge();
      await comeDue();
      one.latencyMs = Infinity;
      const lookUps = one.served.lookUp;
      const audited = newWorker().drain();
      await until(() => one.served.lookUp > lookUps);
      await database.query(
        `UPDATE scheduled_orders o SET next_occurrence_utc = c.due_utc FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND o.id = $1`,
        [id],
      );
      await database.query(
        `DELETE FROM order_items i USING orders o WHERE o.id = i.order_id AND o.scheduled_order_id = $1`,
        [id],
      );
      for (const table of ['orders', 'processing_cycles'])
        await database.query(`DELETE FROM ${table} WHERE scheduled_order_id = $1`, [id]);
      await database.query(`UPDATE deployment SET timeline = 'another'`);
      one.latencyMs = 0;
      one.letGo();
      await audited;
      expect(await bothSites()).toEqual([]);
      expect((await auditOf('GatewayOne'))!.in_ms).toBeLessThanOrEqual(60_000);

      // Nothing is compared for twice this time.
      await newWorker({ GATEWAY_TIMEOUT: 'PT3S' }).drain();
      await database.query(`UPDATE required_reconciliations SET began_utc = began_utc - interval '1 minute'`);
      await audit();
      expect(await bothSites()).toEqual([]);
      expect(
        await database.query(
          `SELECT state, gateway_transaction_id AS id FROM processing_cycles WHERE scheduled_order_id = $1`,
          [id],
        ),
      ).toEqual([{ state: 'Completed', id: one.intentIds[0] }]);
      expect(one.ledger.charges).toHaveLength(1);
    },
  );

  it.each(TYPES)('does not miss at %s the payment of an outcome that was recorded hours later', async (type) => {
    const id = await shops[type].dueOrder();
    await charge();
    for (const standIn of [one, two]) standIn.clockAheadMs = 3_600_000;
    await audit();
    for (const standIn of [one, two]) standIn.clockAheadMs = 0;
    expect(await found(shops[type].siteId)).toEqual([]);
    expect((await auditOf(type))!.open).toEqual([]);
    expect(id).toBeGreaterThan(0);
  });

  itInAllCases('asks once for each 100 charges, and for what was given back', async () => {
    await shops.GatewayOne.dueOrders(500);
    await charge();
    const before = one.served.lookUp;
    await audit();
    expect(one.served.lookUp - before).toBeLessThanOrEqual(5 + 2);
    expect((await auditOf('GatewayOne'))!.in_ms).toBeGreaterThan(500_000);
    expect(await bothSites()).toEqual([]);
  });

  it('costs nothing where nothing was sent for a day, and begins anew with the next charge', async () => {
    await shops.GatewayOne.dueOrder();
    await charge();
    await database.query(`UPDATE integration_audits SET sent_utc = now() - interval '25 hours'`);
    await audit();
    expect(await auditOf('GatewayOne')).toMatchObject({ audited_utc: null, in_ms: Infinity });
    const before = one.served.lookUp;
    await newWorker().drain();
    expect(one.served.lookUp).toBe(before);

    await shops.GatewayOne.dueOrder();
    await charge();
    const begun = (await auditOf('GatewayOne'))!;
    expect(begun.audited_utc).not.toBeNull();
    expect(begun.in_ms).toBeLessThanOrEqual(600_000);
  });

  itInAllCases('sees after such a day what was sent shortly before the charge that was noted', async () => {
    const id = await shops.GatewayOne.dueOrder();
    await charge();
    await database.query(`UPDATE integration_audits SET sent_utc = now() - interval '25 hours'`);
    await audit();
    await chargePast('GatewayOne', { ...(await doubleOf(id)), siteId: shops.GatewayOne.siteId });

    await shops.GatewayOne.dueOrder();
    await charge();
    await database.query(`UPDATE integration_audits SET next_audit_utc = now()`);
    await newWorker().drain();
    expect(await bothSites()).toMatchObject([{ kind: 'TwoCharges', id }]);
  });

  it.each(TYPES)('begins at %s with a charge that is only looked up, too', async (type) => {
    const id = await shops[type].dueOrder();
    for (const standIn of [one, two]) standIn.faults.next('undecided');
    await charge();
    await database.query(`DELETE FROM integration_audits`);
    await database.query(`UPDATE processing_cycles SET next_attempt_utc = now() WHERE scheduled_order_id = $1`, [id]);
    await newWorker().drain();
    expect(await auditOf(type)).toMatchObject({ audited_utc: expect.any(Date) });
  });

  itInAllCases(
    'takes each integration once in a round, also where its audit takes longer than until the next one',
    async () => {
      await shops.GatewayOne.dueOrder();
      await charge();
      await database.query(`CREATE FUNCTION be_due() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.next_audit_utc = now() - interval '1 millisecond'; RETURN NEW; END $$`);
      await database.query(`CREATE TRIGGER be_due BEFORE UPDATE ON integration_audits FOR EACH ROW
      WHEN (NEW.worker IS NULL) EXECUTE FUNCTION be_due()`);
      const before = one.served.lookUp;
      await audit();
      await database.query(`DROP FUNCTION be_due CASCADE`);
      // Payments, refunds and disputes.
      expect(one.served.lookUp - before).toBe(3);
    },
  );

  itInAllCases('compares the last day again, once, after a clock that was ahead', async () => {
    const id = await shops.GatewayOne.dueOrder();
    await charge();
    await chargePast('GatewayOne', { ...(await doubleOf(id)), siteId: shops.GatewayOne.siteId });
    const times = `checked_until_utc < now() - interval '23 hours' AND audited_utc <= now() AND sent_utc <= now() AND next_audit_utc <= now()`;
    // As a trigger writes the stamp while the clock is wrong.
    await database.query(`ALTER TABLE integration_audits DISABLE TRIGGER tr_integration_audits_written`);
    await database.query(`UPDATE integration_audits SET worker = 'gone', written_utc = now() + interval '2 minutes', sent_utc = now() + interval '2 minutes',
      audited_utc = now() + interval '2 minutes', checked_until_utc = now() - interval '1 minute', next_audit_utc = now() + interval '12 minutes',
      lease_until_utc = now() + interval '5 minutes'`);
    await database.query(`ALTER TABLE integration_audits ENABLE TRIGGER tr_integration_audits_written`);
    const ids = () => database.query(`SELECT payment_integration_id AS id FROM integration_audits WHERE ${times}`);
    const worker = newWorker();
    await (await worker.part(DeploymentGuard)).checkAnew();
    expect(await ids()).not.toEqual([]);
    await worker.drain();
    expect(await ids()).toEqual([]);
    expect(await bothSites()).toMatchObject([{ kind: 'TwoCharges', id }]);
  });

  it('compares nothing that the list may not show yet, as GATEWAY_LIST_LAG says', async () => {
    await shops.GatewayOne.dueOrder();
    await charge();
    await comeDue();
    await newWorker({ GATEWAY_LIST_LAG: 'PT15M' }).drain();
    const [row] = await database.query<{ ago_ms: number }>(
      `SELECT extract(epoch FROM now() - checked_until_utc)::float8 * 1000 AS ago_ms FROM integration_audits WHERE payment_integration_id = $1`,
      [shops.GatewayOne.integrationId],
    );
    expect(row!.ago_ms).toBeGreaterThanOrEqual(900_000);
  });

  it('survives a page that meets a fault, and puts off what does not answer', async () => {
    const id = await shops.GatewayTwo.dueOrder();
    await charge();
    two.settleAll();
    two.whenAsked = (request) => {
      if (request !== 'getUnsettledTransactionListRequest') return;
      two.whenAsked = null;
      two.faults.next('unavailable', { operation: 'lookUp' });
    };
    await chargePast('GatewayTwo', await doubleOf(id));
    await audit();
    expect(two.faults.met.get('unavailable')).toBe(1);
    expect(await found(shops.GatewayTwo.siteId)).toMatchObject([{ kind: 'TwoCharges', id }]);

    two.faults.next('unavailable', { operation: 'lookUp' });
    const { audited_utc } = (await auditOf('GatewayTwo'))!;
    await audit();
    const putOff = (await auditOf('GatewayTwo'))!;
    expect(putOff).toMatchObject({ audited_utc, worker: null });
    expect(putOff.in_ms).toBeLessThanOrEqual(60_000);
  });

  const doubleOf = async (id: number): Promise<Partial<Charge>> => {
    const [row] = await database.query<{ due_utc: Date; key_prefix: string }>(
      `SELECT c.due_utc, d.key_prefix FROM processing_cycles c, deployment d WHERE c.scheduled_order_id = $1`,
      [id],
    );
    return { scheduledOrderId: id, dueUtc: row!.due_utc, installation: row!.key_prefix, attempt: 2 };
  };

  it('asks an integration that refuses half an hour later', async () => {
    await shops.GatewayOne.dueOrder();
    await charge();
    one.revoked.add('sk_test_audit');
    await audit();
    const refused = (await auditOf('GatewayOne'))!;
    expect(refused.in_ms).toBeGreaterThan(1_700_000);
  });

  it('does not ask one that refuses when nothing was sent for a day', async () => {
    await shops.GatewayOne.dueOrder();
    await charge();
    one.revoked.add('sk_test_audit');
    await database.query(`UPDATE integration_audits SET sent_utc = now() - interval '25 hours'`);
    await audit();
    expect(await auditOf('GatewayOne')).toMatchObject({ audited_utc: null, in_ms: Infinity });

    // A charge that is refused was not sent.
    await shops.GatewayOne.dueOrder();
    await charge();
    expect(await auditOf('GatewayOne')).toMatchObject({ audited_utc: null, in_ms: Infinity });
  });

  it('goes over to another worker when the first one is gone, and hears no more of that one', async () => {
    const id = await shops.GatewayOne.dueOrder();
    await charge();
    await chargePast('GatewayOne', { ...(await doubleOf(id)), siteId: shops.GatewayOne.siteId });
    await comeDue();
    one.latencyMs = Infinity;
    const lookUps = one.served.lookUp;
    const first = newWorker({ GATEWAY_TIMEOUT: 'PT5M' });
    const stuck = first.drain();
    // Its question has come, and is not answered.
    await until(async () => one.served.lookUp > lookUps && (await auditOf('GatewayOne'))!.worker !== null);
    one.latencyMs = 0;
    await newWorker().drain();
    expect(await bothSites()).toEqual([]);

    await database.query(`UPDATE integration_audits SET lease_until_utc = now() WHERE worker IS NOT NULL`);
    await newWorker().drain();
    expect(await bothSites()).toMatchObject([{ kind: 'TwoCharges', id }]);
    const after = await auditOf('GatewayOne');
    one.letGo();
    await stuck;
    expect(await auditOf('GatewayOne')).toMatchObject({ audited_utc: after!.audited_utc, worker: null });
  });
});
