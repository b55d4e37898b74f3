import { MOST_CYCLES } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { StripeStandIn } from '../support/gateways/index.js';
import { given } from '../support/given.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { createWorker, givenShop, vault } from '../support/worker.js';

const database = useDatabase();
const START = '2024-01-31T09:00:00.000Z';

async function drain(env: Record<string, string> = {}): Promise<void> {
  const worker = createWorker(database, env);
  await worker.drain();
  await worker.end();
}

const day = (n: number) => new Date(Date.parse(START) + n * 86_400_000).toISOString();

/** What the order's Orders and logs say about time. */
async function writtenOf(orderId: number) {
  const orders = await database.query<{ created: Date; paid: Date }>(
    `SELECT date_created AS created, date_paid AS paid FROM orders WHERE scheduled_order_id = $1 ORDER BY cycle`,
    [orderId],
  );
  const events = await database.query<{ type: string; at: Date | null; isReal: boolean }>(
    `SELECT event_type AS type, occurred_utc AS at, created_utc > now() - interval '10 minutes' AS "isReal"
     FROM event_logs WHERE scheduled_order_id = $1 ORDER BY id`,
    [orderId],
  );
  return {
    orders: orders.map(({ created, paid }) => [created.toISOString(), paid.toISOString()]),
    events: events.map(({ type, at, isReal }) => [type, at?.toISOString(), isReal]),
  };
}

describe('An Advance', () => {
  it('makes 90 cycles of a daily order in 90 days, each with its own now', async () => {
    const shop = await givenSimulatedShop(database, START);
    const id = await shop.order({ frequencyType: 'Days' });
    await shop.advance(day(89));
    await drain();
    const dates = Array.from({ length: 90 }, (_, n) => day(n));
    expect((await shop.cycles()).map(({ dueUtc, occurredUtc, state }) => [dueUtc, occurredUtc, state])).toEqual(
      dates.map((date) => [date, date, 'Completed']),
    );
    expect(await writtenOf(id)).toEqual({
      orders: dates.map((date) => [date, date]),
      events: dates.map((date) => ['ScheduledOrderProcessed', date, true]),
    });
    expect(await shop.clock()).toEqual({ nowUtc: day(89), state: 'Ready', cycles: 90, worker: null });
  });

  it('takes declined cards through all retries to Pending, by the clock', async () => {
    const shop = await givenSimulatedShop(database, START);
    const id = await shop.order({ paymentMethodId: 'pm_declined' });
    await shop.advance(day(30));
    await drain({ PAYMENT_RETRY_SCHEDULE: 'P1D,P3D' });
    const { events } = await writtenOf(id);
    expect(events).toEqual([
      ['ScheduledOrderRetryScheduled', day(0), true],
      ['ScheduledOrderRetryScheduled', day(1), true],
      ['ScheduledOrderFailed', day(4), true],
    ]);
    expect(await database.query(`SELECT status FROM scheduled_orders WHERE id = $1`, [id])).toEqual([
      { status: 'Pending' },
    ]);
    expect(await shop.clock()).toMatchObject({ nowUtc: day(30), state: 'Ready', cycles: 3 });
  });

  it('lets orders wait for a missing integration by the clock, and probes it every 15 minutes', async () => {
    const shop = await givenSimulatedShop(database, START);
    const id = await shop.order();
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
    await shop.advance(day(0.5));
    await drain();
    const waits = await database.query(
      `SELECT waiting_since_utc AS since, next_probe_utc AS next, simulated FROM integration_waits WHERE site_id = $1`,
      [shop.siteId],
    );
    expect(waits).toEqual([
      { since: new Date(START), next: new Date(Date.parse(day(0.5)) + 15 * 60_000), simulated: true },
    ]);
    expect(await shop.cycles()).toMatchObject([{ orderId: id, state: 'Waiting' }]);
  });

  it('ends where it has come after 100,000 cycles, and the next one goes on', async () => {
    const shop = await givenSimulatedShop(database, START);
    await shop.order({ frequencyType: 'Days' });
    await shop.advance(day(5));
    await database.query(`UPDATE test_clocks SET cycles = $2 WHERE site_id = $1`, [shop.siteId, MOST_CYCLES - 2]);
    await drain();
    expect(await shop.clock()).toEqual({ nowUtc: day(1), state: 'Ready', cycles: MOST_CYCLES, worker: null });
    await shop.advance(day(5));
    await drain();
    expect(await shop.clock()).toEqual({ nowUtc: day(5), state: 'Ready', cycles: 4, worker: null });
  });

  it('processes what is due at the present, and leaves the clock where it is', async () => {
    const shop = await givenSimulatedShop(database, START);
    const id = await shop.order();
    await drain();
    expect(await shop.cycles()).toEqual([
      { orderId: id, cycle: 1, state: 'Completed', dueUtc: START, occurredUtc: START },
    ]);
    expect(await shop.clock()).toEqual({ nowUtc: START, state: 'Ready', cycles: 1, worker: null });
  });
});

describe('Simulated and real orders', () => {
  it('never meet: real time claims no simulated order, whatever its date', async () => {
    const shop = await givenSimulatedShop(database, '2001-01-01T00:00:00.000Z');
    const id = await shop.order({ nextOccurrenceUtc: '2002-01-01T00:00:00.000Z' });
    const real = await givenShop(database);
    const realId = await real.dueOrder();
    await drain();
    expect(await shop.cycles()).toEqual([]);
    const cycles = await database.query(
      `SELECT scheduled_order_id AS id, state, simulated, occurred_utc FROM processing_cycles WHERE scheduled_order_id IN ($1, $2)`,
      [id, realId],
    );
    expect(cycles).toEqual([{ id: String(realId), state: 'Completed', simulated: false, occurred_utc: null }]);
  });

  it.each([
    ['sk_live_1', false],
    ['sk_live_1', true],
    ['sk_org_live_1', true],
    ['old_key', true],
  ])('never call a gateway for it that may be live, whatever integration it has: %s', async (apiKey1, testMode) => {
    const gateway = await StripeStandIn.start();
    // A key whose mode only a charge would show.
    gateway.restricted.add(apiKey1);
    const shop = await givenSimulatedShop(database, START);
    await database.query(`UPDATE payment_integrations SET deleted_utc = now() WHERE site_id = $1`, [shop.siteId]);
    // Requests allow none like it.
    await given(database).integration(vault, shop.siteId, { apiKey1, testMode });
    await shop.order();
    await shop.advance(day(0.1));
    await drain({ GATEWAY_ONE_URL: gateway.url });
    await gateway.stop();
    expect(Object.values(gateway.served).every((count) => count === 0)).toBe(true);
    expect(await shop.cycles()).toMatchObject([{ state: 'Waiting' }]);
    expect(await shop.clock()).toMatchObject({ nowUtc: day(0.1), state: 'Ready' });
  });

  it('stay what they are: no statement makes a site or an order simulated, or real', async () => {
    const shop: SimulatedShop = await givenSimulatedShop(database, START);
    const id = await shop.order();
    for (const [table, row] of [
      ['sites', shop.siteId],
      ['scheduled_orders', id],
    ]) {
      const change = database.query(`UPDATE ${table} SET simulated = false WHERE id = $1`, [row]);
      await expect(change).rejects.toThrow(`A row of ${table} stays simulated, or real, for ever.`);
    }
  });
});
