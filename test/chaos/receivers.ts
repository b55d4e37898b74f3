import { retryPush } from '#libs/ledger';
import type { Receiver as Kind } from '#libs/shops';
import type { TestDatabase } from '../support/database.js';
import type { Faults } from '../support/gateways/faults.js';
import { SHOP_SECRET } from '../support/given.js';
import type { Random } from '../support/random.js';
import {
  HttpReceiverStandIn,
  nameOf,
  type ReceivedOrder,
  type ReceiverFault,
  type ReceiverOperation,
  type ShopFault,
  type ShopOperation,
  type StoredOrder,
  WooCommerceStandIn,
} from '../support/shops/index.js';
import { pushesOf, stock } from '../support/shops/pushes.js';
import { repeatedly } from './actor.js';
import type { InShop, ShopBooks } from './check-pushes.js';
import type { Shop } from './shops.js';
import { Tally } from './tally.js';

/** What each of six shops in turn pushes its Orders into. */
const KINDS: readonly (Kind | null)[] = ['Http', 'WooCommerceRest', 'WooCommerceRest', 'Http', 'Http', null];
/** PUSH_UNKNOWN_WAIT of the run: longer than a worker is frozen and a shop takes (LATEST_MS), together. */
export const UNKNOWN_WAIT_MS = 10_000;
const LATEST_MS = 3_000;
/** In the end nobody waits for the next try of a schedule. */
const HASTEN_EVERY_MS = 3_000;

/**
 * SQL, of a push: the shop has refused it for good, or it, or its payment, was sent in vain again and again. What has
 * nothing to pack, and a second Order of one occurrence, which has a longer name, stay as they are.
 */
export const IS_A_PERSONS = `(EXISTS (SELECT FROM order_items i WHERE i.order_id = order_pushes.order_id) AND push_name NOT LIKE '%-%-%-%'
  AND (state = 'Failed' OR state = 'Differs' AND (shop_order_id IS NULL OR message LIKE '%no payment in the shop%')))`;

type Mixes<F extends string, O extends string> = Readonly<Record<O, Partial<Record<F, number>>>>;

const LOST = { dropsBefore: 0.03, dropsAfter: 0.05, losesBody: 0.03, rateLimited: 0.03, timesOut: 0.04, sleeps: 0.03 };
const UNREAD = { dropsBefore: 0.03, losesBody: 0.03, rateLimited: 0.02 };
const HTTP: Mixes<ReceiverFault, ReceiverOperation> = {
  create: { ...LOST, failsBefore: 0.03, failsAfter: 0.04, repeats: 0.04 },
  lookUp: UNREAD,
};
const WOOCOMMERCE: Mixes<ShopFault, ShopOperation> = {
  create: {
    ...{ ...LOST, warns: 0.03, savesAndFails: 0.04, repeats: 0.04 },
    ...{ refusesIntoTrash: 0.02, leavesDraft: 0.02, trashes: 0.01 },
  },
  pay: { ...LOST, warns: 0.03, savesAndFails: 0.04, paysAndBreaks: 0.02, repeats: 0.02 },
  read: { ...UNREAD, warns: 0.03, showsPage: 0.02 },
  remove: { dropsBefore: 0.1, dropsAfter: 0.1, timesOut: 0.1 },
};

type Receiver =
  | { readonly kind: 'Http'; readonly siteId: number; readonly standIn: HttpReceiverStandIn }
  | { readonly kind: 'WooCommerceRest'; readonly siteId: number; readonly standIn: WooCommerceStandIn };

/** What the Orders of most shops are to arrive in. Each has books and a weather of its own. */
export class Receivers {
  private readonly all: Receiver[] = [];
  private hastenedMs = 0;
  private readAgainSince: Date | null = null;

  constructor(
    private readonly random: Random,
    private readonly resolutions: Tally,
  ) {}

