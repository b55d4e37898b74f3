import { processNow, resolveCycle, stuckCycles } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { AuthorizeNetStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  createWorker,
  drainOnce,
  encryptedKey,
  type GivenShop,
  givenShop,
  startWorker,
  stopWorkers,
  type TestWorker,
  vault,
} from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const CARD = '2001';

describe('A sending to GatewayTwo that is held on its way, while its repetition is declined', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, errorsOf, comeDue } = readers(database);
  let gateway: AuthorizeNetStandIn;
  let worker: TestWorker;
  let env: Record<string, string>;
  let shop: GivenShop;
  let id: number;
  let sentBefore: number;

  beforeAll(async () => {
    gateway = await AuthorizeNetStandIn.start();
    env = { GATEWAY_TWO_URL: gateway.url, GATEWAY_TIMEOUT: 'PT4S' };
    worker = createWorker(database, env);
  });
  beforeEach(async () => {
    sentBefore = gateway.served.charge;
    // An account of its own: its line has a breaker of its own.
    shop = await givenShop(database, { type: 'GatewayTwo', apiAccount: `login${sentBefore}`, apiKey1: 'key' });
    id = await shop.dueOrder({ paymentMethodId: CARD });
  });
  afterAll(async () => {
    await stopWorkers();
    await worker.end();
    await gateway.stop();
  });

  afterEach(() => {
    gateway.deletedProfiles.clear();
    gateway.accounts.clear();
  });

  const sent = () => gateway.served.charge - sentBefore;
  const goesOn = async () => {
    await comeDue(id);
    await worker.drain();
  };

  /**
   * The first sending is held, its look-up finds nothing, and its repetition is declined: the cycle waits for its next
   * attempt.
   */
  const givenDeclined = async (fault: 'held' | 'loseBefore' = 'held') => {
    gateway.faults.next(fault);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '1' });
    gateway.declinedNow.add(CARD);
    await database.query(
      `UPDATE processing_cycles SET started_utc = started_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
      [id],
    );
    await goesOn();
    expect(await cycleOf(id)).toMatchObject({ state: 'Retrying', attempt: '1', payment_failures: '1' });
    expect(sent()).toBe(2);
    gateway.declinedNow.clear();
  };

  const arrivesNoMore = () =>
    database.query(
      `UPDATE processing_cycles c SET past_attempts = (
         SELECT jsonb_agg(p || CASE WHEN p ? 'StartedUtc' THEN jsonb_build_object('StartedUtc', (p ->> 'StartedUtc')::timestamptz - interval '16 hours') ELSE '{}' END ORDER BY n)
         FROM jsonb_array_elements(c.past_attempts) WITH ORDINALITY AS e (p, n))
       WHERE c.scheduled_order_id = $1`,
      [id],
    );

  const expectPaidBy = async (charges: number) => {
    expect(gateway.ledger.capturesOf(id)).toHaveLength(1);
    expect(sent()).toBe(charges);
    const { transactionId } = gateway.ledger.capturesOf(id)[0]!;
    expect(await cycleOf(id)).toMatchObject({ state: 'Completed', gateway_transaction_id: transactionId });
    await assertInvariants(database, gateway.ledger);
  };

  it('pays the cycle when it has arrived before the next attempt, which is not sent', async () => {
    await givenDeclined();
    gateway.letArrive();
    await goesOn();
    await expectPaidBy(2);
  });

  it('is no difference for an audit before the next attempt', async () => {
    await givenDeclined();
    gateway.letArrive();
    for (const open of [1, 0]) {
      await database.query(`UPDATE integration_audits SET next_audit_utc = now()`);
      await worker.drain();
      expect(await database.query(`SELECT kind FROM payment_differences`)).toEqual([]);
      expect(
        await database.query(
          `SELECT jsonb_array_length(a.open_charges) AS open FROM integration_audits a
           JOIN payment_integrations i ON i.id = a.payment_integration_id JOIN scheduled_orders o ON o.site_id = i.site_id WHERE o.id = $1`,
          [id],
        ),
      ).toEqual([{ open }]);
      await goesOn();
    }
    await expectPaidBy(2);
  });

  it('keeps the next attempt waiting, for everybody to see, and pays the cycle when it arrives', async () => {
    await givenDeclined();
    await goesOn();
    const { next_attempt_utc: next, attempt, state } = await cycleOf(id);
    expect([state, attempt, sent()]).toEqual(['Retrying', '1', 2]);
    expect((await orderOf(id)).next_occurrence_utc).toEqual(next);
    expect(next!.getTime()).toBeGreaterThan(Date.now() + 15 * 3_600_000);
    expect(await stuckCycles(database.pool, { limit: 10 })).toMatchObject([
      { ScheduledOrderId: id, Why: expect.stringContaining('An earlier attempt may still arrive') },
    ]);

    gateway.letArrive();
    await goesOn();
    await expectPaidBy(2);
  });

  it('lets the next attempt be sent when it can arrive no more', async () => {
    await givenDeclined('loseBefore');
    await goesOn();
    await arrivesNoMore();
    await goesOn();
    expect(await cycleOf(id)).toMatchObject({ attempt: '2' });
    await expectPaidBy(3);
  });

  it('has charged nothing where no list of its account shows it, although the profile of the customer is deleted', async () => {
    await givenDeclined('loseBefore');
    profileIsDeleted();
    await goesOn();
    await arrivesNoMore();
    await goesOn();
    await expectPaidBy(3);
  });

  /** No list shows declined transactions of such a customer. */
  const profileIsDeleted = () => {
    gateway.deletedProfiles.add('1001');
    gateway.hide(gateway.transactionIds.at(-1)!);
  };
  const setKey = (key: string) =>
    database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      shop.integrationId,
      encryptedKey(shop.integrationId, key),
    ]);
  /** The key of the shop's account is another one now, and so is its integration. @returns the new integration. */
  const givenRevoked = async () => {
    const apiAccount = `login${sentBefore}`;
    gateway.accounts.set(apiAccount, 'new key');
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [shop.integrationId]);
    const values = { paymentMethodType: 'GatewayTwo', apiAccount, apiKey1: 'new key' };
    return given(database).integration(vault, shop.siteId, values);
  };

  it.each([
    [
      'the profile of its customer is deleted, and the key may be of another account',
      async () => {
        profileIsDeleted();
        await setKey('another key');
      },
    ],
    ['its integration is deleted and its key revoked, and the account may be another one', () => givenRevoked()],
  ])('is a matter for a person, once, where no look-up can tell: %s', async (_, happens) => {
    await givenDeclined('loseBefore');
    await happens();
    await goesOn();
    expect(await cycleOf(id)).toMatchObject({ state: 'Retrying', attempt: '1' });
    await arrivesNoMore();
    const { length: errors } = await errorsOf(id);
    for (let times = 0; times < 3; times += 1) {
      await goesOn();
      expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '2', retries_exhausted: true });
    }
    expect(sent()).toBe(2);
    expect(await errorsOf(id)).toHaveLength(errors + 1);
    expect(await orderOf(id)).toMatchObject({ status: 'Pending' });
    const stuck = await stuckCycles(database.pool, { state: 'Unknown', limit: 10 });
    expect(stuck).toMatchObject([
      { ScheduledOrderId: id, Why: expect.stringContaining('Look at the gateway, then run cycles:resolve.') },
    ]);

    await resolveCycle(database.pool, { scheduledOrderId: id, cycle: 1, transactionId: null, by: 'Grace' });
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({ state: 'Failed', retries_exhausted: true });
    await request(database, id, (tx, order, now) => processNow(tx, order, now));
    await worker.drain();
    expect(sent()).toBe(2);
    await arrivesNoMore();
    await goesOn();
    await expectPaidBy(3);
  });

  it('pays the cycle where the integration is deleted and its key revoked, and the present one finds it', async () => {
    await givenDeclined();
    gateway.letArrive();
    const present = await givenRevoked();
    await goesOn();
    await expectPaidBy(2);
    expect(await cycleOf(id)).toMatchObject({ payment_integration_id: String(present) });
  });

  it('waits for its earlier attempt, and not for its integration, once that is there again', async () => {
    await givenDeclined('loseBefore');
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE id = $1`, [shop.integrationId]);
    await goesOn();
    expect(await cycleOf(id)).toMatchObject({ state: 'Waiting', failure_code: 1003 });
    const other = await shop.dueOrder({ paymentMethodId: '2002' });
    await worker.drain();
    expect(await cycleOf(other)).toMatchObject({ state: 'Waiting', failure_code: 1003 });

    const values = { paymentMethodType: 'GatewayTwo', apiAccount: `login${sentBefore}`, apiKey1: 'key' };
    await given(database).integration(vault, shop.siteId, values);
    await database.query(`UPDATE integration_waits SET next_probe_utc = now()`);
    await worker.drain();
    expect(await cycleOf(id)).toMatchObject({
      state: 'Retrying',
      attempt: '1',
      waiting_since_utc: null,
      failure_message: expect.stringContaining('An earlier attempt may still arrive'),
    });
    // It says nothing against the integration: the next one in turn has tried it at once.
    expect(await cycleOf(other)).toMatchObject({ state: 'Completed' });
    expect(sent()).toBe(3);

    await arrivesNoMore();
    await goesOn();
    await expectPaidBy(4);
  });

  it('keeps a worker from sending the next attempt that another one has left frozen', async () => {
    await givenDeclined();
    await comeDue(id);
    gateway.faults.always('silentBefore', 'lookUp');
    const before = gateway.served.lookUp;
    const other = await startWorker(database, { ...env, GATEWAY_TIMEOUT: 'PT30S' });
    await until(() => gateway.served.lookUp > before);
    other.kill('SIGKILL');
    await other.exited;
    expect(await cycleOf(id)).toMatchObject({ state: 'Charging', attempt: '2' });
    gateway.faults.none();
    await database.query(
      `UPDATE processing_cycles SET lease_until_utc = now(), started_utc = started_utc - interval '1 minute' WHERE scheduled_order_id = $1`,
      [id],
    );
    await drainOnce(database, env);
    expect(await cycleOf(id)).toMatchObject({ state: 'Unknown', attempt: '2' });
    expect(sent()).toBe(2);
    expect(await stuckCycles(database.pool, { limit: 10 })).toMatchObject([
      { ScheduledOrderId: id, Why: expect.stringContaining('An earlier attempt may still arrive') },
    ]);

    gateway.letArrive();
    await goesOn();
    await expectPaidBy(2);
  });

  it('is no matter where each answer has come: the next attempt is sent at its time, without a look-up', async () => {
    const { lookUp } = gateway.served;
    gateway.declinedNow.add(CARD);
    await worker.drain();
    gateway.declinedNow.clear();
    await goesOn();
    expect(await cycleOf(id)).toMatchObject({ attempt: '2' });
    await expectPaidBy(2);
    expect(gateway.served.lookUp).toBe(lookUp);
  });
});
