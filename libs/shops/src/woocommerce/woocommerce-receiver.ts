import type { Outbound } from '#libs/platform';
import { isWooCommerceId, MOST_WOOCOMMERCE_LINES } from '#libs/rules';
import { amountOf } from '../amounts.js';
import { compare, isByAmountOnly, isOfNoUse, isSame } from '../differences.js';
import { notUnderstood } from '../shop-client.js';
import type {
  AuthMode,
  Creation,
  LookUp,
  NotDone,
  Probe,
  Push,
  Sellable,
  Settlement,
  SettleOptions,
  Shop,
  ShopOrder,
  ShopReceiver,
  Verification,
} from '../shop-receiver.js';
import { createBody } from './create-body.js';
import { isMissing, type Read, ShopReader, unsellableOf } from './shop-reader.js';
import { Verifier } from './verifier.js';
import { isNamed, isOrder, ORDER_FIELDS, orderOf, type WooOrder } from './wire.js';
import { type Page, smallerPage, WooClient } from './woo-client.js';

/** Found in none of the others: `any` leaves out the trash and drafts. */
const STATUSES = ['any', 'trash', 'checkout-draft'] as const;
const PAGE = 100;
/** Look-ups until what the shop does not show of a paid order counts as not shown. */
const MOST_UNREAD = 10;
/** How far before the claim a look-up by time begins: clocks and time zones of shops are wrong by hours. */
export const LOOK_UP_OVERLAP_MS = 48 * 60 * 60 * 1_000;

/**
 * WooCommerce by its own REST interface (v3). It has no idempotency: an order is recognised by `created_via`, its
 * private name, and made in two requests, so that nothing happens before it was compared.
 */
export class WooCommerceReceiver implements ShopReceiver {
  private readonly woo: WooClient;
  private readonly reader: ShopReader;

  constructor(
    private readonly outbound: Outbound,
    private readonly shop: Shop,
  ) {
    this.woo = new WooClient(outbound, shop);
    this.reader = new ShopReader(this.woo);
  }

  async lookUp(push: Push): Promise<LookUp> {
    const orders: WooOrder[] = [];
    for (const status of STATUSES) {
      const found = await this.ordersOf(push, status);
      // A shop whose plugin takes the status away has no such orders.
      if (found.kind === 'refused' && status === 'checkout-draft') continue;
      if (found.kind !== 'found') return found;
      orders.push(...found.orders.filter((order) => isNamed(order, push.name)));
    }
    // Storages differ in what they count to which status.
    return { kind: 'found', orders: [...new Map(orders.map((order) => [order.id, orderOf(order)])).values()] };
  }

  async create(push: Push, { pushAnyway }: { pushAnyway: boolean }): Promise<Creation> {
    const { lines } = push;
    if (lines.length > MOST_WOOCOMMERCE_LINES)
      return refused(`The order has ${lines.length} lines: ${MOST_WOOCOMMERCE_LINES} can be pushed.`);
    const nameless = lines.find(({ productExternalId }) => !isWooCommerceId(productExternalId));
    if (nameless) return refused(`The shop has no product for "${nameless.name}".`);
    const products = pushAnyway ? NONE : await this.reader.sellable(lines);
    if (products.kind !== 'read') return unsent(products);
    const because = unsellableOf(products.value);
    if (because.length > 0) return { ...refused(because.join(' ')), products: products.value };
    const known = await this.reader.known(push);
    if (known.kind !== 'read') return unsent(known);
    const body = createBody(push, known.value);
    const created = await this.woo.write('wc/v3/orders', body);
    if (created.kind === 'refused') await this.clearAway(push);
    if (created.kind !== 'done') return created;
    if (!isOrder(created.json)) return notUnderstood(created.reply);
    return { kind: 'created', order: orderOf(created.json), products: products.value };
  }

  async settle(push: Push, order: ShopOrder, options: SettleOptions): Promise<Settlement> {
    const { taxDifference, pushAnyway, foundNothing = 0 } = options;
    if (order.state === 'Unpaid' && isOfNoUse(push, order)) return this.removed(order);
    const paid = order.state === 'Unpaid' ? await this.pay(push, order) : { kind: 'found' as const, order };
    if (paid.kind !== 'found') return paid;
    const differences = compare(push, paid.order);
    const isAccepted = isByAmountOnly(differences) && (taxDifference === 'Accept' || isSame(differences));
    if (order.state === 'Unpaid' && !isSame(differences)) await this.note(push, paid.order);
    const isPushed = paid.order.state === 'Paid' && isAccepted;
    const stock = order.state === 'Paid' ? await this.isStockTaken(order) : NOT_SHOWN;
    // Here, and not when it is created: another worker may have done that.
    const products = pushAnyway ? await this.reader.sellable(push.lines) : NONE;
    for (const read of [stock, products])
      if (mayShowLater(read) && foundNothing < MOST_UNREAD) return { ...read, kind: 'unknown' };
    const isStockTaken = stock.kind === 'read' ? stock.value : null;
    const unsellable = products.kind === 'read' ? unsellableOf(products.value) : [];
    return { kind: 'settled', order: paid.order, differences, isPushed, isStockTaken, unsellable };
  }

  async remove(orderId: string): Promise<{ kind: 'removed' } | NotDone> {
    const gone = await this.woo.delete(`wc/v3/orders/${orderId}`);
    if (gone.kind !== 'done') return isMissing(gone) ? { kind: 'removed' } : gone;
    return gone.json === undefined ? notUnderstood(gone.reply) : { kind: 'removed' };
  }

