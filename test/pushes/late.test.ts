import { beginRemoving, claimPushes, recordVerified, type StoredShop, storedShopSql } from '#libs/ledger';
import { useDatabase } from '../support/database.js';
import { encryptedValues } from '../support/encrypted.js';
import { given as givenIn } from '../support/given.js';
import { WooCommerceStandIn } from '../support/shops/index.js';
import { json, type OnTheWay, type ServedRequest } from '../support/shops/loopback-server.js';
import { createPusher, OPEN, pushesOf, stock } from '../support/shops/pushes.js';
import { until } from '../support/until.js';
import { drainOnce, knownDatabase, type TestWorker, vault } from '../support/worker.js';

const database = useDatabase();
const pushes = pushesOf(database);
const given = givenIn(database);
let woo: LateStandIn;
let worker: TestWorker;
beforeAll(() => void (worker = createPusher(database, {}, 60_000)));
afterAll(() => worker.end());
beforeEach(async () => {
  woo = new LateStandIn();
  await stock(woo).listen();
});
afterEach(async () => {
  await woo.stop();
  await pushes.leave();
});

/** One answer comes late: of the first request whose method and path are these. */
class LateStandIn extends WooCommerceStandIn {
  late: RegExp | null = null;
  isRefused = false;
  release: (() => void) | null = null;

  protected override async serve(request: ServedRequest): Promise<OnTheWay> {
    if (this.late?.test(`${request.method} ${request.url.pathname}`) !== true) return super.serve(request);
    this.late = null;
    await new Promise<void>((resolve) => (this.release = resolve));
    return this.isRefused ? json(401, { code: 'woocommerce_rest_cannot_view' }) : super.serve(request);
  }
}

/** A due order is pushed, and `meanwhile` comes to pass before the late answer. */
async function pushed(meanwhile: (siteId: number) => Promise<unknown>): Promise<number> {
  const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
  await dueOrder();
  const draining = worker.drain();
  await until(() => woo.release !== null);
  await meanwhile(siteId);
  woo.release!();
  await draining;
  return siteId;
}

describe('An answer that comes late', () => {
  it('refuses keys that were replaced meanwhile: the shop that was verified since stays Ready', async () => {
    Object.assign(woo, { late: /^GET .*\/products$/, isRefused: true });
    const siteId = await pushed(async (site) => {
      woo.access.keys.set('ck_new', { secret: 'cs_shop_secret', may: 'read_write', role: 'administrator' });
      const { apiKey1 } = encryptedValues(vault, 'sites', site, { apiKey1: 'ck_new' });
      await database.query(`UPDATE sites SET api_key1 = $2 WHERE id = $1`, [site, apiKey1]);
      await pushes.verified(site);
    });
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', state_because: null });
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed' }]);
    expect((await pushes.published(siteId)).map(([type]) => type)).toEqual(['order.pushed']);
  });

  it('writes nothing of the Order and the shop when another worker has the push', async () => {
    woo.late = /^POST .*\/orders\/\d+$/;
    const siteId = await pushed((site) =>
      database.query(`UPDATE order_pushes SET claim = claim + 1 WHERE site_id = $1`, [site]),
    );
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Sending', external_id: null, order_number: null }]);
    expect(await pushes.published(siteId)).toEqual([]);
    await pushes.passes('3 minutes');
    await worker.drain();
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Pushed', external_id: row!.shop_order_id });
  });
});

it('Nothing is deleted by who knows another database', async () => {
  const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
  await dueOrder();
  await worker.drain();
  await pushes.looksAgain(siteId);
  const [row] = await database.pool.transaction((tx) => claimPushes(tx, [{ site_id: siteId, most: 1 }]));
  const known = await knownDatabase(database);
  const other = { ...known, generation: known.generation + 1 };
  await expect(beginRemoving(database.pool, other, row!, ['7'])).rejects.toMatchObject({ code: 'SO001' });
  expect(await beginRemoving(database.pool, known, row!, ['7'])).toBe(true);
});

it('Verify of a shop that is moved at this moment lets nothing go there', async () => {
  const { siteId } = await pushes.site('WooCommerceRest', woo.url, { state: 'Unverified' });
  const [shop] = await database.pool.execute<StoredShop>(
    `SELECT ${storedShopSql('s', 'h')} FROM sites s JOIN site_shops h ON h.site_id = s.id WHERE s.id = $1`,
    [siteId],
  );
  const ready = { state: 'Ready', because: null, authMode: 'Header' } as const;
  const { verifying } = await database.pool.transaction(async (tx) => {
    await tx.execute(`UPDATE sites SET url = 'https://other.example' WHERE id = $1`, [siteId]);
    await tx.execute(`UPDATE site_shops SET state_because = 'It was moved.' WHERE site_id = $1`, [siteId]);
    const verifying = database.pool.transaction((other) => recordVerified(other, shop!, ready));
    await until(async () => (await database.query(`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0);
    return { verifying };
  });
  expect(await verifying).toBe(false);
  expect(await pushes.shop(siteId)).toMatchObject({ state: 'Unverified' });
});

it('that cannot be read keeps no other one of its claim, and is named in the log', async () => {
  const [broken, other] = [
    await pushes.site('WooCommerceRest', woo.url),
    await pushes.site('WooCommerceRest', woo.url),
  ];
  const scheduledOrderId = await given.scheduledOrder(broken.siteId, broken.customerId);
  await given.insert('order_pushes', {
    ...{ siteId: broken.siteId, scheduledOrderId, cycle: 7, orderId: 999_999_999, pushName: 'broken-1-1' },
    ...{ state: 'Waiting', nextAttemptUtc: new Date() },
  });
  await other.dueOrder();
  const log = await drainOnce(database, { ...OPEN, LOG_FORMAT: 'json' });
  expect(await pushes.rows(other.siteId)).toMatchObject([{ state: 'Pushed' }]);
  const waits = await database.query(
    `SELECT state, attempts, message, next_attempt_utc > now() AS waits FROM order_pushes WHERE site_id = $1`,
    [broken.siteId],
  );
  const message = 'What was charged cannot be read: nothing was sent. The log of the service’s workers says why.';
  expect(waits).toEqual([{ ...{ state: 'Waiting', attempts: '0' }, message, waits: true }]);
  const lines = log.split('\n').filter((line) => line.includes('A push broke down'));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { siteId: broken.siteId, scheduledOrderId, cycle: 7 },
  ]);
});
