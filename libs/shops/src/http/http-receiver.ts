import { signedHeaders } from '#libs/events';
import type { Outbound } from '#libs/platform';
import { amountOf } from '../amounts.js';
import { compare, isSame } from '../differences.js';
import {
  basicOf,
  comeAgain,
  type NoReply,
  notDone,
  notUnderstood,
  refused,
  ShopClient,
  type ShopReply,
} from '../shop-client.js';
import type {
  Creation,
  Finding,
  LookUp,
  NotDone,
  Probe,
  Push,
  Settlement,
  Shop,
  ShopOrder,
  ShopReceiver,
  Verification,
} from '../shop-receiver.js';
import { httpBody, inexact } from './body.js';

export const DEFAULT_PATH = '/scheduled-orders/orders';
/** Receivers take signatures of the last five minutes: beyond that a clock is wrong, perhaps this worker's alone. */
const MOST_APART_MS = 4 * 60_000;
const CLOCKS_PAUSE_MS = 60_000;

/** Nobody's order: no occurrence is named like this. */
const NOBODY = 'scheduled-orders-verify';

/**
 * Any platform that answers `POST <Url><Path>`: it makes and settles the order in one transaction under the push name,
 * and our total is what it takes. So a repetition is harmless, and there is nothing to compare but its answer.
 */
export class HttpReceiver implements ShopReceiver {
  private readonly client: ShopClient;
  private readonly base: string;
  private readonly authorization: Record<string, string>;

