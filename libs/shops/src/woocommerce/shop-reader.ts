import { countryCode, isWooCommerceId, MOST_WOOCOMMERCE_LINES } from '#libs/rules';
import { notUnderstood } from '../shop-client.js';
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
    const listed = await this.read<readonly WooProduct[]>('products', query, Array.isArray);
    if (listed.kind !== 'read') return listed;
    const found = new Map(listed.value.flatMap((product) => (product ? [[String(product.id), product]] : [])));
    for (const id of ids.filter((one) => !found.has(one))) {
      const single = await this.read<WooProduct>(`products/${id}`, { _fields: PRODUCT_FIELDS }, hasId);
      if (single.kind === 'read') found.set(id, single.value);
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
    const found = await this.read<WooCustomer>(`customers/${id}`, query, hasId);
    // Keys may write orders, and read no customers: an order of one that the shop does not have would be refused.
    return found.kind === 'shopRefused' || isMissing(found) ? { kind: 'read', value: null } : found;
  }

  /** A country that the shop does not list, or does not list now, has its states as they are written. */
  private async readStates(country: string): Promise<void> {
    if (!/^[A-Z]{2}$/.test(country) || this.stateCodes.has(country)) return;
    const path = `data/countries/${country.toLowerCase()}`;
    const found = await this.read<WooCountry>(path, { _fields: 'states' }, hasStates);
    if (found.kind !== 'read') return;
    const states = found.value.states.flatMap(({ code, name }) => [
      [name.toLowerCase(), code] as const,
      [code.toLowerCase(), code] as const,
    ]);
    this.stateCodes.set(country, new Map(states));
  }

  /** What a maintenance page, or a captcha, shows with 200 says nothing of what was asked for. */
  private async read<T>(path: string, query: Readonly<Record<string, string>>, isIt: Is): Promise<Read<T>> {
    const found = await this.woo.call<T>({ method: 'GET', path: `wc/v3/${path}`, query });
    if (found.kind !== 'done') return found;
    return isIt(found.json) ? { kind: 'read', value: found.json } : notUnderstood(found.reply);
  }
}

type Is = (json: unknown) => boolean;
const hasId: Is = (json) => typeof (json as { id?: unknown } | null | undefined)?.id === 'number';
const hasStates: Is = (json) => Array.isArray((json as { states?: unknown } | null | undefined)?.states);

export const isMissing = (outcome: Read<unknown>): boolean => outcome.kind === 'refused' && outcome.missing === true;

/** The sentences of those that are not sold. */
export const unsellableOf = (products: readonly Sellable[]): string[] =>
  products.flatMap(({ unsellable: because }) => because ?? []);
