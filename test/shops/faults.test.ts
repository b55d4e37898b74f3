import type { ClaimedPush, PushResult } from '#libs/ledger';
import { AddressRule, OutboundClient } from '#libs/platform';
import { type Push, type Receiver, type ShopOrder, type ShopReceiver, shopReceiver } from '#libs/shops';
import {
  afterLookUp,
  afterNotDone,
  afterSettlement,
  judge,
  mayBeThere,
  underWaySince,
} from '../../apps/worker/src/pushes/result.js';
import { Random, SEED } from '../support/random.js';
import { givenPush, givenShop, HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { until } from '../support/until.js';

const PUSHES = 80;
const DAY_MS = 86_400_000;
/** Between two tries a day passes, and nothing is under way any more. */
const POLICY = { pushRetryScheduleMs: Array<number>(100).fill(1), pushUnknownWaitMs: 1_000 };

/** What the ledger has written of a push, whatever its worker did then. */
type Row = { -readonly [Name in keyof ClaimedPush]: ClaimedPush[Name] } & { readonly push: Push };

const givenRow = (push: Push, receiver: Receiver): Row => ({
  ...{ push, receiver, scheduledOrderId: push.scheduledOrderId, cycle: push.cycle, siteId: push.siteId },
  ...{ orderId: push.orderId, pushName: push.name, state: 'Waiting', attempts: 0, claim: 1, message: null },
  ...{ foundNothing: 0, sends: 0, tookOthers: false, worksAgain: false, looksUpFirst: false, isLinked: false },
  ...{ sentUtc: null, shopOrderId: null, removingTwins: [] },
  ...{ createdUtc: new Date(), nowUtc: new Date(), restoredUtc: null, taxDifference: 'Accept', pushAnyway: false },
  ...{ shopFailures: 0, url: null, path: null, authMode: 'Header', apiKey1: null, apiKey2: null },
  ...{ secret: '', previousSecret: null },
});

/** As BEGIN_SENDING writes it. */
function begin(row: Row, order: ShopOrder | null): void {
  row.sends = (row.shopOrderId === (order?.id ?? null) ? row.sends : 0) + 1;
  Object.assign(row, { state: 'Sending', sentUtc: row.nowUtc, foundNothing: 0, message: null });
  row.shopOrderId = order?.id ?? row.shopOrderId;
}

/** As RECORD_PUSH writes it. */
function record(row: Row, { state, attempts, foundNothing, sentUtc, report, shopOrder, isGone }: PushResult): void {
  const shopOrderId = shopOrder?.id ?? (isGone ? null : row.shopOrderId);
  if (state !== 'Unknown' || shopOrderId !== row.shopOrderId) row.sends = 0;
  Object.assign(row, { state, attempts, foundNothing, shopOrderId });
  row.sentUtc ??= sentUtc;
  if (report !== null) row.message = report.message;
}

/** What a person does about what ended otherwise: whatever else does stays as it is. */
function decide(row: Row): void {
  const isInVain = row.state === 'Differs' && /^\d+ requests, and no /.test(row.message ?? '');
  if (row.state === 'Failed' || isInVain)
    Object.assign(row, { state: 'Waiting', looksUpFirst: true, attempts: 0, foundNothing: 0, sends: 0 });
  if (row.state === 'Differs' && row.message?.includes('broke down then')) row.state = 'Pushed';
}

/** One try, as the worker decides on it; it dies in between at random. */
class Try {
  constructor(
    private readonly receiver: ShopReceiver,
    private readonly hasEnded: () => Promise<unknown>,
    private readonly dies: () => boolean,
  ) {}

  async run(row: Row): Promise<void> {
    row.nowUtc = new Date(row.nowUtc.getTime() + DAY_MS);
    if (underWaySince(row) !== null) await this.hasEnded();
    const result = await (mayBeThere(row) ? this.lookUp(row) : this.create(row));
    if (result !== null && !this.dies()) record(row, result);
  }

  /** @returns null where it died. */
  private async lookUp(row: Row): Promise<PushResult | null> {
    const found = await this.receiver.lookUp(row.push);
    if (found.kind !== 'found') return afterNotDone(row, 'lookUp', found, null, POLICY);
    if (this.dies()) return null;
    const judged = judge(row, found.orders);
    for (const { id } of judged.remove) {
      const removed = await this.receiver.remove(id);
      if (removed.kind !== 'removed') return afterNotDone(row, 'lookUp', removed, null, POLICY);
    }
    const next = afterLookUp(row, found.orders, judged, POLICY);
    if (next.step === 'record') return next.result;
    return next.step === 'create' ? this.create(row) : this.settle(row, next.order);
  }

  private async create(row: Row): Promise<PushResult | null> {
    begin(row, null);
    const created = await this.receiver.create(row.push, row);
    if (this.dies()) return null;
    if (created.kind !== 'created') return afterNotDone(row, 'create', created, null, POLICY);
    return this.settle(row, created.order);
  }

  private async settle(row: Row, order: ShopOrder): Promise<PushResult> {
    if (order.state === 'Unpaid') begin(row, order);
    const settled = await this.receiver.settle(row.push, order, row);
    if (settled.kind !== 'settled' && settled.kind !== 'removed')
      return afterNotDone(row, 'settle', settled, order, POLICY);
    return afterSettlement(row, row.push, settled, POLICY);
  }
}

const isOpen = ({ state }: Row) => state === 'Waiting' || state === 'Sending' || state === 'Unknown';

const random = new Random(SEED, 'pushes');
const seed = () => Math.floor(random.between(1, 1e9));

/**
 * Pushes until nothing waits, and nothing is under way. `disturb` changes the weather before each try. In the first
 * rounds the database goes back now and then: the ledger has forgotten what it has sent, and looks up before it
 * creates.
 */
async function drive(
  shop: WooCommerceStandIn | HttpReceiverStandIn,
  kind: Receiver,
  disturb: () => void,
): Promise<Row[]> {
  const rows = Array.from({ length: PUSHES }, (_, at) => givenRow(givenPush({ scheduledOrderId: at + 1 }), kind));
  const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));
  const hasEnded = () => until(() => shop.underWay === 0);
  const one = new Try(shopReceiver(outbound, givenShop(kind, shop.url)), hasEnded, () => random.chance(0.1));
  shop.sleepMs = 100;
  for (let round = 0; rows.some(isOpen); round += 1) {
    expect(round).toBeLessThan(100);
    for (const row of rows.filter(isOpen)) {
      disturb();
      await one.run(row);
    }
    const restored = rows.filter(() => round <= 3 && random.chance(0.05));
    for (const row of restored)
      Object.assign(row, { state: 'Waiting', sentUtc: null, shopOrderId: null, restoredUtc: row.nowUtc });
    rows.forEach(decide);
  }
  shop.faults.none();
  await hasEnded();
  await shop.stop();
  return rows;
}

