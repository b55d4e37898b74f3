import { ALL_CASES } from '../support/all-cases.js';
import { useDatabase } from '../support/database.js';
import { HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { createPusher, OPEN, pushesOf, stock } from '../support/shops/pushes.js';
import { until } from '../support/until.js';
import { drainOnce, startWorker, stopWorkers } from '../support/worker.js';

const database = useDatabase();
const pushes = pushesOf(database);
const HANDLED = { ...OPEN, PUSH_RETRY_SCHEDULE: 'PT1M,PT1M,PT1M' };
afterEach(stopWorkers);

const statesOf = async (siteId: number) => (await pushes.rows(siteId)).map(({ state }) => state);

describe('A shop that is dead', () => {
  it('takes two places, and keeps no other shop waiting', async () => {
    const dead = await HttpReceiverStandIn.start();
    const living = await HttpReceiverStandIn.start();
    dead.sleepMs = 60_000;
    dead.faults.always('sleeps');
    const [one, other] = [await pushes.site('Http', dead.url), await pushes.site('Http', living.url)];
    await one.dueOrders(30);
    await other.dueOrders(30);
    const worker = createPusher(database, {}, 60_000);
    const draining = worker.drain();
    await until(async () => (await statesOf(other.siteId)).filter((state) => state === 'Pushed').length === 30);
    expect(dead.underWay).toBe(2);
    expect((await statesOf(one.siteId)).filter((state) => state === 'Sending')).toHaveLength(2);
    await dead.stop();
    await draining;
    // What it has not got must not fall due in the tests that follow.
    await database.query(`UPDATE site_shops SET state = 'Unverified' WHERE site_id = $1`, [one.siteId]);
    await worker.end();
    await living.stop();
  });
});

describe('Workers beside each other', () => {
  it('push each Order once, with two at a time to one shop', async () => {
    const shop = stock(await WooCommerceStandIn.start());
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', shop.url);
    await dueOrders(24);
    const workers = [1, 2, 3].map(() => createPusher(database));
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, shop.underWay)), 1);
    await Promise.all(workers.map((worker) => worker.drain()));
    await until(async () => {
      await workers[0]!.drain();
      return (await statesOf(siteId)).every((state) => state === 'Pushed');
    });
    clearInterval(watch);
    await Promise.all(workers.map((worker) => worker.end()));
    await shop.stop();
    const { books } = shop;
    expect([books.orders.size, books.twins(), books.mailedTwice(), books.unpaid()]).toEqual([24, [], [], []]);
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('A worker that is killed', () => {
  it.each([
    ['after the create, before it is paid', 'after-push-create', 'pending'],
    ['after it was paid, before that is written', 'after-push-settle', 'processing'],
  ])('%s: when its lease has ended, another one goes on with the same order', async (_, step, status) => {
    const shop = stock(await WooCommerceStandIn.start());
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', shop.url);
    await dueOrder();
    const { exited } = await startWorker(database, { ...HANDLED, FAILPOINTS: `${step}:kill` }, ['--once']);
    expect(await exited).toBe('SIGKILL');
    const { books } = shop;
    expect([await statesOf(siteId), [...books.orders.values()].map((order) => order.status)]).toEqual([
      ['Sending'],
      [status],
    ]);
    await drainOnce(database, HANDLED);
    expect(await statesOf(siteId)).toEqual(['Sending']);
    await pushes.passes('3 minutes');
    await drainOnce(database, HANDLED);
    expect(await statesOf(siteId)).toEqual(['Pushed']);
    expect([books.orders.size, books.mails.length, books.unpaid()]).toEqual([1, 2, []]);
    await shop.stop();
  });

  it('again and again, under every fault, loses nothing and makes nothing twice', async () => {
    const shop = stock(await WooCommerceStandIn.start());
    shop.sleepMs = 200;
    const count = ALL_CASES ? 120 : 24;
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', shop.url);
    await dueOrders(count);
    const lost = { dropsBefore: 0.05, dropsAfter: 0.06, losesBody: 0.05, rateLimited: 0.02, savesAndFails: 0.05 };
    for (let round = 0; (await statesOf(siteId)).length < count || !(await allPushed(siteId)); round += 1) {
      expect(round).toBeLessThan(60);
      shop.faults.none();
      if (round < 6) shop.faults.randomly(lost, 76_874_756 + round, (['create', 'pay', 'read'] as const)[round % 3]);
      const killed =
        round < 3 ? { FAILPOINTS: `${round % 2 ? 'after-push-settle' : 'after-push-create'}:kill@${4 + round}` } : {};
      if (round < 3) await (await startWorker(database, { ...HANDLED, ...killed }, ['--once'])).exited;
      else await drainOnce(database, HANDLED);
      await until(() => shop.underWay === 0);
      await pushes.passes('11 minutes');
    }
    const { books } = shop;
    expect([books.twins(), books.paidTwins(), books.mailedTwice(), books.unpaid()]).toEqual([[], [], [], []]);
    const rows = await pushes.rows(siteId);
    expect(rows.map(({ push_name }) => books.living(push_name).length)).toEqual(rows.map(() => 1));
    await shop.stop();
  });

  const allPushed = async (siteId: number) => (await statesOf(siteId)).every((state) => state === 'Pushed');
});
