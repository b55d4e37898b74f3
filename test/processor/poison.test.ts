import { stuckCycles } from '#libs/ledger';
import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';
import { readers } from './readers.js';

describe('One bad order in a batch', () => {
  const database = useDatabase();
  const { cycleOf, orderOf, errorsOf, comeDue, statesOf } = readers(database);
  let gateway: StripeStandIn;
  let worker: TestWorker;

  beforeAll(async () => {
    gateway = await StripeStandIn.start();
    worker = createWorker(database, { GATEWAY_ONE_URL: gateway.url });
    await database.query(`CREATE TABLE poison (scheduled_order_id bigint)`);
    await database.query(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT 1 FROM poison p WHERE p.scheduled_order_id = NEW.scheduled_order_id) THEN
        RAISE EXCEPTION 'this row cannot be written';
      END IF;
      RETURN NEW;
    END $$`);
    await database.query(`CREATE TRIGGER poison BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION poison()`);
  });
  afterEach(() => assertInvariants(database, gateway.ledger));
  afterAll(async () => {
    await worker.end();
    await gateway.stop();
  });

  it.each(ALL_CASES ? [0, 17, 39] : [17])(
    'does not hold up the others, which complete in the same tick (at place %i)',
    async (place) => {
      const shop = await givenShop(database, { apiKey1: `sk_test_poison_${place}` });
      const ids = await shop.dueOrders(40);
      const bad = ids[place]!;
      await database.query(`INSERT INTO poison VALUES ($1)`, [bad]);
      await worker.drain();
      for (const id of ids) if (id !== bad) expect(await statesOf(id)).toEqual(['Completed']);
      // It was charged: that is never forgotten, and never done again.
      expect(await cycleOf(bad)).toMatchObject({ state: 'Unknown', attempt: '1', failure_code: 99 });
      expect(await errorsOf(bad)).toMatchObject([
        {
          description: '99 Unknown: The order could not be processed for a technical reason.',
          exception_info: { Message: 'this row cannot be written' },
        },
      ]);
      await database.query(`DELETE FROM poison`);
      await comeDue(bad);
      await worker.drain();
      expect(await cycleOf(bad)).toMatchObject({ state: 'Completed', attempt: '1' });
      expect(gateway.ledger.capturesOf(bad)).toHaveLength(1);
    },
  );

  it('does not hold up the others when its dates cannot be calculated', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_undated' });
    const ids = await shop.dueOrders(40);
    const bad = ids[17]!;
    await database.query(`ALTER TABLE scheduled_orders DROP CONSTRAINT ck_scheduled_orders_frequency`);
    await database.query(`UPDATE scheduled_orders SET frequency = 121 WHERE id = $1`, [bad]);
    await worker.drain();
    for (const id of ids) if (id !== bad) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await cycleOf(bad)).toMatchObject({ state: 'Unknown', attempt: '1', failure_code: 99 });
    await database.query(`UPDATE scheduled_orders SET frequency = 1 WHERE id = $1`, [bad]);
    await comeDue(bad);
    await worker.drain();
    expect(await cycleOf(bad)).toMatchObject({ state: 'Completed', attempt: '1' });
    expect(gateway.ledger.capturesOf(bad)).toHaveLength(1);
  });

  it('is tried again technically when it cannot even be priced', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_unpriced' });
    const ids = await shop.dueOrders(5);
    const bad = ids[2]!;
    await database.query(`UPDATE scheduled_orders SET currency_iso = 'ZZZ' WHERE id = $1`, [bad]);
    await worker.drain();
    for (const id of ids) if (id !== bad) expect(await statesOf(id)).toEqual(['Completed']);
    expect(await cycleOf(bad)).toMatchObject({
      state: 'Retrying',
      attempt: '0',
      failure_code: 99,
      technical_failures: '1',
    });
    expect(await orderOf(bad)).toMatchObject({ status: 'Active' });
    expect(await errorsOf(bad)).toMatchObject([
      { exception_info: { Message: expect.stringContaining('ZZZ') }, entity: { Id: bad, Status: 'Active' } },
    ]);
  });

  it('does not hold up the others when the credentials that it needs cannot be read', async () => {
    const bad = await givenShop(database, { apiKey1: 'sk_test_unreadable' });
    const good = await givenShop(database, { apiKey1: 'sk_test_readable' });
    const sent = [await bad.dueOrder(), await good.dueOrder()];
    gateway.faults.next('errorAfter', { times: 2 });
    await worker.drain();
    for (const id of sent) expect(await cycleOf(id)).toMatchObject({ state: 'Unknown' });
    const [row] = await database.query<{ api_key1: string }>(
      `SELECT api_key1 FROM payment_integrations WHERE id = $1`,
      [bad.integrationId],
    );
    await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      bad.integrationId,
      row!.api_key1.replace(/^v1\.[0-9a-f]{8}/, 'v1.00000000'),
    ]);
    for (const id of sent) await comeDue(id);
    await worker.drain();
    const reason = 'The credentials of the payment integration cannot be decrypted with the keys that the service has.';
    const exception = 'A stored value was encrypted with the key 00000000, which ENCRYPTION_KEY does not name.';
    const before = await cycleOf(sent[0]!);
    expect(before).toMatchObject({
      state: 'Unknown',
      failure_code: 1003,
      failure_message: reason,
      technical_failures: '1',
    });
    expect((await errorsOf(sent[0]!))[0]).toMatchObject({
      exception_info: { Message: reason, InnerExceptionInfo: { Message: exception } },
    });
    expect(await statesOf(sent[1]!)).toEqual(['Completed']);
    const fresh = [await bad.dueOrder(), await good.dueOrder()];
    // It waits, however often it is tried, and no schedule is used up.
    for (let round = 0; round < 7; round++) {
      await worker.drain();
      expect(await cycleOf(fresh[0]!)).toMatchObject({
        state: 'Waiting',
        attempt: '0',
        technical_failures: '0',
        failure_code: 1003,
        failure_message: reason,
      });
      for (const id of [sent[0]!, fresh[0]!]) await comeDue(id);
    }
    expect(await errorsOf(fresh[0]!)).toMatchObject([{ exception_info: { Message: exception } }]);
    expect(await orderOf(fresh[0]!)).toMatchObject({ status: 'Active' });
    expect(await cycleOf(sent[0]!)).toMatchObject({ state: 'Unknown', technical_failures: '1' });
    const stuck = await stuckCycles(database.pool, { limit: 100 });
    expect(stuck).toContainEqual(
      expect.objectContaining({
        ScheduledOrderId: fresh[0],
        Why: `It waits for its payment integration. ${reason}`,
      }),
    );
    expect(await statesOf(fresh[1]!)).toEqual(['Completed']);

    await database.query(`UPDATE payment_integrations SET api_key1 = $2 WHERE id = $1`, [
      bad.integrationId,
      row!.api_key1,
    ]);
    // The one waits for what the other shows of the credentials.
    await until(async () => {
      for (const id of [sent[0]!, fresh[0]!]) await comeDue(id);
      await worker.drain();
      const states = [await statesOf(sent[0]!), await statesOf(fresh[0]!)];
      return states.every(([state]) => state === 'Completed');
    });
  });

  async function waitsForALock(): Promise<boolean> {
    const waiting = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }

  it('does not hold up the others when somebody keeps its row locked', async () => {
    const shop = await givenShop(database, { apiKey1: 'sk_test_locked' });
    const ids = await shop.dueOrders(10);
    gateway.latencyMs = Infinity;
    const before = gateway.served.charge;
    const draining = worker.drain();
    const runner = database.dataSource.createQueryRunner();
    await runner.startTransaction();
    while (gateway.served.charge === before) await runner.query('SELECT pg_sleep(0.01)');
    await runner.query(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE`, [ids[4]]);
    gateway.latencyMs = 0;
    gateway.letGo();
    let others = 0;
    while (others < 9) {
      const [row] = (await runner.query(
        `SELECT count(*) AS count FROM processing_cycles WHERE site_id = $1 AND state = 'Completed'`,
        [shop.siteId],
      )) as { count: string }[];
      others = Number(row!.count);
    }
    // The only one that is left waits for the lock, and gives up for a moment.
    await until(waitsForALock);
    await until(async () => !(await waitsForALock()));
    await runner.rollbackTransaction();
    await runner.release();
    await draining;
    for (const id of ids) expect(await statesOf(id)).toEqual(['Completed']);
  });
});
