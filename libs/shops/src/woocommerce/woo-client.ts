import { randomBytes } from 'node:crypto';
import type { Outbound } from '#libs/platform';
import { basicOf, type NoReply, notDone, refused, ShopClient, type ShopReply } from '../shop-client.js';
import type { AuthMode, NotDone, Shop } from '../shop-receiver.js';
import { authorized, type Keys } from './authorization.js';

type Parameters = Readonly<Record<string, string>>;

export interface WooRequest {
  /** `POST` of a record changes it, also where a host refuses `PUT`. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/wp-json/`. */
  readonly path: string;
  readonly query?: Parameters;
  readonly body?: object;
}

/** So say web servers, and firewalls. */
const METHOD_REFUSED: readonly number[] = [403, 405, 501];
const NO_KEY = 'The site has no consumer key (ApiKey1) or no consumer secret (ApiKey2).';
const NO_ROUTE = (status: number) =>
  `WooCommerce's REST interface does not answer there (${status}): WooCommerce must be active, and the site's Url the shop's.`;
/** WooCommerce's own refusals of a key, whatever it asks for. */
const OF_KEYS = /^woocommerce_rest_(cannot_|authentication_error$)/;
/** What the codes of WooCommerce's errors mean, where it is not what the status says. */
const REASONS: Readonly<Record<string, string>> = {
  woocommerce_rest_cannot_view:
    'The shop does not see the key. Either it has no such key, or its user was deleted; or it thinks that this is HTTP (a proxy that WordPress was not told of), the host strips Authorization, or permalinks are plain. Verify finds out what works.',
  woocommerce_rest_authentication_error:
    'The shop refuses the key: the secret is wrong, or the key may only read. Make a key with the permission Read/Write.',
};

/** The REST interface of one WooCommerce. */
export class WooClient {
  private readonly client: ShopClient;
  private readonly keys: Keys | null;
  private readonly base: string;

  constructor(
    private readonly outbound: Outbound,
    private readonly shop: Shop,
  ) {
    const { url, apiKey1, apiKey2, secrets } = shop;
    this.keys = apiKey1 && apiKey2 ? { consumerKey: apiKey1, consumerSecret: apiKey2 } : null;
    this.client = new ShopClient(outbound, [apiKey1, apiKey2, basicOf(apiKey1, apiKey2), ...secrets]);
    this.base = url.replace(/\/*$/, '/wp-json/');
  }

  /** The same shop, its keys sent in another way. */
  as(authMode: AuthMode): WooClient {
    return new WooClient(this.outbound, { ...this.shop, authMode });
  }

  /** A reply of any status. What is read is asked for by another URL each time: hosts and plugins keep replies. */
  async send({ method, path, query, body }: WooRequest): Promise<ShopReply | NotDone> {
    if (this.keys === null) return { kind: 'shopRefused', message: NO_KEY };
    const once = { nonce: randomBytes(12).toString('hex'), timestamp: Math.floor(Date.now() / 1_000) };
    const parameters = new URLSearchParams({ ...query, ...(method === 'GET' && { _: once.nonce }) }).toString();
    const url = this.base + path + (parameters && `?${parameters}`);
    if (!URL.canParse(url)) return { kind: 'shopRefused', message: `The site's Url is no URL: "${this.base}${path}".` };
    const request = authorized(this.shop.authMode, this.keys, { method, url }, once);
    const headers = { ...request.headers, 'cache-control': 'no-cache' };
    return this.client.send({ ...request, headers, method, ...(body === undefined ? {} : { body }) });
  }

  /** `GET /wp-json/`, which needs no key. */
  root(): Promise<ShopReply | NoReply> {
    return this.client.send({ url: this.base, method: 'GET' });
  }

  /**
   * Deletes by force. Where the host in front of WordPress refuses the method (WooCommerce's own refusals have a code),
   * WordPress takes it from a parameter.
   */
  async delete(path: string) {
    const query = { force: 'true' };
    const reply = await this.send({ method: 'DELETE', path, query });
    const isRefused = reply.kind === 'replied' && METHOD_REFUSED.includes(reply.status) && codeOf(reply) === '';
    if (!isRefused) return this.written(reply);
    return this.written(await this.send({ method: 'POST', path, query: { ...query, _method: 'DELETE' } }));
  }

  /** Makes an order, or changes one. */
  async write(path: string, body: object): Promise<Done<unknown> | NotDone> {
    return this.written(await this.send({ method: 'POST', path, body }));
  }

  /** Without effect: an order with an id is refused for that id, but only to who may write. */
  tryToWrite(): Promise<ShopReply | NotDone> {
    return this.send({ method: 'POST', path: 'wc/v3/orders', body: { id: 1 } });
  }

  /**
   * A firewall, or a plugin, may dislike one order: a 403 that does not speak of the keys is of that order alone where
   * the shop takes others.
   */
  private async written(reply: ShopReply | NotDone): Promise<Done<unknown> | NotDone> {
    if (reply.kind !== 'replied' || reply.status !== 403 || OF_KEYS.test(codeOf(reply))) return done(reply);
    const tried = await this.tryToWrite();
    return mayWrite(tried) ? refused(reply) : done(tried);
  }

  /** What a reply with 2xx has; anything else is not done. */
  async call<T>(request: WooRequest): Promise<Done<T> | NotDone> {
    return done<T>(await this.send(request));
  }
}

interface Done<T> {
  readonly kind: 'done';
  readonly reply: ShopReply;
  readonly json: T;
}

export function done<T>(reply: ShopReply | NotDone): Done<T> | NotDone {
  if (reply.kind !== 'replied') return reply;
  if (reply.status >= 200 && reply.status < 300) return { kind: 'done', reply, json: reply.json as T };
  const code = codeOf(reply);
  // What WooCommerce itself does not have, it names.
  if (reply.status === 405 || (reply.status === 404 && !code.startsWith('woocommerce_rest_')))
    return { kind: 'shopRefused', message: NO_ROUTE(reply.status), detail: reply.excerpt };
  return withReason(notDone(reply), code);
}

/** A page of a list. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
}

const FEWEST = 5;
const FEW = 25;

/**
 * The same place in a list of smaller pages, for what is larger than a reply may be: plugins write much into the meta
 * of orders. Null: there are none.
 */
export function smallerPage({ page, perPage }: Page): Page | null {
  if (perPage <= FEWEST) return null;
  const smaller = perPage > FEW ? perPage / 2 : FEWEST;
  return { perPage: smaller, page: ((page - 1) * perPage) / smaller + 1 };
}

export const codeOf = ({ json }: ShopReply): string => {
  const { code } = (json ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/** The answer of `tryToWrite`. */
export const mayWrite = (reply: ShopReply | NotDone): boolean =>
  reply.kind === 'replied' && codeOf(reply) === 'woocommerce_rest_shop_order_exists';

const withReason = (outcome: NotDone, code: string): NotDone => {
  const message = REASONS[code];
  return outcome.kind === 'shopRefused' && message !== undefined ? { ...outcome, message } : outcome;
};
