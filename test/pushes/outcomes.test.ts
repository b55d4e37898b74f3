import { claimPushes, recordVerified, retryPush, type StoredShop, storedShopSql } from '#libs/ledger';
import { AddressRule, OutboundClient } from '#libs/platform';
import { type Push, shopReceiver } from '#libs/shops';
import { useDatabase } from '../support/database.js';
import {
  givenLine,
  givenPush,
  givenShop,
  HttpReceiverStandIn,
  type ShopFault,
  WooCommerceStandIn,
} from '../support/shops/index.js';
import { createPusher, pushesOf, stock } from '../support/shops/pushes.js';
import { until } from '../support/until.js';
import type { TestWorker } from '../support/worker.js';

const database = useDatabase();
const pushes = pushesOf(database);
let woo: WooCommerceStandIn;
let http: HttpReceiverStandIn;
let worker: TestWorker;
beforeAll(() => void (worker = createPusher(database)));
afterAll(() => worker.end());
beforeEach(async () => {
  woo = stock(await WooCommerceStandIn.start());
  http = await HttpReceiverStandIn.start();
  woo.sleepMs = http.sleepMs = 100;
});
afterEach(async () => {
  await woo.stop();
  await http.stop();
  await pushes.leave();
});

const payments = () => woo.requests.filter((one) => /^POST \/wp-json\/wc\/v3\/orders\/\d+$/.test(one)).length;
const posted = () => woo.requests.filter((one) => one === 'POST /wp-json/wc/v3/orders').length;

/** A due order of a site of its own, charged and pushed as far as that goes now. */
async function pushed(values: Record<string, unknown> = {}): Promise<number> {
  const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url, values);
  await dueOrder();
  await worker.drain();
  return siteId;
}

/** The stand-in is done with what it was sent, and so much time has passed. */
async function later(interval: string): Promise<void> {
  await until(() => woo.underWay === 0 && http.underWay === 0);
  await pushes.passes(interval);
  await worker.drain();
}

/** It stands there once, paid, nobody was mailed twice, and the ledger knows it. */
async function expectOnce(siteId: number): Promise<void> {
  const [row] = await pushes.rows(siteId);
  const living = woo.books.living(row!.push_name);
  expect(living).toMatchObject([{ status: 'processing' }]);
  expect(row).toMatchObject({ state: 'Pushed', attempts: '0', external_id: String(living[0]!.id) });
  const { books } = woo;
  expect([books.paidTwins(), books.mailedTwice(), books.unpaid()]).toEqual([[], [], []]);
}

