import type { Outbound } from '#libs/platform';
import { amountOf } from '../amounts.js';
import { notUnderstood } from '../shop-client.js';
import type { NotDone, Shop, ShopOrder } from '../shop-receiver.js';
import { isMissing, type Read } from './shop-reader.js';
import { isOthers, nameOf, stateOf, type WooOrder } from './wire.js';
import { smallerPage, WooClient, type WooRequest } from './woo-client.js';
import {
  CATALOGUE_FIELDS,
  isListed,
  isProduct,
  productOf,
  type ShopProduct,
  type WooCatalogueProduct,
  type WooListed,
} from './woo-product.js';

/** An order that was pushed, as the shop has it now. */
export interface PushedOrder {
  readonly id: string;
  readonly pushName: string;
  readonly number: string | null;
  readonly state: ShopOrder['state'];
  /** Null: the shop does not say. */
  readonly total: string | null;
  readonly completedUtc: Date | null;
}

/** What is read to its end, each with its own place. `any` leaves out what was thrown away. */
export type ChangeList = 'orders' | 'trashedOrders' | 'products' | 'trashedProducts';

/** Some of what has changed: of orders those that were pushed, of products those that can be bought by themselves. */
export interface Changes {
  readonly orders: readonly PushedOrder[];
  readonly products: readonly ShopProduct[];
}

/** By the shop's clock. `page`: of those that changed after the same second. */
export interface ChangesPlace {
  readonly afterUtc: Date | null;
  readonly page: number;
  /** Absent: as many as there usually are. */
  readonly perPage?: number;
}

export interface ChangesPage extends Changes {
  readonly kind: 'page';
  /** Where the next page begins; null: this is the last one. */
  readonly next: ChangesPlace | null;
  /** When the newest of them changed, by the shop's clock; null: there is none. */
  readonly newestUtc: Date | null;
  /** How many are listed here, and how many after them; null: the shop does not say. */
  readonly listed: number;
  readonly left: number | null;
}

/** Half of what WooCommerce allows: plugins write much into the meta of orders, and a reply may have 2 MiB. */
const PAGE = 50;
/** The most that one request reads by their ids. */
export const MOST_HINTS = PAGE;
const ORDER_FIELDS = 'id,number,status,total,date_paid_gmt,date_completed_gmt,date_modified_gmt,meta_data,created_via';
const SECOND_MS = 1_000;

type ChangedOrder = Pick<
  WooOrder,
  'id' | 'number' | 'status' | 'total' | 'date_paid_gmt' | 'date_completed_gmt' | 'meta_data' | 'created_via'
> &
  WooListed;

/**
 * Reads what has changed in a WooCommerce, one request after the other. A page begins after the second in which the
 * last one ended, not by its number: what changes meanwhile moves to the end, and would move others over the edge of a
 * page.
 */
export class ShopChanges {
  private readonly woo: WooClient;
  private currency: Read<string | null> | null = null;

  /** `goOn`: before each request; it throws where nothing more may be read. */
  constructor(
    outbound: Outbound,
    shop: Shop,
    private readonly currencyIso: string,
    private readonly goOn: () => Promise<void>,
  ) {
    this.woo = new WooClient(outbound, shop);
  }

  async page(list: ChangeList, place: ChangesPlace): Promise<ChangesPage | NotDone> {
    const { afterUtc, page, perPage = PAGE } = place;
    const range = { orderby: 'modified', order: 'asc', per_page: String(perPage), page: String(page) };
    // Exclusive; understood in UTC only without `Z` and with the flag.
    const after = afterUtc === null ? {} : { modified_after: wooTime(afterUtc), dates_are_gmt: 'true' };
    const status = list.startsWith('trashed') ? 'trash' : 'any';
    const isOfOrders = list === 'orders' || list === 'trashedOrders';
    const read = await this.list(isOfOrders ? 'orders' : 'products', { ...range, ...after, status });
    if (read.kind !== 'read') {
      const smaller = isCut(read) ? smallerPage({ page, perPage }) : null;
      return smaller === null ? read : this.page(list, { afterUtc, ...smaller });
    }
    const { listed, total } = read.value;
    const newestMs = Math.max(...listed.map(modifiedMs));
    const found = await this.changes(isOfOrders ? 'orders' : 'products', listed);
    if (found.kind !== 'read') return found;
    return {
      ...{ kind: 'page', listed: listed.length, newestUtc: listed.length === 0 ? null : new Date(newestMs) },
      left: total === null ? null : total - (page - 1) * perPage - listed.length,
      next: listed.length < perPage ? null : placeAfter(place, newestMs),
      ...found.value,
    };
  }

