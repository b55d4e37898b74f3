import { AddressRule, OutboundClient } from '#libs/platform';
import { judgeFound, type Push, type Receiver, type ShopOrder, type ShopReceiver, shopReceiver } from '#libs/shops';
import { Random, SEED } from '../support/random.js';
import { givenPush, givenShop, HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { until } from '../support/until.js';

const PUSHES = 80;
const OPTIONS = { taxDifference: 'Accept', pushAnyway: false } as const;

/** What the ledger has written of a push, whatever its worker did then. */
interface Row {
  readonly push: Push;
  state: 'Waiting' | 'Pushed' | 'Differs';
  /** Something may be under way: nothing is repeated before that has surely ended. */
  isSent: boolean;
  shopOrderId: string | null;
}

/** One try, as the worker's role will make it; dies in between at random. */
class Try {
  constructor(
    private readonly receiver: ShopReceiver,
    private readonly hasEnded: () => Promise<unknown>,
    private readonly dies: () => boolean,
  ) {}

  async run(row: Row): Promise<void> {
    if (row.isSent) await this.hasEnded();
    const found = await this.receiver.lookUp(row.push);
    if (found.kind !== 'found' || this.dies()) return;
    const { keep, remove, differs } = judgeFound(found.orders, row.shopOrderId);
    for (const { id } of remove) await this.receiver.remove(id);
    if (differs !== null) return void (row.state = 'Differs');
    const order = keep ?? (await this.create(row));
    if (order === null || this.dies()) return;
    row.shopOrderId = order.id;
    const settled = await this.receiver.settle(row.push, order, OPTIONS);
    if (this.dies() || settled.kind !== 'settled') return;
    row.state = settled.isPushed ? 'Pushed' : 'Differs';
  }

  private async create(row: Row): Promise<ShopOrder | null> {
    row.isSent = true;
    const created = await this.receiver.create(row.push, OPTIONS);
    return created.kind === 'created' ? created.order : null;
  }
}

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
  const rows = Array.from({ length: PUSHES }, (_, at): Row => {
    const push = givenPush({ scheduledOrderId: at + 1 });
    return { push, state: 'Waiting', isSent: false, shopOrderId: null };
  });
  const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));
  const hasEnded = () => until(() => shop.underWay === 0);
  const one = new Try(shopReceiver(outbound, givenShop(kind, shop.url)), hasEnded, () => random.chance(0.1));
  shop.sleepMs = 100;
  for (let round = 0; rows.some(({ state }) => state === 'Waiting'); round += 1) {
    expect(round).toBeLessThan(100);
    for (const row of rows.filter(({ state }) => state === 'Waiting')) {
      disturb();
      await one.run(row);
    }
    const restored = rows.filter(() => round <= 3 && random.chance(0.05));
    for (const row of restored) Object.assign(row, { state: 'Waiting', isSent: true, shopOrderId: null });
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
      shop.faults.randomly({ ...LOST, unavailable: 0.05, warns: 0.05, ...also }, seed(), operation);
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