describe('A create whose outcome is unknown', () => {
  it.each(['savesAndFails', 'dropsAfter', 'losesBody', 'timesOut'] as const)(
    '(%s) is found by the first look-up, and not repeated',
    async (fault: ShopFault) => {
      woo.faults.next(fault);
      const siteId = await pushed();
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', attempts: '0', shop_order_id: null }]);
      await later('1 minute');
      await expectOnce(siteId);
      expect(posted()).toBe(1);
    },
  );

  it('is repeated when the wait is over and two look-ups have found nothing, and not before', async () => {
    woo.faults.next('dropsBefore');
    const siteId = await pushed();
    await later('1 minute');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', found_nothing: '1', attempts: '0' }]);
    await later('8 minutes');
    expect(posted()).toBe(1);
    await later('1 minute');
    await expectOnce(siteId);
    expect(posted()).toBe(2);
  });

  it('of a plugin that saves after the first look-up makes no twin', async () => {
    let wake = (): void => undefined;
    woo.awake = new Promise<void>((resolve) => (wake = resolve));
    woo.faults.next('timesOut');
    const siteId = await pushed();
    await pushes.passes('1 minute');
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', found_nothing: '1' }]);
    wake();
    await later('9 minutes');
    await expectOnce(siteId);
    expect(posted()).toBe(1);
  });

  it('is found in a shop that has taken the status of drafts away', async () => {
    woo.settings.hasDrafts = false;
    woo.faults.next('savesAndFails');
    const siteId = await pushed();
    await later('1 minute');
    await expectOnce(siteId);
  });

  it('is not repeated when its Order was deleted meanwhile', async () => {
    woo.faults.next('dropsBefore');
    const siteId = await pushed();
    await database.query(`UPDATE orders SET deleted_utc = now() WHERE site_id = $1`, [siteId]);
    await later('1 minute');
    await later('10 minutes');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Failed', attempts: '0', next_in: null }]);
    expect(posted()).toBe(1);
  });

  it('is repeated after a longer wait each time, and is a person’s when three have come to nothing while the shop takes others', async () => {
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
    woo.faults.next('dropsBefore');
    await dueOrder();
    await worker.drain();
    const [{ message: cause } = { message: '' }] = await pushes.rows(siteId);
    await dueOrder();
    await worker.drain();
    woo.requests.length = 0;
    woo.faults.always('dropsBefore');
    const seen: unknown[] = [];
    for (const wait of ['10 minutes', '50 minutes', '10 minutes', '5 hours', '1 hour']) {
      await later(wait);
      await later('1 minute');
      seen.push([posted(), (await pushes.rows(siteId))[0]!.state]);
    }
    expect(seen).toEqual([
      [1, 'Unknown'],
      [1, 'Unknown'],
      [2, 'Unknown'],
      [2, 'Unknown'],
      [2, 'Differs'],
    ]);
    const message = `3 requests, and no order in the shop: look there before it is tried again. ${cause}`;
    expect((await pushes.rows(siteId))[0]).toMatchObject({ ...{ message, attempts: '0' }, next_in: null });
    expect((await pushes.published(siteId)).at(-1)).toMatchObject([
      'order.push_failed',
      { State: 'Differs', Reason: message.slice(0, 200) },
    ]);
  });

  it('of a shop that takes none is repeated by itself until it does', async () => {
    woo.faults.always('dropsBefore');
    const siteId = await pushed();
    for (const wait of ['10 minutes', '1 hour', '6 hours', '1 day']) {
      await later(wait);
      await later('1 minute');
    }
    expect([posted(), (await pushes.rows(siteId))[0]!.state]).toEqual([5, 'Unknown']);
    woo.faults.none();
    await later('1 day');
    await later('1 minute');
    await expectOnce(siteId);
  });

  it.each(['it takes another one', 'a person retries it', 'it is verified'])(
    'of a shop that was mended is repeated soon when %s',
    async (mended) => {
      const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
      woo.faults.always('dropsBefore');
      const scheduledOrderId = await dueOrder();
      await worker.drain();
      for (const wait of ['10 minutes', '1 hour']) {
        await later(wait);
        await later('1 minute');
      }
      woo.faults.none();
      await later('10 minutes');
      await later('1 minute');
      const first = async () =>
        (await pushes.rows(siteId)).find((row) => row.scheduled_order_id === `${scheduledOrderId}`);
      expect([posted(), (await first())!.state]).toEqual([3, 'Unknown']);
      if (mended === 'it takes another one') {
        await dueOrder();
        await worker.drain();
        await pushes.passes('10 minutes');
      } else if (mended === 'a person retries it') {
        await database.pool.transaction((tx) => retryPush(tx, { scheduledOrderId, cycle: 1 }));
      } else {
        const [shop] = await database.pool.execute<StoredShop>(
          `SELECT ${storedShopSql('s', 'h')} FROM sites s JOIN site_shops h ON h.site_id = s.id WHERE s.id = $1`,
          [siteId],
        );
        const verified = { state: 'Ready', because: null, authMode: 'Header' } as const;
        await database.pool.transaction((tx) => recordVerified(tx, shop!, verified));
      }
      await worker.drain();
      expect(await first()).toMatchObject({ state: 'Pushed' });
      expect(woo.books.paidTwins()).toEqual([]);
    },
  );

  it('keeps the shop’s answer as its Message until more is known', async () => {
    woo.faults.next('unavailable');
    const siteId = await pushed();
    const message = 'The shop answered 503.';
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', message }]);
    await later('10 minutes');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', message, found_nothing: '1' }]);
  });
});