  /** Before anything happens: every Order of these shops has to arrive. */
  async open(database: TestDatabase, shops: readonly Shop[]): Promise<void> {
    const { connect } = pushesOf(database);
    for (const [index, { siteId, rates }] of shops.entries()) {
      const kind = KINDS[index % KINDS.length]!;
      if (kind === null) continue;
      if (kind === 'Http') {
        const standIn = await HttpReceiverStandIn.start();
        standIn.secret = SHOP_SECRET;
        this.all.push({ kind, siteId, standIn });
        await connect(siteId, kind, standIn.url);
      } else {
        const standIn = stock(await WooCommerceStandIn.start());
        standIn.taxRates.set('FR/', rates.length > 0 ? '20' : '0');
        const isByQuery = index % 4 === 2;
        Object.assign(standIn.settings, { roundsAtSubtotal: index % 4 === 1, stripsAuthorization: isByQuery });
        this.all.push({ kind, siteId, standIn });
        await connect(siteId, kind, standIn.url, { authMode: isByQuery ? 'Query' : 'Header' });
      }
    }
  }

  /** By turns fair, stormy and down, each for itself. */
  async run(signal: AbortSignal): Promise<void> {
    const change = () => {
      for (const receiver of this.all) if (this.random.chance(0.5)) this.disturb(receiver);
    };
    change();
    await repeatedly(signal, () => this.random.between(400, 1_500), change);
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    for (const { standIn } of this.all) {
      standIn.faults.none();
      standIn.sleepMs = 0;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map(({ standIn }) => standIn.stop()));
  }

  get faults(): Tally {
    const tally = new Tally();
    for (const { standIn } of this.all) for (const [fault, times] of standIn.faults.met) tally.add(fault, times);
    return tally;
  }

  /** All workers are dead, and so are their leases. */
  async release(database: TestDatabase): Promise<void> {
    await database.query(`UPDATE order_pushes SET lease_until_utc = NULL WHERE lease_until_utc IS NOT NULL`);
    await database.query(`UPDATE shop_reads SET worker = NULL, lease_until_utc = NULL WHERE worker IS NOT NULL`);
  }

  /**
   * Minutes pass where nobody works on what waits, and a merchant tries again what is not in a shop. Waits since
   * commits were lost become no shorter by that, so each push counts as sent once.
   */
  async hasten(database: TestDatabase): Promise<void> {
    if (performance.now() - this.hastenedMs < HASTEN_EVERY_MS) return;
    this.hastenedMs = performance.now();
    const idle = this.all.filter(({ standIn }) => standIn.underWay === 0).map(({ siteId }) => siteId);
    await database.query(
      `UPDATE order_pushes SET sent_utc = sent_utc - interval '10 minutes', sends = least(sends, 1), next_attempt_utc = now()
       WHERE next_attempt_utc > now() AND lease_until_utc IS NULL AND site_id = ANY ($1)`,
      [idle],
    );
    await database.query(
      `UPDATE site_shops SET failures = 0, failing_since_utc = NULL, not_before_utc = NULL WHERE failures > 0`,
    );
    const left = await database.query<{ id: string; cycle: string }>(
      `SELECT scheduled_order_id AS id, cycle FROM order_pushes WHERE ${IS_A_PERSONS}`,
    );
    for (const { id, cycle } of left) {
      const key = { scheduledOrderId: Number(id), cycle: Number(cycle) };
      await database.pool.transaction((tx) => retryPush(tx, key));
      this.resolutions.add('push tried again');
    }
  }

