import type { QueryRunner } from 'typeorm';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

/** Heavy by its answer: of each item, the product comes with it. */
const ITEMS = 300;
const LONGEST_TEXT = 'coffee '.repeat(285);

/** A turn ends then, whatever is not done. */
const LONGEST_TURN_MS = 2_000;

interface HeavyShop {
  readonly token: string;
  readonly customer: string;
  readonly order: string;
  readonly orderId: number;
}

async function givenHeavyShop(): Promise<HeavyShop> {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  const productId = await given.product(siteId, { description: LONGEST_TEXT });
  const orderId = await given.scheduledOrder(siteId, customerId);
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT $1, $2, $3, 0, 1 FROM generate_series(1, $4::int)`,
    [siteId, orderId, productId, ITEMS],
  );
  return { token, customer: `/api/Customers/${customerId}`, order: `/api/ScheduledOrders/${orderId}`, orderId };
}

const read = ({ token }: HeavyShop, path: string) => api.request('GET', path, { token });

const change = ({ token, order }: HeavyShop, city = 'Bath', signal: AbortSignal | null = null) =>
  fetch(api.url + order, {
    method: 'PUT',
    headers: { authorization: `Basic ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ShippingCity: city }),
    signal,
  });

/** Whether a promise has settled by now. */
function settled(promise: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => (isSettled = true);
  promise.then(settle, settle);
  return () => isSettled;
}

const waitsForLock = () =>
  until(async () => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`,
    );
    return row!.count === 1;
  });

let runner: QueryRunner;
let [first, second]: readonly HeavyShop[] = [];

beforeAll(async () => {
  [first, second] = [await givenHeavyShop(), await givenHeavyShop()];
  // Only now it is known that they are heavy.
  for (const shop of [first, second]) {
    expect((await change(shop)).status).toBe(200);
    expect((await read(shop, shop.order)).status).toBe(200);
  }
});

async function lockFirst(): Promise<void> {
  runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT 1 FROM scheduled_orders WHERE id = $1 FOR UPDATE', [first!.orderId]);
}

async function unlock(): Promise<void> {
  await runner.commitTransaction();
  await runner.release();
}

afterEach(async () => {
  if (!runner.isReleased) await unlock();
});

describe('A heavy request', () => {
  it('waits for that of another account, while all others are answered', async () => {
    for (let tookMs = Infinity; tookMs > LONGEST_TURN_MS;) {
      await lockFirst();
      const begun = performance.now();
      const heavy = change(first!);
      await waitsForLock();
      const next = read(second!, second!.order);
      const isAnswered = settled(next);
      for (const shop of [first!, second!]) expect((await read(shop, shop.customer)).status).toBe(200);
      const wasAnswered = isAnswered();
      tookMs = performance.now() - begun;
      // On a machine that is so slow, its turn may have come.
      if (tookMs <= LONGEST_TURN_MS) expect(wasAnswered).toBe(false);
      await unlock();
      expect([(await heavy).status, (await next).status]).toEqual([200, 200]);
    }
  });

  it('that waits itself keeps others waiting for 2 seconds at most', async () => {
    await lockFirst();
    const heavy = change(first!);
    await waitsForLock();
    const isAnswered = settled(heavy);
    expect((await read(second!, second!.order)).status).toBe(200);
    expect(isAnswered()).toBe(false);
    await unlock();
    expect((await heavy).status).toBe(200);
  });

  it('whose client goes away does nothing', async () => {
    await lockFirst();
    const gone = new AbortController();
    const heavy = change(first!);
    await waitsForLock();
    const waiting = change(second!, 'Cork', gone.signal);
    await read(second!, second!.customer);
    gone.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await read(second!, second!.customer);
    await unlock();
    expect((await heavy).status).toBe(200);
    expect((await read(second!, second!.order)).body).toMatchObject({ ShippingCity: 'Bath' });
  });
});