const LOST = { dropsBefore: 0.06, dropsAfter: 0.08, losesBody: 0.06, rateLimited: 0.03 };

describe(`${PUSHES} pushes through every fault, with workers that die and a database that went back: each once, and paid`, () => {
  it('over WooCommerce’s own interface: nobody is mailed twice, or asked to pay again', async () => {
    const shop = await WooCommerceStandIn.start();
    shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99' });
    const rows = await drive(shop, 'WooCommerceRest', () => {
      const [operation, also] = random.pick([
        ['create', { savesAndFails: 0.08, timesOut: 0.04, refusesIntoTrash: 0.04 }],
        ['pay', { savesAndFails: 0.08, paysAndBreaks: 0.04, timesOut: 0.04 }],
        ['read', {}],
        ['remove', {}],
      ] as const);
      shop.faults.none();
      shop.faults.randomly({ ...LOST, unavailable: 0.05, warns: 0.05, showsPage: 0.03, ...also }, seed(), operation);
    });
    expect(rows.filter(({ state }) => state !== 'Pushed')).toEqual([]);
    const { books } = shop;
    expect([books.twins(), books.paidTwins(), books.mailedTwice(), books.unpaid()]).toEqual([[], [], [], []]);
    const standing = rows.map(({ push }) => books.living(push.name).map(({ status }) => status));
    expect(standing).toEqual(rows.map(() => ['processing']));
  });

  it('into a receiver over HTTP', async () => {
    const shop = await HttpReceiverStandIn.start();
    const rows = await drive(shop, 'Http', () => {
      const operation = random.pick(['create', 'lookUp'] as const);
      shop.faults.none();
      shop.faults.randomly({ ...LOST, failsBefore: 0.05, failsAfter: 0.08, timesOut: 0.04 }, seed(), operation);
    });
    expect(rows.filter(({ state }) => state !== 'Pushed')).toEqual([]);
    expect([...shop.books.keys()].sort()).toEqual(rows.map(({ push }) => push.name).sort());
  });
});
