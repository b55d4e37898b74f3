import {
  type AuditedInShop,
  auditPushed,
  pushNamesOf,
  recordSeenInShop,
  type SeenInShop,
  type Unexpected,
} from '#libs/ledger';
import { type ConnectionPool, instants, numbers, texts } from '#libs/platform';
import {
  type ChangeList,
  type Changes,
  MOST_HINTS,
  type NotDone,
  type PushedOrder,
  type ShopChanges,
  type ShopHint,
} from '#libs/shops';
import { Catalogue } from './catalogue.js';
import { FORGET_HINTS, READ_HINTS } from './read-back.sql.js';
import type { ListPlace, Places, ReadTurn } from './read-turn.js';

/** The most pages of one turn: then other shops have theirs. */
const MOST_PAGES = 20;
/** A list is read again from so long before its newest record: what was saved then may be seen only now. */
const OVERLAP_MS = 600_000;
/** Of a shop that was never read, orders from so long ago; of products all. */
const FIRST_LOOK_MS = 48 * 3_600_000;

const ORDERS: readonly ChangeList[] = ['orders', 'trashedOrders'];
const PRODUCTS: readonly ChangeList[] = ['products', 'trashedProducts'];

interface StoredHint extends ShopHint {
  readonly hintedUtc: Date;
}

interface NamedOrders {
  readonly orders: readonly PushedOrder[];
  /** What the shop does not have. */
  readonly gone: readonly number[];
  /** What was never pushed. */
  readonly others: readonly number[];
}

/** An order in the shop that nobody here has made, as it seems. */
export type UnexpectedOrder = Unexpected & Pick<PushedOrder, 'state'>;

/**
 * Reads one shop for one turn, a request after the other: first what hooks have hinted at, then its lists, then what is
 * to be imported.
 */
