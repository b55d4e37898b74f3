import { countryCode, isWooCommerceId, MOST_WOOCOMMERCE_LINES } from '#libs/rules';
import type { NotDone, Push, PushLine, Sellable } from '../shop-receiver.js';
import type { Known } from './create-body.js';
import { PRODUCT_FIELDS, type WooCountry, type WooCustomer, type WooProduct } from './wire.js';
import type { WooClient } from './woo-client.js';
import { unsellable } from './woo-product.js';

type Identified = Pick<PushLine, 'productExternalId'>;
type Named = Identified & Pick<PushLine, 'name'>;
export type Read<T> = { readonly kind: 'read'; readonly value: T } | NotDone;

/** Reads what an order of ours needs before it is created. What is read once is kept: countries do not move. */
export class ShopReader {
  private readonly stateCodes = new Map<string, ReadonlyMap<string, string>>();

  constructor(private readonly woo: WooClient) {}

  /** Why nobody can pack or buy some products, as sentences. */
  async sellable(products: readonly Named[]): Promise<Read<Sellable[]>> {
    const read = await this.products(products);
    if (read.kind !== 'read') return read;
    const value = products.map(({ productExternalId: id, name }) => {
      const productExternalId = id ?? '';
      return {
        productExternalId,
        unsellable: unsellable(read.value.get(productExternalId), name ?? productExternalId),
      };
    });
    return { kind: 'read', value };
  }

  /** Whether the shop manages the stock of any of them. */
  async managesStock(lines: readonly Identified[]): Promise<Read<boolean>> {
    const read = await this.products(lines);
    if (read.kind !== 'read') return read;
    return { kind: 'read', value: [...read.value.values()].some(({ manage_stock }) => Boolean(manage_stock)) };
  }

  /** Simple products come in one page; variations are in no list of products, and are read each by its own id. */
  private async products(named: readonly Identified[]): Promise<Read<Map<string, WooProduct>>> {
    const ids = [...new Set(named.flatMap(({ productExternalId: id }) => (isWooCommerceId(id) ? [id] : [])))];
    const query = {
      include: ids.join(','),
      per_page: String(MOST_WOOCOMMERCE_LINES),
      status: 'any',
      _fields: PRODUCT_FIELDS,
    };
    const listed = await this.woo.call<readonly WooProduct[]>({ method: 'GET', path: 'wc/v3/products', query });
    if (listed.kind !== 'done') return listed;
    const found = new Map(array(listed.json).flatMap((product) => (product ? [[String(product.id), product]] : [])));
    for (const id of ids.filter((one) => !found.has(one))) {
      const path = `wc/v3/products/${id}`;
      const single = await this.woo.call<WooProduct>({ method: 'GET', path, query: { _fields: PRODUCT_FIELDS } });
      if (single.kind === 'done') found.set(id, single.json);
      else if (!isMissing(single)) return single;
    }
    return { kind: 'read', value: found };
  }

  async known({ customer, billing, shipping }: Push): Promise<Read<Known>> {
    const found = await this.customer(customer.externalId);
    if (found.kind !== 'read') return found;
    for (const { country, state } of [billing, shipping]) if (state) await this.readStates(countryCode(country));
    return { kind: 'read', value: { customer: found.value, stateCodes: this.stateCodes } };
  }

  /** One whom the shop does not know orders as a guest. */
  private async customer(id: string | null): Promise<Read<WooCustomer | null>> {
    if (!isWooCommerceId(id)) return { kind: 'read', value: null };
    const query = { _fields: 'id,billing,shipping' };
    const found = await this.woo.call<WooCustomer>({ method: 'GET', path: `wc/v3/customers/${id}`, query });
    if (found.kind === 'done') return { kind: 'read', value: found.json };
    // Keys may write orders, and read no customers: then it is known by its id alone.
    if (found.kind === 'shopRefused') return { kind: 'read', value: { id: Number(id), billing: {}, shipping: {} } };
    return isMissing(found) ? { kind: 'read', value: null } : found;
  }

  /** A country that the shop does not list, or does not list now, has its states as they are written. */
  private async readStates(country: string): Promise<void> {
    if (!/^[A-Z]{2}$/.test(country) || this.stateCodes.has(country)) return;
    const path = `wc/v3/data/countries/${country.toLowerCase()}`;
    const found = await this.woo.call<WooCountry>({ method: 'GET', path, query: { _fields: 'states' } });
    if (found.kind !== 'done') return;
    const states = array(found.json.states).flatMap(({ code, name }) => [
      [name.toLowerCase(), code] as const,
      [code.toLowerCase(), code] as const,
    ]);
    this.stateCodes.set(country, new Map(states));
  }
}

export const isMissing = (outcome: NotDone): boolean => outcome.kind === 'refused' && outcome.missing === true;
const array = <T>(value: readonly T[]): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : []);

/** The sentences of those that are not sold. */
export const unsellableOf = (products: readonly Sellable[]): string[] =>
  products.flatMap(({ unsellable: because }) => because ?? []);