  constructor(
    outbound: Outbound,
    private readonly shop: Shop,
  ) {
    const { url, path, apiKey1, apiKey2, secrets } = shop;
    const basic = apiKey1 ? basicOf(apiKey1, apiKey2) : null;
    this.client = new ShopClient(outbound, [apiKey1, apiKey2, basic, ...secrets]);
    this.base = url.replace(/\/*$/, '') + (path ?? DEFAULT_PATH).replace(/\/*$/, '');
    this.authorization = basic === null ? {} : { authorization: `Basic ${basic}` };
  }

  async lookUp({ name }: Push): Promise<LookUp> {
    const reply = await this.send('GET', name);
    if (reply.kind !== 'replied') return reply;
    if (reply.status === 404) return { kind: 'found', orders: [] };
    return this.answered(reply, (order) => ({ kind: 'found', orders: [order] }));
  }

  async create(push: Push): Promise<Creation> {
    const amount = inexact(push);
    if (amount !== null) {
      const message = `${push.currencyIso} has no ${amount}: an amount of the Order has too many decimals.`;
      return { kind: 'refused', message };
    }
    const reply = await this.send('POST', push.name, httpBody(push));
    if (reply.kind !== 'replied') return reply;
    // A firewall, or a plugin, may dislike this one.
    if (reply.status === 403 && takesOthers(await this.postNothing())) return refused(reply);
    // Another request with this key is being served.
    if (reply.status === 409)
      return { kind: 'unknown', message: 'The shop is working on it (409).', retryAfterMs: reply.retryAfterMs };
    return this.answered(reply, (order) => ({ kind: 'created', order }));
  }

  /** It is settled already: a total that is not ours is a person's. */
  settle(push: Push, order: ShopOrder): Promise<Settlement> {
    const differences = compare(push, { ...order, total: order.total === '' ? '-1' : order.total });
    const isPushed = order.id !== '' && isSame({ ...differences, areAmountsUnknown: false });
    return Promise.resolve({ kind: 'settled', order, differences, isPushed, isStockTaken: null, unsellable: [] });
  }

  /** There is nothing to remove: under one name a receiver has one order. */
  remove(): Promise<NotDone> {
    return Promise.resolve({ kind: 'refused', message: 'A receiver deletes nothing.' });
  }

  /** Nobody's order is not found, and one without items is refused: both without an effect. */
  async verify(_probe: Probe): Promise<Verification> {
    const looked = await this.send('GET', NOBODY);
    const posted = await this.postNothing();
    const findings = [
      finding('LookUp', looked, [404], 'it must answer 404 to a look-up of what it does not have'),
      finding('Orders', posted, [422], 'it must answer 422 to an order without items'),
    ];
    return { findings, state: stateOf([looked, posted], findings), authMode: null };
  }

  /** An order without items is refused, but only to who may send one. */
  private postNothing(): ReturnType<ShopClient['send']> {
    return this.send('POST', NOBODY, { OrderItems: [] });
  }

  /** The signature of a look-up covers an empty body, its id the key. */
  private send(method: 'GET' | 'POST', name: string, order?: object): ReturnType<ShopClient['send']> {
    const body = order === undefined ? '' : JSON.stringify(order);
    const {
      'content-length': _,
      'content-type': __,
      ...signed
    } = signedHeaders({ id: name, body }, this.shop.secrets, new Date());
    return this.client.send({
      url: method === 'GET' ? `${this.base}/${name}` : this.base,
      method,
      headers: { ...signed, ...this.authorization, 'idempotency-key': name },
      ...(body === '' ? {} : { body }),
    });
  }

  private answered<T>(reply: ShopReply, done: (order: ShopOrder) => T): T | NotDone {
    if ([404, 405].includes(reply.status)) {
      const message = `The shop has no receiver there (${reply.status}): Path must be where it answers.`;
      return { kind: 'shopRefused', message, detail: reply.excerpt };
    }
    const apart = clocksApart(reply);
    if (apart !== null) return { kind: 'unavailable', message: apart, retryAfterMs: CLOCKS_PAUSE_MS, isOfClocks: true };
    if (reply.status < 200 || reply.status >= 300) return withReason(notDone(reply), reply);
    const order = orderOf(reply.json);
    return order === null ? notUnderstood(reply) : done(order);
  }
}

/** `{ ExternalId, OrderNumber, Total }`; what is left out differs, and is a person's. Null: it is no answer at all. */
function orderOf(json: unknown): ShopOrder | null {
  if (typeof json !== 'object' || json === null) return null;
  const { ExternalId: id = '', OrderNumber: number = null, Total: total = '' } = json as Record<string, unknown>;
  return {
    id: text(id),
    number: number === null ? null : text(number),
    state: 'Paid',
    currencyIso: null,
    total: amountOf(total) === null ? '' : text(total),
    taxTotal: null,
    lines: null,
  };
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const takesOthers = (reply: ShopReply | NoReply): boolean => reply.kind === 'replied' && reply.status === 422;

/** Why a 401 says nothing of the secret; null: no clock is wrong. */
function clocksApart({ status, aheadMs }: ShopReply): string | null {
  const apartMs = Math.abs(aheadMs ?? 0);
  if (status !== 401 || apartMs <= MOST_APART_MS) return null;
  const minutes = Math.round(apartMs / 60_000);
  return `The shop's clock and ours are ${minutes} minutes apart: it refuses the signature (401).`;
}

/** The receiver's own words are enough. */
const withReason = (outcome: NotDone, { words }: ShopReply): NotDone =>
  outcome.kind === 'refused' && words !== '' ? { ...outcome, message: words } : outcome;

function stateOf(replies: Awaited<ReturnType<ShopClient['send']>>[], findings: Finding[]): Verification['state'] {
  if (findings.every(({ agrees }) => agrees)) return 'Ready';
  const mayPass = replies.some(
    (reply) => reply.kind !== 'replied' || comeAgain(reply) !== null || clocksApart(reply) !== null,
  );
  return mayPass ? 'Unreachable' : 'Refused';
}

function finding(
  check: string,
  reply: Awaited<ReturnType<ShopClient['send']>>,
  wanted: number[],
  otherwise: string,
): Finding {
  if (reply.kind !== 'replied') return { check, agrees: false, message: reply.message };
  const { status } = reply;
  if (wanted.includes(status)) return { check, agrees: true, message: `The receiver answers as it must (${status}).` };
  const apart = clocksApart(reply);
  if (apart !== null) return { check, agrees: false, message: apart };
  const isRefused = status === 401 || status === 403;
  const message = isRefused ? 'the secret and the keys must be those of the site' : (comeAgain(reply) ?? otherwise);
  return { check, agrees: false, message: `The receiver answered ${status}: ${message}.` };
}
