import { setTimeout as pause } from 'node:timers/promises';
import { writeEvent } from '#libs/events';
import { readDeployment, skip } from '#libs/ledger';
import { WorkGuard } from '../../apps/worker/src/guards/work-guard.js';
import { itInAllCases } from '../support/all-cases.js';
import { cloneDatabase, copyOf, dropDatabase, type TestDatabase } from '../support/database.js';
import { keepEvents } from '../support/events/events.js';
import { AuthorizeNetStandIn, ChargeLedger, StripeStandIn } from '../support/gateways/index.js';
import { assertInvariants } from '../support/invariants.js';
import { until } from '../support/until.js';
import {
  adoptEarlier,
  createWorker,
  type GivenShop,
  givenShop,
  startWorker,
  stopWorkers,
  type TestWorker,
} from '../support/worker.js';
import { readers } from './readers.js';
import { request } from './request.js';

const DAY_MS = 86_400_000;

describe('A copy of the database', () => {
  let gateway: StripeStandIn;
  let original: TestDatabase;
  let copy: TestDatabase;
  let shop: GivenShop;
  const open: TestDatabase[] = [];
  const workers: TestWorker[] = [];

  beforeEach(async () => {
    gateway = await StripeStandIn.start();
    original = await cloneDatabase();
    open.push(original);
    shop = await givenShop(original, { apiKey1: 'sk_test_copies' });
    // Its copies are this installation too: a worker has been here.
    await readDeployment(original.pool, undefined);
  });
  afterEach(async () => {
    await stopWorkers();
    for (const worker of workers.splice(0)) await worker.end();
    for (const database of open.splice(0)) await dropDatabase(database);
    await gateway.stop();
  });

  const env = () => ({ GATEWAY_ONE_URL: gateway.url, GATEWAY_TIMEOUT: 'PT2S' });

  async function drain(database: TestDatabase, more: Record<string, string> = {}): Promise<void> {
    const worker = createWorker(database, { ...env(), ...more });
    workers.push(worker);
    await worker.drain();
  }

  /** As `CREATE DATABASE … TEMPLATE` makes it: a backup, or a staging system. */
  async function makeCopy(): Promise<void> {
    for (const worker of workers.splice(0)) await worker.end();
    copy = await copyOf(original);
    open.push(copy);
  }

  const daily = (daysAgo: number) => {
    const at = new Date(Math.floor(Date.now() / 1000) * 1000 - daysAgo * DAY_MS + 3_600_000);
    return { frequencyType: 'Days', frequency: 1, nextOccurrenceUtc: at, scheduleAnchorUtc: at };
  };

  it('refuses to charge beside the original, and says so, until it is adopted; --once fails, so that whoever schedules it hears of it', async () => {
    await drain(original);
    const id = await shop.dueOrder();
    await makeCopy();
    const worker = await startWorker(copy, { ...env(), PROCESSOR_CRON: '* * * * * *' });
    await until(() => /deployment:adopt/.test(worker.output()));
    const ready = await fetch(`${worker.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ reason: expect.stringMatching(/copy of another one/) });
    expect(await (await fetch(`${worker.url}/metrics`)).text()).toMatch(/^scheduled_orders_may_charge 0$/m);
    const once = await startWorker(copy, env(), ['--once']);
    expect(await once.exited).toBe(1);
    expect(once.output()).toMatch(/copy of another one[^]*Nothing was charged\./);
    await drain(original);
    expect(await readers(original).statesOf(id)).toEqual(['Completed']);
    expect(await readers(copy).statesOf(id)).toEqual([]);

    await adoptEarlier(copy);
    await until(async () => (await readers(copy).statesOf(id)).includes('Completed'));
    expect(gateway.ledger.charges).toHaveLength(1);
    await until(async () => (await fetch(`${worker.url}/health/ready`)).status === 200);
    await assertInvariants(original, gateway.ledger);
    await assertInvariants(copy, gateway.ledger);
  });

  itInAllCases('numbers no events beside the original, until it is adopted', async () => {
    await drain(original);
    const { siteId } = shop;
    await keepEvents(original, siteId);
    const facts = { OrderId: 1 };
    await original.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts }));
    await makeCopy();
    const unnumbered = async () => (await copy.query(`SELECT FROM outbox WHERE sequence IS NULL`)).length;
    const worker = createWorker(copy, env());
    workers.push(worker);
    await worker.start();
    await until(async () => (await worker.part(WorkGuard)).refusal !== null);
    await pause(1_500);
    await worker.drain();
    expect(await unnumbered()).toBe(1);
    await adoptEarlier(copy);
    await until(async () => (await unnumbered()) === 0);
  });

  it('takes a DEPLOYMENT_ID that is configured after the first start, and refuses under another one from then on', async () => {
    await drain(original);
    await drain(original, { DEPLOYMENT_ID: 'production' });
    const [row] = await original.query(`SELECT deployment_id FROM deployment`);
    expect(row).toEqual({ deployment_id: 'production' });
    const id = await shop.dueOrder();
    await drain(original, { DEPLOYMENT_ID: 'staging' });
    expect(await readers(original).statesOf(id)).toEqual([]);
    await drain(original);
    expect(await readers(original).statesOf(id)).toEqual(['Completed']);
  });

  it('that is older than the last charges charges nothing again once it is adopted', async () => {
    const monthly = await shop.dueOrder({ frequencyType: 'Months', frequency: 1 });
    const days = await shop.dueOrder(daily(3));
    const held = await shop.dueOrder({ status: 'Paused' });
    await makeCopy();
    await drain(original);
    expect(gateway.ledger.charges.map(({ scheduledOrderId }) => scheduledOrderId).sort()).toEqual(
      [monthly, days].sort(),
    );
    const atOriginal = await readers(original).orderOf(days);

    await copy.query(`UPDATE scheduled_orders SET status = 'Active' WHERE id = $1`, [held]);
    await adoptEarlier(copy);
    await drain(copy);
    // What nobody had charged is charged; the rest is found, and the copy stands where the original does.
    expect(gateway.ledger.charges).toHaveLength(3);
    expect(gateway.ledger.capturesOf(held)).toHaveLength(1);
    expect(await readers(copy).statesOf(days)).toEqual(['Completed']);
    expect((await readers(copy).orderOf(days)).next_occurrence_utc).toEqual(atOriginal.next_occurrence_utc);
    await assertInvariants(copy, gateway.ledger);
  });

  describe('of shops at both gateways', () => {
    let two: AuthorizeNetStandIn;
    let urls: Record<string, string>;
    let sellers: readonly { readonly seller: GivenShop; readonly ledger: ChargeLedger }[];
    beforeEach(async () => {
      two = await AuthorizeNetStandIn.start();
      urls = { GATEWAY_TWO_URL: two.url };
      const values = { type: 'GatewayTwo', apiAccount: 'login', apiKey1: 'key4567890123456' } as const;
      sellers = [
        { seller: shop, ledger: gateway.ledger },
        { seller: await givenShop(original, values), ledger: two.ledger },
      ];
    });
    afterEach(() => two.stop());

    it('records what the original really charged, at a price that the backup does not know', async () => {
      const orders = await Promise.all(
        sellers.map(async ({ seller, ledger }) => ({ id: await seller.dueOrder(), ledger })),
      );
      await makeCopy();
      await original.query(`UPDATE scheduled_order_items SET price = 15.00`);
      await drain(original, urls);
      for (const { id, ledger } of orders)
        expect(ledger.charges).toMatchObject([{ scheduledOrderId: id, attempt: 1, amount: '15.00' }]);

      await adoptEarlier(copy);
      await drain(copy, urls);
      for (const { id } of orders) {
        expect(
          await copy.query(`SELECT trim_scale(total)::text AS total FROM orders WHERE scheduled_order_id = $1`, [id]),
        ).toEqual([{ total: '15' }]);
        expect(await readers(copy).eventsOf(id)).toMatchObject([
          { description: `${await readers(copy).occurrenceOf(id)} was processed: 15.00 USD paid.` },
        ]);
      }
      const books = new ChargeLedger();
      for (const { ledger } of sellers) for (const charge of ledger.charges) books.add(charge);
      await assertInvariants(copy, books);
    });

    itInAllCases('finds what the original charged under another number, since the numbers drifted apart', async () => {
      await drain(original, urls);
      const next = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000);
      const anchor = new Date(next.getTime() - 10 * DAY_MS);
      const values = {
        frequencyType: 'Days',
        frequency: 1,
        nextOccurrenceUtc: next,
        scheduleAnchorUtc: anchor,
        createdUtc: anchor,
      };
      const orders = await Promise.all(
        sellers.map(async ({ seller, ledger }) => ({ id: await seller.dueOrder(values), ledger })),
      );
      await makeCopy();
      // The original: its customers skip one occurrence, a day passes, and the next one is charged as cycle 2.
      for (const { id } of orders) await request(original, id, skip);
      const aDayPasses = (database: TestDatabase) =>
        database.query(
          `UPDATE scheduled_orders SET next_occurrence_utc = next_occurrence_utc - interval '26 hours',
             schedule_anchor_utc = schedule_anchor_utc - interval '26 hours'`,
        );
      await aDayPasses(original);
      await drain(original, urls);
      for (const { id, ledger } of orders) expect(ledger.charges).toMatchObject([{ scheduledOrderId: id }]);

      await aDayPasses(copy);
      await adoptEarlier(copy);
      await drain(copy, urls);
      for (const { id, ledger } of orders) {
        expect(ledger.charges).toHaveLength(1);
        expect(await readers(copy).cycleOf(id)).toMatchObject({
          state: 'Completed',
          gateway_transaction_id: ledger.charges[0]!.transactionId,
        });
        expect((await readers(copy).orderOf(id)).next_occurrence_utc.getTime()).toBeGreaterThan(Date.now());
      }
    });
  });

  itInAllCases('takes up one by one what the original may have charged since the backup', async () => {
    const days = await shop.dueOrder({ ...daily(3), createdUtc: new Date(Date.now() - 10 * DAY_MS) });
    await makeCopy();
    // As if the original had charged it two and a half days ago. (With dated answers, nothing is sent while the clocks
    // are so far apart.)
    gateway.clockAheadMs = -2.5 * DAY_MS;
    gateway.dateHeader = null;
    await drain(original);
    gateway.clockAheadMs = 0;
    gateway.dateHeader = 'right';
    await adoptEarlier(copy);
    await drain(copy);
    expect(await readers(copy).statesOf(days)).toEqual(['Completed', 'Completed']);
    const cycles = await copy.query(
      `SELECT missed_occurrences::int FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
      [days],
    );
    expect(cycles).toEqual([{ missed_occurrences: 0 }, { missed_occurrences: 1 }]);
    expect(gateway.ledger.charges).toHaveLength(2);
    await assertInvariants(copy, gateway.ledger);
  });

  it('looks up, and never sends again, what was under way when it was made', async () => {
    const id = await shop.dueOrder();
    gateway.faults.next('silentAfter');
    const worker = createWorker(original, env());
    workers.push(worker);
    await worker.drain();
    expect((await readers(original).cycleOf(id)).state).toBe('Unknown');
    await makeCopy();
    await adoptEarlier(copy);
    await readers(copy).comeDue(id);
    const sent = gateway.served.charge;
    await drain(copy);
    expect(gateway.served.charge).toBe(sent);
    expect(await readers(copy).cycleOf(id)).toMatchObject({ state: 'Completed', attempt: '1' });
    await assertInvariants(copy, gateway.ledger);
  });
});