export class ShopReading {
  private pagesLeft = MOST_PAGES;
  private readonly catalogue: Catalogue;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly turn: ReadTurn,
    private readonly changes: ShopChanges,
    private readonly unexpected: (orders: readonly UnexpectedOrder[]) => Promise<void>,
  ) {
    this.catalogue = new Catalogue(pool, turn.siteId);
  }

  /** @returns why the shop could not be read; null: it was, and the turn is over. */
  async read(): Promise<NotDone | null> {
    const { turn } = this;
    const hints = await this.pool.execute<StoredHint>(READ_HINTS, [turn.siteId, MOST_HINTS]);
    const lists = turn.stockSync ? [...ORDERS, ...PRODUCTS] : ORDERS;
    const failed =
      (await this.readHints(hints)) ??
      (await this.readLists(turn.isWhole ? lists : [])) ??
      (await this.importProducts());
    if (failed !== null) return failed;
    const isWhole = turn.isWhole && lists.every((list) => turn.places[list]?.isRead === true);
    if (isWhole) turn.places = begunAnew(turn.places);
    await turn.end({ isWhole, isMore: this.pagesLeft === 0 || hints.length === MOST_HINTS });
    return null;
  }

  private async readHints(hints: readonly StoredHint[]): Promise<NotDone | null> {
    for (const [kind, resource] of [
      ['Order', 'orders'],
      ['Product', 'products'],
    ] as const) {
      const ids = hints.filter((hint) => hint.kind === kind).map(({ id }) => id);
      if (ids.length === 0) continue;
      const read = await this.changes.named(resource, ids);
      if (read.kind !== 'read') return read;
      await this.take(read.value);
      await (kind === 'Order' ? this.takeGoneOrders(ids, read.value) : this.takeGoneProducts(read.value.gone));
    }
    if (hints.length > 0) await this.forget(hints);
    return null;
  }

  private async readLists(lists: readonly ChangeList[]): Promise<NotDone | null> {
    for (const list of lists) {
      const failed = await this.readList(list);
      if (failed !== null) return failed;
    }
    return null;
  }

  /** To its end, or as far as this turn goes. */
  private async readList(list: ChangeList): Promise<NotDone | null> {
    const { turn } = this;
    let place = turn.places[list] ?? this.firstPlace(list);
    for (; !place.isRead && this.pagesLeft > 0; this.pagesLeft -= 1) {
      const page = await this.changes.page(list, place);
      if (page.kind !== 'page') return page;
      await this.take(page);
      const newestUtc = later(place.newestUtc, page.newestUtc);
      place = page.next === null ? this.lastPlace(place, newestUtc) : { ...page.next, newestUtc, isRead: false };
      turn.places[list] = place;
    }
    return null;
  }

  private firstPlace(list: ChangeList): ListPlace {
    const afterUtc = ORDERS.includes(list) ? new Date(this.turn.beganUtc.getTime() - FIRST_LOOK_MS) : null;
    return { afterUtc, page: 1, newestUtc: null, isRead: false };
  }

  /** By the shop's clock; but what a wrong one has dated in the future must not hide all that comes before it. */
  private lastPlace({ afterUtc }: ListPlace, newestUtc: Date | null): ListPlace {
    const last = { page: 1, newestUtc: null, isRead: true };
    if (newestUtc === null) return { ...last, afterUtc };
    const endMs = Math.min(newestUtc.getTime(), this.turn.beganUtc.getTime());
    return { ...last, afterUtc: new Date(endMs - OVERLAP_MS) };
  }

  private async importProducts(): Promise<NotDone | null> {
    for (let place = this.turn.importPlace; place !== null && this.pagesLeft > 0; this.pagesLeft -= 1) {
      const page = await this.changes.page('products', place);
      if (page.kind !== 'page') return page;
      await this.take(page);
      await this.catalogue.advance(page, await this.catalogue.add(page.products));
      place = page.next;
    }
    return null;
  }

  private async take({ orders, products }: Changes): Promise<void> {
    if (this.turn.stockSync) await this.catalogue.follow(products);
    if (products.length > 0) await this.catalogue.judge(products);
    const states = new Map(orders.map((order) => [order.id, order.state]));
    const unexpected = await recordSeenInShop(this.pool, this.turn.siteId, orders.map(seen));
    const withState = unexpected.map((one) => ({ ...one, state: states.get(one.shopOrderId)! }));
    if (withState.length > 0) await this.unexpected(withState);
    await auditPushed(this.pool, this.turn.siteId, orders.map(audited));
  }

  /**
   * Of those with these ids, what is not there under its name: of a shop that was put back others have the ids. Where
   * it may be there, its name hidden by a plugin, that differs, and is not told as its end.
   */
  private async takeGoneOrders(ids: readonly number[], read: NamedOrders): Promise<void> {
    const { pool, turn } = this;
    const names = await pushNamesOf(pool, turn.siteId, ids.map(String));
    const there = new Map(read.orders.map(({ id, pushName }) => [id, pushName]));
    const isGone = (id: string) => read.gone.includes(Number(id));
    const isAnother = (id: string) => there.has(id) || read.others.includes(Number(id));
    const missed = names.filter(
      ({ shopOrderId, pushName, isLinked }) =>
        isGone(shopOrderId) || (!isLinked && there.get(shopOrderId) !== pushName),
    );
    const gone = missed.filter(({ shopOrderId }) => isGone(shopOrderId) || isAnother(shopOrderId));
    const asSeen = { number: null, completedUtc: null, isLiving: false, ended: 'Deleted' } as const;
    await recordSeenInShop(
      pool,
      turn.siteId,
      gone.map((name) => ({ ...name, ...asSeen })),
    );
    await auditPushed(
      pool,
      turn.siteId,
      missed.map((name) => ({ ...name, state: 'Gone', total: null })),
    );
  }

  private async takeGoneProducts(ids: readonly number[]): Promise<void> {
    if (this.turn.stockSync) await this.catalogue.followGone(ids);
  }

  private async forget(hints: readonly StoredHint[]): Promise<void> {
    await this.pool.execute(FORGET_HINTS, [
      this.turn.siteId,
      texts(hints.map(({ kind }) => kind)),
      numbers(hints.map(({ id }) => id)),
      instants(hints.map(({ hintedUtc }) => hintedUtc)),
    ]);
  }
}

const later = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other > one) ? other : one;

const begunAnew = (places: Places): Places =>
  Object.fromEntries(Object.entries(places).map(([list, place]) => [list, { ...place, isRead: false }]));

const ENDS: Readonly<Partial<Record<PushedOrder['state'], SeenInShop['ended']>>> = {
  Cancelled: 'Cancelled',
  Refunded: 'Refunded',
  Trashed: 'Trashed',
};

const audited = ({ id, pushName, state, total }: PushedOrder): AuditedInShop => ({
  ...{ shopOrderId: id, pushName, total },
  state: state === 'Paid' ? 'Paid' : 'Other',
});

const seen = ({ id, pushName, number, completedUtc, state }: PushedOrder): SeenInShop => ({
  ...{ shopOrderId: id, pushName, number, completedUtc },
  isLiving: state === 'Paid' || state === 'Unpaid',
  ended: ENDS[state] ?? null,
});