  /**
   * Orders and products by their ids. `gone`: what the shop does not have any more, or never had. `others`: orders that
   * were never pushed.
   */
  async named(
    resource: 'orders' | 'products',
    ids: readonly number[],
  ): Promise<Read<Changes & { gone: number[]; others: number[] }>> {
    const listed = new Map<number, WooListed>();
    const missing = () => ids.filter((id) => !listed.has(id));
    for (const status of ['any', 'trash']) {
      if (missing().length === 0) break;
      const read = await this.list(resource, { include: missing().join(','), per_page: String(PAGE), status });
      // Each is read by itself then.
      if (isCut(read)) break;
      if (read.kind !== 'read') return read;
      for (const one of read.value.listed) listed.set(one.id, one);
    }
    const gone: number[] = [];
    // Variations are in no list of products.
    for (const id of missing()) {
      const single = await this.call({ path: `wc/v3/${resource}/${id}` }, resource);
      if (single.kind !== 'done' && !isMissing(single)) return single;
      if (single.kind !== 'done') gone.push(id);
      else if (isListed(single.json)) listed.set(id, single.json);
      else return notUnderstood(single.reply);
    }
    const all = [...listed.values()];
    const found = await this.changes(resource, all);
    if (found.kind !== 'read') return found;
    const others = resource === 'orders' ? all.filter((one) => isOthers(one as ChangedOrder)).map(({ id }) => id) : [];
    return { kind: 'read', value: { ...found.value, gone, others } };
  }

  private async list(
    resource: 'orders' | 'products',
    query: Readonly<Record<string, string>>,
  ): Promise<Read<{ listed: WooListed[]; total: number | null }>> {
    const read = await this.call({ path: `wc/v3/${resource}`, query }, resource);
    if (read.kind !== 'done') return read;
    if (!Array.isArray(read.json) || !read.json.every(isListed)) return notUnderstood(read.reply);
    return { kind: 'read', value: { listed: read.json, total: read.reply.total } };
  }

  private async changes(resource: 'orders' | 'products', listed: readonly WooListed[]): Promise<Read<Changes>> {
    if (resource === 'orders')
      return {
        kind: 'read',
        value: { orders: listed.flatMap((one) => pushedOrder(one as ChangedOrder)), products: [] },
      };
    const bought = listed.filter(isProduct);
    const currency = bought.length === 0 ? null : await this.currencyOf();
    if (currency !== null && currency.kind !== 'read') return currency;
    const products: ShopProduct[] = [];
    for (const one of bought) {
      if (one.type !== 'variable') {
        products.push(productOf(one));
        continue;
      }
      // What is bought is a variation. A change of one is seen at its parent.
      const read = await this.variations(one.id);
      if (read.kind !== 'read') return read;
      products.push(...read.value.map((variation) => productOf(variation, one)));
    }
    // A price in another currency says nothing here.
    const isOurs = currency?.value === this.currencyIso;
    const priced = isOurs ? products : products.map((one) => ({ ...one, price: null, salePrice: null }));
    return { kind: 'read', value: { orders: [], products: priced } };
  }

  /** The shop's; null: the keys may not read it. */
  private async currencyOf(): Promise<Read<string | null>> {
    if (this.currency?.kind === 'read') return this.currency;
    await this.goOn();
    const read = await this.woo.call<{ code?: string }>({ method: 'GET', path: 'wc/v3/data/currencies/current' });
    if (read.kind === 'unavailable' || read.kind === 'unknown') return read;
    this.currency = { kind: 'read', value: read.kind === 'done' ? (read.json?.code ?? null) : null };
    return this.currency;
  }

  private async variations(parentId: number): Promise<Read<WooCatalogueProduct[]>> {
    const all: WooCatalogueProduct[] = [];
    for (let page = 1; ; page += 1) {
      const query = { per_page: String(PAGE), page: String(page), orderby: 'id', order: 'asc' };
      const path = `wc/v3/products/${parentId}/variations`;
      const read = await this.call({ path, query }, 'products');
      if (read.kind !== 'done' && isMissing(read)) return { kind: 'read', value: [] };
      if (read.kind !== 'done') return read;
      if (!Array.isArray(read.json) || !read.json.every(isListed)) return notUnderstood(read.reply);
      all.push(...read.json);
      if (read.json.length < PAGE) return { kind: 'read', value: all };
    }
  }

  private async call({ path, query }: Pick<WooRequest, 'path' | 'query'>, resource: 'orders' | 'products') {
    await this.goOn();
    const _fields = resource === 'orders' ? ORDER_FIELDS : CATALOGUE_FIELDS;
    return this.woo.call<unknown>({ method: 'GET', path, query: { ...query, _fields } });
  }
}

/** Nothing for an order that was not pushed. What plugins have made unreadable counts as not said. */
function pushedOrder({ id, number, total, date_completed_gmt, ...order }: ChangedOrder): PushedOrder[] {
  const name = nameOf(order);
  if (name === null) return [];
  const completedMs = Date.parse(`${date_completed_gmt}Z`);
  return [
    {
      ...{ id: String(id), pushName: name, state: stateOf(order) },
      number: typeof number === 'string' ? number.slice(0, 255) : null,
      total: amountOf(total) === null ? null : String(total),
      completedUtc: Number.isNaN(completedMs) ? null : new Date(completedMs),
    },
  ];
}

const isCut = (read: { readonly kind: string; readonly isCut?: boolean }): boolean => read.isCut === true;

const modifiedMs = ({ date_modified_gmt: modified }: WooListed): number => Date.parse(`${modified}Z`);
const wooTime = (utc: Date): string => utc.toISOString().slice(0, 19);

/** The last second is read again: more may have changed in it. A page that has nothing else is followed by its next. */
function placeAfter(place: ChangesPlace, newestMs: number): ChangesPlace {
  const { afterUtc, page } = place;
  const nextMs = newestMs - SECOND_MS;
  return afterUtc === null || nextMs > afterUtc.getTime()
    ? { ...place, afterUtc: new Date(nextMs), page: 1 }
    : { ...place, page: page + 1 };
}