  verify(probe: Probe): Promise<Verification> {
    const receiverOf = (authMode: AuthMode) => new WooCommerceReceiver(this.outbound, { ...this.shop, authMode });
    return new Verifier(this.woo, receiverOf).verify(probe);
  }

  /**
   * By `created_via`, of any customer. A shop before 9.9 does not know the filter and answers with all its orders:
   * there only the customer's and guests' are read.
   */
  private async ordersOf(push: Push, status: string) {
    const named = await this.list(push, { status, created_via: push.name });
    if (named.kind !== 'found' || named.orders.every((order) => isNamed(order, push.name))) return named;
    const all: WooOrder[] = [];
    const { externalId } = push.customer;
    for (const customer of isWooCommerceId(externalId) ? ['0', externalId] : ['0']) {
      const listed = await this.list(push, { status, customer }, Infinity);
      if (listed.kind !== 'found') return listed;
      all.push(...listed.orders);
    }
    return { kind: 'found' as const, orders: all };
  }

  /** `after` is exclusive, and understood in UTC only without `Z` and with the flag. */
  private async list({ claimedUtc }: Push, filter: Readonly<Record<string, string>>, mostPages = 1) {
    const after = new Date(claimedUtc.getTime() - LOOK_UP_OVERLAP_MS).toISOString().slice(0, 19);
    const all: WooOrder[] = [];
    let at: Page = { page: 1, perPage: PAGE };
    while (at.page <= mostPages) {
      const range = {
        after,
        dates_are_gmt: 'true',
        orderby: 'id',
        per_page: String(at.perPage),
        page: String(at.page),
      };
      const query = { ...filter, ...range, _fields: ORDER_FIELDS };
      const found = await this.woo.call<unknown>({ method: 'GET', path: 'wc/v3/orders', query });
      if (found.kind !== 'done') return found;
      const smaller = found.reply.isCut ? smallerPage(at) : null;
      if (smaller !== null) {
        at = smaller;
        continue;
      }
      if (!Array.isArray(found.json) || !found.json.every(isOrder)) return notUnderstood(found.reply);
      all.push(...found.json);
      if (found.json.length < at.perPage) break;
      at = { ...at, page: at.page + 1 };
    }
    return { kind: 'found' as const, orders: all };
  }

  /**
   * `set_paid` and nothing else: an address would wipe what a tax service wrote. WooCommerce does not pay a total of 0:
   * there it is the status. The customer is mailed once, because it is sent once.
   */
  private async pay(push: Push, { id, total }: ShopOrder) {
    const paid = { set_paid: true, ...(push.gatewayTransactionId && { transaction_id: push.gatewayTransactionId }) };
    const body = amountOf(total) === 0n ? { status: 'processing' } : paid;
    const answer = await this.woo.write(`wc/v3/orders/${id}`, body);
    if (answer.kind !== 'done') return answer;
    if (!isOrder(answer.json)) return notUnderstood(answer.reply);
    return { kind: 'found' as const, order: orderOf(answer.json) };
  }

  private async removed(order: ShopOrder): Promise<Settlement> {
    const gone = await this.remove(order.id);
    if (gone.kind !== 'removed') return gone;
    return { kind: 'removed', order, message: 'The shop made an order without lines, or without a total, of it.' };
  }

  /** For whoever looks at the order in the shop. Without it nothing is wrong, so it is not tried again. */
  private async note(push: Push, { id }: ShopOrder): Promise<void> {
    const note = `Scheduled order ${push.scheduledOrderId} was charged ${push.total} ${push.currencyIso}.`;
    await this.woo.call({ method: 'POST', path: `wc/v3/orders/${id}/notes`, body: { note, customer_note: false } });
  }

  /**
   * Whether an order that was found paid has taken its stock: a hook that threw in between leaves it paid, and nothing
   * shows it but the missing note (`10&rarr;7`, in any language). Products whose stock nobody manages leave none, and
   * some shops do not show notes.
   */
  private async isStockTaken({ id, lines }: ShopOrder): Promise<Read<boolean | null>> {
    const path = `wc/v3/orders/${id}/notes`;
    const read = await this.woo.call<readonly { note: string }[]>({ method: 'GET', path, query: { _fields: 'note' } });
    if (read.kind !== 'done') return read;
    if (!Array.isArray(read.json)) return notUnderstood(read.reply);
    if (read.json.some((one: { note: string } | null) => /&rarr;|→/.test(one?.note ?? '')))
      return { kind: 'read', value: true };
    const managed = await this.reader.managesStock(lines ?? []);
    return managed.kind === 'read' ? { kind: 'read', value: managed.value ? false : null } : managed;
  }

  /** A plugin that refuses leaves the order in the trash, a failed coupon as a draft: both with our name. */
  private async clearAway(push: Push): Promise<void> {
    for (const status of ['trash', 'checkout-draft']) {
      const left = await this.ordersOf(push, status);
      if (left.kind !== 'found') continue;
      for (const { id } of left.orders.filter((order) => isNamed(order, push.name))) await this.remove(String(id));
    }
  }
}

const NONE = { kind: 'read', value: [] as readonly Sellable[] } as const;
/** What was read before the create was not known, but nothing was sent. */
const unsent = (read: NotDone): NotDone => (read.kind === 'unknown' ? { ...read, kind: 'unavailable' } : read);
const NOT_SHOWN = { kind: 'read', value: null } as const;
/** What the shop may show when it is looked through again, its order is not settled without. */
const mayShowLater = (read: Read<unknown>): read is Extract<NotDone, { kind: 'unavailable' | 'unknown' }> =>
  read.kind === 'unavailable' || read.kind === 'unknown';
const refused = (message: string) => ({ kind: 'refused' as const, message });