describe('A payment whose outcome is unknown', () => {
  it.each(['savesAndFails', 'dropsAfter', 'losesBody', 'timesOut'] as const)(
    '(%s) is looked for, and not sent again',
    async (fault: ShopFault) => {
      woo.faults.next(fault, { operation: 'pay' });
      const siteId = await pushed();
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', shop_order_id: '101' }]);
      await later('1 minute');
      await expectOnce(siteId);
      expect(payments()).toBe(1);
    },
  );

  it('is sent again when the wait is over and two look-ups have found it unpaid', async () => {
    woo.faults.next('dropsBefore', { operation: 'pay' });
    const siteId = await pushed();
    await later('1 minute');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', found_nothing: '1' }]);
    expect(payments()).toBe(1);
    await later('9 minutes');
    await expectOnce(siteId);
    expect(payments()).toBe(2);
  });

  it('of a shop that manages no stock, and so says nothing of it, has arrived', async () => {
    woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50' });
    woo.faults.next('dropsAfter', { operation: 'pay' });
    const siteId = await pushed();
    await later('1 minute');
    await expectOnce(siteId);
  });

  it.each(['', ', also where its notes could not be read at first'])(
    'that left the stock where it was is a person’s%s',
    async (also) => {
      woo.faults.next('paysAndBreaks', { operation: 'pay' });
      const siteId = await pushed();
      if (also !== '') {
        // Three lists, and the notes.
        woo.faults.next('warns', { operation: 'read', times: 3 });
        woo.faults.next('dropsBefore', { operation: 'read' });
        await later('1 minute');
        expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', attempts: '0' }]);
      }
      await later('1 minute');
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', attempts: '0' }]);
      await later('9 minutes');
      const [row] = await pushes.rows(siteId);
      expect(row).toMatchObject({ state: 'Differs', message: expect.stringContaining('reduced no stock') });
      expect(payments()).toBe(1);
      expect(await pushes.published(siteId)).toMatchObject([
        ['order.push_failed', { State: 'Differs', ShopOrderId: '101' }],
      ]);
    },
  );
});

it('A payment that takes the stock later has arrived', async () => {
  woo.faults.next('paysAndBreaks', { operation: 'pay' });
  const siteId = await pushed();
  await later('1 minute');
  expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', shop_order_id: '101' }]);
  woo.books.orders.get(101)!.notes.push({ note: 'Stock levels reduced: (#10) 100&rarr;99', customer_note: false });
  await later('1 minute');
  const [row] = await pushes.rows(siteId);
  expect([row!.state, payments()]).toEqual(['Pushed', 1]);
});

it('A payment whose notes can never be read has arrived all the same', async () => {
  woo.settings.breaksAt = 'wc/v3/orders/101/notes';
  woo.faults.next('savesAndFails', { operation: 'pay' });
  const siteId = await pushed();
  for (let time = 1; time <= 10; time += 1) {
    await later('1 minute');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Unknown', found_nothing: String(time) }]);
    // Its look-ups are answered.
    expect(await pushes.shop(siteId)).toMatchObject({ failures: '0' });
  }
  await later('1 minute');
  await expectOnce(siteId);
});

