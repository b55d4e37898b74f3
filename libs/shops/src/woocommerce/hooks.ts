import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Outbound } from '#libs/platform';
import { notUnderstood } from '../shop-client.js';
import type { Finding, NotDone, Shop } from '../shop-receiver.js';
import { NAME_META } from './wire.js';
import { WooClient } from './woo-client.js';

/** Something that may have changed in the shop. It is read again: what a hook says of it is not believed. */
export interface ShopHint {
  readonly kind: 'Order' | 'Product';
  readonly id: number;
}

/** What a hook says of itself. `isUnsold`: the shop does not sell the product (any more), by the hook's words. */
interface Hinted extends ShopHint {
  readonly isUnsold: boolean;
}

/** A new order, or a new product, changes nothing here: only what is known is read again. */
const TOPICS: Readonly<Record<string, ShopHint['kind']>> = {
  'order.updated': 'Order',
  'order.deleted': 'Order',
  'order.restored': 'Order',
  'product.updated': 'Product',
  'product.deleted': 'Product',
};

/** Where a shop sends its hooks to. `secret`: what it signs them with. */
export interface Hooks {
  readonly url: string;
  readonly secret: string;
}

/** The most that WooCommerce lists at once. */
const PAGE = 100;
/** No shop has more; one that repeats a page for ever must end. */
const MOST_PAGES = 20;

interface WooHook {
  readonly id: number;
  readonly topic: string;
  readonly delivery_url: string;
}

/**
 * Makes the hooks that a shop lacks, and repairs those it has, by the shop's own API: it disables them after seven
 * failures in a row, and shows nobody their secret, so each is given it again. Hooks with another address are left
 * alone: they may be another installation's. Without hooks nothing is lost, but changes are seen minutes later.
 */
export async function repairHooks(outbound: Outbound, shop: Shop, hooks: Hooks): Promise<Finding> {
  const woo = new WooClient(outbound, shop);
  const known: WooHook[] = [];
  for (let page = 1; page <= MOST_PAGES && known.length === (page - 1) * PAGE; page += 1) {
    const query = { per_page: String(PAGE), page: String(page), orderby: 'id', _fields: 'id,topic,delivery_url' };
    const listed = await woo.call<unknown>({ method: 'GET', path: 'wc/v3/webhooks', query });
    if (listed.kind !== 'done') return notMade(listed, hooks);
    if (!Array.isArray(listed.json)) return notMade(notUnderstood(listed.reply), hooks);
    known.push(...(listed.json as readonly WooHook[]));
  }
  for (const topic of Object.keys(TOPICS)) {
    const hook = known.find((one) => one.topic === topic && one.delivery_url === hooks.url);
    const path = hook === undefined ? 'wc/v3/webhooks' : `wc/v3/webhooks/${hook.id}`;
    const name = `Scheduled orders: ${topic}`;
    const body = { name, topic, status: 'active', delivery_url: hooks.url, secret: hooks.secret };
    const written = await woo.call({ method: 'POST', path, body });
    if (written.kind !== 'done') return notMade(written, hooks);
  }
  return { check: 'Hooks', agrees: true, message: `The shop tells of its changes at ${hooks.url}.` };
}

/** A person may make them by hand. The secret stands in no finding. */
const notMade = ({ message }: NotDone, { url }: Hooks): Finding => ({
  check: 'Hooks',
  agrees: false,
  message: `The shop’s hooks could not be made: ${message} Until they are, its changes are read every 15 minutes. Or make them in WooCommerce yourself (Settings, Advanced, Webhooks): the delivery URL ${url}, the secret of GET Shop/Secret, and each of the topics ${Object.keys(TOPICS).join(', ')}.`,
});

/** Whether a hook's body is signed with one of the secrets. `signature`: base64, as its header has it. */
export function isSignedHook(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  return secrets.some((secret) => {
    const ours = createHmac('sha256', secret).update(body).digest();
    return given.length === ours.length && timingSafeEqual(given, ours);
  });
}

/** What a hook hints at; null: at nothing that is read here, such as an order that was not pushed. */
export function hintOf(topic: string, body: Buffer): Hinted | null {
  const kind = TOPICS[topic];
  if (kind === undefined) return null;
  const { id, meta_data: meta, status = 'publish', purchasable } = parsed(body);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return null;
  // A deleted one has nothing but its id.
  const isOthers = kind === 'Order' && Array.isArray(meta) && !meta.some((one: Meta) => one?.key === NAME_META);
  const isUnsold = topic === 'product.deleted' || status !== 'publish' || purchasable === false;
  return isOthers ? null : { kind, id, isUnsold };
}

type Meta = { readonly key?: unknown } | null;

interface HookBody {
  readonly id?: unknown;
  readonly meta_data?: unknown;
  readonly status?: unknown;
  readonly purchasable?: unknown;
}

function parsed(body: Buffer): HookBody {
  try {
    return (JSON.parse(body.toString('utf8')) ?? {}) as object;
  } catch {
    return {};
  }
}