  /**
   * The lists of all shops are read once more, when all has been pushed: what commits that were lost had made there is
   * found.
   */
  async areReadAgain(database: TestDatabase): Promise<boolean> {
    this.readAgainSince ??= (await database.query<{ now: Date }>(`SELECT now() AS now`))[0]!.now;
    const [row] = await database.query<{ unread: string }>(
      `WITH unread AS (
         SELECT h.site_id FROM site_shops h WHERE h.receiver = 'WooCommerceRest'
           AND (h.last_sync_utc BETWEEN $1 AND now() IS NOT TRUE OR EXISTS (SELECT FROM shop_hints t WHERE t.site_id = h.site_id))
       ), hastened AS (
         UPDATE shop_reads r SET next_read_utc = now(), failures = 0 FROM unread u
         WHERE r.site_id = u.site_id AND r.worker IS NULL AND r.next_read_utc > now()
       )
       SELECT count(*) AS unread FROM unread`,
      [this.readAgainSince],
    );
    return row!.unread === '0';
  }

  /** What the shops have in the end. */
  get books(): ShopBooks[] {
    return this.all.map(({ kind, siteId, standIn }) => {
      if (kind === 'Http')
        return { siteId, orders: [...standIn.books.values()].map(received), mailedTwice: [], unitsTaken: null };
      const { books } = standIn;
      const orders = [...books.orders.values()].map((order) => stored(order, standIn));
      return { siteId, orders, mailedTwice: books.mailedTwice(), unitsTaken: books.taken.get(PRODUCT) ?? 0 };
    });
  }

  private disturb(receiver: Receiver): void {
    const { random } = this;
    const { kind, standIn } = receiver;
    standIn.sleepMs = random.between(0, LATEST_MS);
    standIn.faults.retryAfterSeconds = random.pick([1, 2]);
    const severity = SEVERITY[random.weighted({ fair: 0.3, stormy: 0.6, down: 0.1 })];
    if (kind === 'Http') mix(standIn.faults, HTTP, severity, random);
    else mix(standIn.faults, WOOCOMMERCE, severity, random);
  }
}

/** In a shop that is down nearly every request meets something. */
const SEVERITY = { fair: 0, stormy: 1, down: 4 } as const;

function mix<F extends string, O extends string>(
  faults: Faults<F, O>,
  mixes: Mixes<F, O>,
  severity: number,
  random: Random,
): void {
  faults.none();
  for (const [operation, ofOne] of Object.entries(mixes) as [O, Partial<Record<F, number>>][]) {
    const chances = Object.entries<number>(ofOne as Record<string, number>).map(([fault, chance]) => [
      fault,
      chance * severity,
    ]);
    faults.randomly(Object.fromEntries(chances) as Partial<Record<F, number>>, random.below(2 ** 31), operation);
  }
}

const IS: Readonly<Record<string, InShop['is']>> = {
  processing: 'paid',
  completed: 'paid',
  trash: 'thrown away',
  'checkout-draft': 'draft',
};

/** Everybody sells one product. */
const PRODUCT = 10;

function stored(order: StoredOrder, shop: WooCommerceStandIn): InShop {
  const { id, number = String(id), status, isDeleted, paidMs, currency, transactionId, lines, isStockReduced } = order;
  return {
    ...{ id: String(id), number, name: nameOf(order) ?? null },
    is: isDeleted ? 'deleted' : (IS[status] ?? 'unpaid'),
    wasPaid: paidMs !== null,
    ...{ total: shop.totalOf(order), currencyIso: currency, transactionId },
    units: lines.filter(({ productId }) => productId === PRODUCT).reduce((sum, { quantity }) => sum + quantity, 0),
    takesStock: isStockReduced,
  };
}

function received({ key, externalId, orderNumber, total, body }: ReceivedOrder): InShop {
  const order = JSON.parse(body) as {
    CurrencyIso: string;
    GatewayTransactionId: string | null;
    OrderItems: { ProductExternalId: string; Quantity: number }[];
  };
  const items = order.OrderItems.filter(({ ProductExternalId: id }) => id === String(PRODUCT));
  return {
    ...{ id: externalId, number: orderNumber, name: key, is: 'paid', wasPaid: true, total },
    ...{ currencyIso: order.CurrencyIso, transactionId: order.GatewayTransactionId ?? '' },
    units: items.reduce((sum, { Quantity }) => sum + Quantity, 0),
    takesStock: true,
  };
}