describe('What a shop certainly did not take', () => {
  it.each(['losesBody', 'showsPage'] as const)(
    'is tried by the schedule where what is read before the create was not answered (%s): nothing was sent',
    async (fault) => {
      woo.faults.always(fault, 'read');
      const siteId = await pushed();
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Waiting', attempts: '1' }]);
      const unsellable = await database.query(`SELECT FROM products WHERE site_id = $1 AND unsellable IS NOT NULL`, [
        siteId,
      ]);
      expect(unsellable).toEqual([]);
      woo.faults.none();
      await later('1 minute');
      const [row] = await pushes.rows(siteId);
      expect([row!.state, posted()]).toEqual(['Pushed', 1]);
    },
  );

  it('is refused for good: the push has failed, and can be tried again', async () => {
    woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50', status: 'draft' });
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Failed', next_in: null, external_id: null });
    expect(row!.message).toMatch(/is not published in the shop/);
    expect(await pushes.published(siteId)).toMatchObject([
      ['order.push_failed', { State: 'Failed', Reason: row!.message }],
    ]);
    await later('30 days');
    expect(posted()).toBe(0);
  });

  it('with 403 for one order alone holds none of the others', async () => {
    woo.faults.next('forbids');
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await dueOrders(3);
    await worker.drain();
    expect((await pushes.rows(siteId)).map(({ state }) => state).sort()).toEqual(['Failed', 'Pushed', 'Pushed']);
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready' });
  });

  it('is tried again by the schedule; then it has failed', async () => {
    const strict = createPusher(database, { PUSH_RETRY_SCHEDULE: 'PT1M,PT5M' });
    const { siteId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrder();
    const rows = async () =>
      (await pushes.rows(siteId)).map(({ state, attempts, next_in }) => [
        state,
        attempts,
        next_in && Math.round(next_in / 60),
      ]);
    const seen = [];
    for (let round = 0; round < 3; round += 1) {
      await strict.drain();
      seen.push(...(await rows()));
      await pushes.passes('5 minutes');
    }
    await strict.end();
    expect(seen).toEqual([
      ['Waiting', '1', 1],
      ['Waiting', '2', 5],
      ['Failed', '3', null],
    ]);
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready' });
  });

  it('uses up no try when the shop says when to come again: 429', async () => {
    woo.faults.retryAfterSeconds = 600;
    woo.faults.next('rateLimited');
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Waiting', attempts: '0' });
    expect([row!.next_in! > 300, row!.next_in! <= 600]).toEqual([true, true]);
    expect((await pushes.shop(siteId)).held).toBeGreaterThan(300);
    await later('10 minutes');
    await expectOnce(siteId);
  });

  it('uses up no tries while nobody is answered: one push probes the shop', async () => {
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrders(8);
    await worker.drain();
    expect((await pushes.shop(siteId)).failures).toBe('6');
    for (let round = 0; round < 4; round += 1) {
      await pushes.passes('2 days');
      await database.query(`UPDATE site_shops SET failing_since_utc = now() - interval '1 minute' WHERE site_id = $1`, [
        siteId,
      ]);
      await worker.drain();
    }
    const rows = await pushes.rows(siteId);
    expect(rows.map(({ state }) => state)).toEqual(rows.map(() => 'Waiting'));
    expect(rows.reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(6);
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', failures: '10' });
    const again = stock(await WooCommerceStandIn.start());
    await database.query(`UPDATE sites SET url = $2 WHERE id = $1`, [siteId, again.url]);
    for (let round = 0; round < 3; round += 1) {
      await pushes.passes('2 days');
      await worker.drain();
    }
    await again.stop();
    expect((await pushes.rows(siteId)).map(({ state }) => state)).toEqual(rows.map(() => 'Pushed'));
    expect(await pushes.shop(siteId)).toMatchObject({ failures: '0', held: null });
  });

  it('gets all of it at once when the shop has answered again', async () => {
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrders(8);
    await worker.drain();
    const again = stock(await WooCommerceStandIn.start());
    await database.query(`UPDATE sites SET url = $2 WHERE id = $1`, [siteId, again.url]);
    await database.query(`UPDATE site_shops SET not_before_utc = NULL WHERE site_id = $1`, [siteId]);
    const [probe] = await pushes.rows(siteId);
    await database.query(`UPDATE order_pushes SET next_attempt_utc = now() WHERE order_id = $1`, [probe!.order_id]);
    await worker.drain();
    await again.stop();
    expect((await pushes.rows(siteId)).map(({ state }) => state)).toEqual(Array(8).fill('Pushed'));
  });

  it('for five days, however often it was tried, leaves the shop Unreachable: told once', async () => {
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrders(8);
    await worker.drain();
    for (let round = 0; round < 3; round += 1) {
      await pushes.passes('3 days');
      await worker.drain();
    }
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Unreachable' });
    expect(await pushes.published(siteId)).toEqual([['shop.refused', { Reason: 'Unreachable' }]]);
  });
});

describe('A shop that refuses us', () => {
  it('stops all its pushes without a try, is told once, and goes on when it is verified', async () => {
    woo.access.keys.clear();
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await dueOrders(4);
    await worker.drain();
    expect(await pushes.shop(siteId)).toMatchObject({
      state: 'Refused',
      state_because: expect.stringContaining('The shop does not see the key.'),
    });
    const waits = { state: 'Waiting', attempts: '0' };
    expect(await pushes.rows(siteId)).toMatchObject([waits, waits, waits, waits]);
    expect(await pushes.published(siteId)).toEqual([['shop.refused', { Reason: 'Refused' }]]);
    woo.access.keys.set('ck_shop', { secret: 'cs_shop_secret', may: 'read_write', role: 'administrator' });
    await pushes.verified(siteId);
    await worker.drain();
    expect((await pushes.rows(siteId)).map(({ state }) => state)).toEqual(Array(4).fill('Pushed'));
  });

  describe('for its clock is another', () => {
    afterEach(() => void jest.restoreAllMocks());

    it('is told at once, while it is Ready, and is not when it goes on', async () => {
      http.aheadMs = -3_600_000;
      const { siteId, dueOrder } = await pushes.site('Http', http.url);
      await dueOrder();
      await worker.drain();
      const because = "The shop's clock and ours are 60 minutes apart: it refuses the signature (401).";
      expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', state_because: because, failures: '1' });
      http.aheadMs = 0;
      await later('1 minute');
      expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', state_because: null, failures: '0' });
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed', attempts: '0' }]);
    });

    it('than this worker’s, and the database’s, too: the shop is right, and nothing is held against it', async () => {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
      http.aheadMs = -600_000;
      const { siteId, dueOrder } = await pushes.site('Http', http.url);
      await dueOrder();
      await worker.drain();
      expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Waiting', attempts: '0' }]);
      expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', state_because: null, failures: '0' });
    });
  });

  it('between create and payment: the order that can be paid goes before one that has waited longer', async () => {
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrders(2);
    await worker.drain();
    const [first, second] = await pushes.rows(siteId);
    await database.query(`UPDATE site_shops SET failures = 0 WHERE site_id = $1`, [siteId]);
    await database.query(
      `UPDATE order_pushes SET shop_order_id = CASE WHEN order_id = $2 THEN '101' END,
         next_attempt_utc = now() - CASE WHEN order_id = $2 THEN interval '0' ELSE interval '1 hour' END WHERE site_id = $1`,
      [siteId, second!.order_id],
    );
    const claimed = await database.pool.transaction(async (tx) => [
      ...(await claimPushes(tx, [{ site_id: siteId, most: 1 }])),
      ...(await claimPushes(tx, [{ site_id: siteId, most: 2 }])),
    ]);
    expect(claimed.map(({ orderId }) => orderId)).toEqual([second, first].map((one) => Number(one!.order_id)));
  });

  it('and that fails again and again is probed by what has waited longest', async () => {
    const { siteId, dueOrders } = await pushes.site('WooCommerceRest', woo.url);
    await woo.stop();
    await dueOrders(2);
    await worker.drain();
    const [first, second] = await pushes.rows(siteId);
    await database.query(`UPDATE site_shops SET failures = 5 WHERE site_id = $1`, [siteId]);
    await database.query(
      `UPDATE order_pushes SET shop_order_id = CASE WHEN order_id = $2 THEN '101' END,
         next_attempt_utc = now() - CASE WHEN order_id = $2 THEN interval '0' ELSE interval '1 hour' END WHERE site_id = $1`,
      [siteId, second!.order_id],
    );
    const claimed = await database.pool.transaction((tx) => claimPushes(tx, [{ site_id: siteId, most: 2 }]));
    expect(claimed.map(({ orderId }) => orderId)).toEqual([Number(first!.order_id)]);
  });
});

describe('What a shop has otherwise', () => {
  it('by tax alone is accepted, and told: the total differs', async () => {
    woo.taxRates.set('FR/', '0.08');
    const siteId = await pushed();
    expect(await pushes.rows(siteId)).toMatchObject([
      { state: 'Pushed', shop_total: '12.5100', message: "The shop's total is 12.51 instead of 12.50." },
    ]);
    expect(await pushes.published(siteId)).toMatchObject([
      ['order.total_differs', { Total: '12.50', ShopTotal: '12.51' }],
      ['order.pushed', {}],
    ]);
  });

  it('by tax alone is a person’s where the site refuses it; it is paid all the same', async () => {
    woo.taxRates.set('FR/', '0.08');
    const siteId = await pushed({ taxDifference: 'Refuse' });
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Differs', shop_total: '12.5100', external_id: row!.shop_order_id });
    expect(woo.books.living(row!.push_name)).toMatchObject([{ status: 'processing' }]);
  });

  it('because a product went between create and payment is a person’s', async () => {
    woo.faults.next('deletesProducts');
    const siteId = await pushed();
    expect(await pushes.rows(siteId)).toMatchObject([
      {
        state: 'Differs',
        lines_that_differ: [
          { ProductExternalId: '10', Ours: 1, Theirs: 0 },
          { ProductExternalId: null, Ours: 0, Theirs: 1 },
        ],
      },
    ]);
  });

  it('because the shop does not sell it is a person’s, paid, also when another worker goes on with it', async () => {
    woo.products.set(10, { id: 10, name: 'Coffee', price: '12.50', status: 'draft' });
    woo.faults.next('dropsAfter');
    const siteId = await pushed({ pushAnyway: true });
    await later('1 minute');
    const [row] = await pushes.rows(siteId);
    const message = '"Coffee" is not published in the shop (draft).';
    expect(row).toMatchObject({ state: 'Differs', message, external_id: row!.shop_order_id });
    expect([woo.books.living(row!.push_name), posted()]).toMatchObject([[{ status: 'processing' }], 1]);
  });

  it('because somebody threw it away is a person’s, and no twin is made', async () => {
    woo.faults.next('dropsAfter');
    const siteId = await pushed();
    for (const order of woo.books.orders.values()) order.status = 'trash';
    await later('1 minute');
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Differs', next_in: null, shop_order_id: '101' }]);
    await later('1 day');
    expect(posted()).toBe(1);
  });

  it('under an id that another Order has: a person’s, and named', async () => {
    const { siteId, customerId, dueOrder } = await pushes.site('WooCommerceRest', woo.url);
    const [other] = await database.query<{ id: string }>(
      `INSERT INTO orders (site_id, customer_id, external_id) VALUES ($1, $2, '101') RETURNING id`,
      [siteId, customerId],
    );
    await dueOrder();
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([
      {
        ...{ state: 'Differs', shop_order_id: '101', external_id: null },
        message: `The shop's order 101 is Order ${other!.id} already.`,
      },
    ]);
  });
});

describe('Twins', () => {
  const receiver = () =>
    shopReceiver(new OutboundClient(new AddressRule(['127.0.0.0/8']), {}), givenShop('WooCommerceRest', woo.url));
  /** As a request does that comes late. */
  const create = async (name: string, change: Partial<Push> = {}) =>
    receiver().create(givenPush({ name, ...change }), { pushAnyway: false });

  it('of which one is unpaid: that one is deleted by force, and told', async () => {
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    const twin = await create(row!.push_name);
    await later('10 minutes');
    expect(woo.books.living(row!.push_name).map(({ id }) => String(id))).toEqual([row!.shop_order_id]);
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed', next_in: null }]);
    expect((await pushes.published(siteId)).at(-1)).toMatchObject([
      'order.twin_removed',
      { ShopOrderId: (twin as { order: { id: string } }).order.id },
    ]);
  });

  it('of which one may not be deleted are a person’s, and hold none of the others', async () => {
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    await create(row!.push_name);
    woo.faults.always('forbids', 'remove');
    await later('10 minutes');
    expect(await pushes.rows(siteId)).toMatchObject([
      {
        ...{ state: 'Differs', external_id: row!.external_id, shop_order_id: row!.shop_order_id, next_in: null },
        message: expect.stringMatching(/^An unpaid order of it cannot be deleted in the shop: /),
      },
    ]);
    expect(await pushes.shop(siteId)).toMatchObject({ state: 'Ready', failures: '0' });
  });

  it('of which one may not be deleted are told also where a person decides already, once', async () => {
    woo.taxRates.set('FR/', '0.08');
    const siteId = await pushed({ taxDifference: 'Refuse' });
    const [row] = await pushes.rows(siteId);
    await create(row!.push_name);
    woo.faults.always('forbids', 'remove');
    await later('10 minutes');
    await pushes.looksAgain(siteId);
    await worker.drain();
    const failed = (await pushes.published(siteId)).filter(([type]) => type === 'order.push_failed');
    expect(failed.map(([, { Reason }]) => Reason)).toEqual([
      "The shop's total is 12.51 instead of 12.50.",
      expect.stringMatching(/^An unpaid order of it cannot be deleted in the shop: /),
    ]);
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Differs', external_id: row!.external_id }]);
  });

  it('of which one is gone before it is written: told all the same, once', async () => {
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    const twin = (await create(row!.push_name)) as { order: { id: string } };
    const removals = async () => (await pushes.published(siteId)).filter(([type]) => type === 'order.twin_removed');
    woo.faults.next('dropsAfter', { operation: 'remove' });
    await later('10 minutes');
    expect(woo.books.living(row!.push_name)).toHaveLength(1);
    expect(await removals()).toEqual([]);
    await later('1 minute');
    await later('1 day');
    expect(await removals()).toMatchObject([['order.twin_removed', { ShopOrderId: twin.order.id }]]);
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Pushed', next_in: null }]);
  });

  it('that are both paid are a person’s, told at once', async () => {
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    const twin = (await create(row!.push_name)) as { order: { id: string } };
    Object.assign(woo.books.orders.get(Number(twin.order.id))!, { status: 'processing', paidMs: Date.now() });
    await later('10 minutes');
    expect(await pushes.rows(siteId)).toMatchObject([
      { state: 'Differs', message: expect.stringContaining('The shop has it twice, paid') },
    ]);
    expect(woo.books.living(row!.push_name)).toHaveLength(2);
  });

  it('that are both paid are told also where a person decides already, once', async () => {
    woo.taxRates.set('FR/', '0.08');
    const siteId = await pushed({ taxDifference: 'Refuse' });
    const [row] = await pushes.rows(siteId);
    const twin = (await create(row!.push_name)) as { order: { id: string } };
    Object.assign(woo.books.orders.get(Number(twin.order.id))!, { status: 'processing', paidMs: Date.now() });
    await later('10 minutes');
    await pushes.looksAgain(siteId);
    await worker.drain();
    const reasons = (await pushes.published(siteId)).filter(([type]) => type === 'order.push_failed');
    expect(reasons.map(([, { Reason }]) => Reason)).toEqual([
      "The shop's total is 12.51 instead of 12.50.",
      expect.stringContaining('The shop has it twice, paid'),
    ]);
  });

  it('of which one comes up after the push has failed, unpaid: it goes, and a person decides', async () => {
    woo.faults.next('refusesIntoTrash');
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    expect(row).toMatchObject({ state: 'Failed', shop_order_id: null });
    const line = givenLine({ quantity: 1, total: '12.50', taxTotal: '0.00' });
    const amounts = { subtotal: '12.50', shippingTotal: '0.00', taxTotal: '0.00', total: '12.50' };
    const came = (await create(row!.push_name, { ...amounts, lines: [line] })) as { order: { id: string } };
    const message = `It came up in the shop as ${came.order.id}, unpaid, and was deleted, for its customer has paid: Retry makes it again. ${row!.message}`;
    await pushes.looksAgain(siteId);
    await worker.drain();
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Failed', message, shop_order_id: null }]);
    expect([woo.books.living(row!.push_name), payments()]).toEqual([[], 0]);
    expect((await pushes.published(siteId)).at(-1)).toMatchObject(['order.twin_removed', {}]);
  });

  it('of which one is on hold stays, for its customer cannot pay it: a person’s, told', async () => {
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    const twin = (await create(row!.push_name)) as { order: { id: string } };
    woo.changeOrder(Number(twin.order.id), { status: 'on-hold' });
    await later('10 minutes');
    const message = expect.stringContaining(`: order 101 (paid), order ${twin.order.id} (on hold).`) as string;
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Differs', message, external_id: '101' }]);
    expect(woo.books.living(row!.push_name)).toHaveLength(2);
    expect((await pushes.published(siteId)).at(-1)).toMatchObject(['order.push_failed', { ShopOrderId: '101' }]);
  });

  it('of which one comes up after the push has failed, and is put on hold: it stays, neither paid nor deleted', async () => {
    woo.faults.next('refusesIntoTrash');
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    const came = (await create(row!.push_name)) as { order: { id: string } };
    woo.changeOrder(Number(came.order.id), { status: 'on-hold' });
    await pushes.looksAgain(siteId);
    await worker.drain();
    const message = expect.stringMatching(/^It is on hold in the shop: order \d+ \(on hold\)\. /) as string;
    expect(await pushes.rows(siteId)).toMatchObject([{ state: 'Differs', message, shop_order_id: came.order.id }]);
    expect([woo.books.living(row!.push_name), payments()]).toMatchObject([[{ status: 'on-hold' }], 0]);
  });

  it('both unpaid: the younger goes, and one is paid', async () => {
    woo.faults.next('dropsAfter');
    const siteId = await pushed();
    const [row] = await pushes.rows(siteId);
    await create(row!.push_name);
    await later('1 minute');
    await expectOnce(siteId);
    expect(woo.books.twins()).toEqual([]);
  });
});
