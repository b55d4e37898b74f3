import { excerptOf, type Outbound, retryAfterMs } from '#libs/platform';
import type { NotDone } from './shop-receiver.js';

/** A page of 100 orders is larger than what a webhook may answer. */
const MOST_REPLY_MIB = 2;
const MOST_REPLY_BYTES = MOST_REPLY_MIB * 1_024 * 1_024;
const SHORTEST_SECRET = 8;
const MOST_WORDS = 500;

/** For `Authorization: Basic`, in UTF-8: whatever a merchant has written as a key. */
export const basicOf = (name: string | null, password: string | null): string =>
  Buffer.from(`${name ?? ''}:${password ?? ''}`).toString('base64');

export interface ShopRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A whole reply of any status. */
export interface ShopReply {
  readonly kind: 'replied';
  readonly status: number;
  /** Undefined: it is no JSON. */
  readonly json: unknown;
  /** It is larger than what is read of it. */
  readonly isCut: boolean;
  /** Why it refuses, in its own words: text without credentials. Empty: it does not say. */
  readonly words: string;
  readonly excerpt: string;
  readonly retryAfterMs: number | null;
  readonly location: string | null;
  /** The shop's clock less this machine's; null: the shop does not say. */
  readonly aheadMs: number | null;
  /** How many records a list has on all its pages; null: the shop does not say. */
  readonly total: number | null;
}

/** Nothing was sent, or nothing whole came back. */
export type NoReply = Extract<NotDone, { kind: 'unavailable' | 'unknown' }>;

/** Sends requests to one shop over the safe outbound client, and removes its credentials from what comes back. */
export class ShopClient {
  private readonly secrets: readonly string[];

  constructor(
    private readonly outbound: Outbound,
    secrets: readonly (string | null)[],
  ) {
    // A secret that is too short would be found in any text. PHP writes a slash in JSON as `\/`.
    this.secrets = secrets
      .filter((secret): secret is string => (secret ?? '').length >= SHORTEST_SECRET)
      .flatMap((secret) => [secret, secret.replaceAll('/', '\\/'), encodeURIComponent(secret)]);
  }

  async send({ url, method, headers, body }: ShopRequest): Promise<ShopReply | NoReply> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.outbound.send({
      url,
      method,
      headers: {
        accept: 'application/json',
        ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
        ...headers,
      },
      body: text,
      mostReplyBytes: MOST_REPLY_BYTES,
    });
    const { isSent, status, error, headers: replied } = answer;
    const reply = this.redacted(answer.reply.toString('utf8'));
    const excerpt = excerptOf(Buffer.from(reply));
    if (!isSent) return { kind: 'unavailable', message: error!, retryAfterMs: null };
    if (status === null || error !== null)
      return { kind: 'unknown', message: error!, detail: excerpt, retryAfterMs: null };
    const json = parsed(reply);
    return {
      ...{ kind: 'replied', status, json, excerpt, isCut: answer.reply.length >= MOST_REPLY_BYTES },
      words: this.redacted(wordsOf(json)).slice(0, MOST_WORDS),
      retryAfterMs: retryAfterMs(replied['retry-after'], replied.date, Date.now()),
      // Without its query, where keys may stand.
      location: replied.location?.replace(/[?#].*/s, '') ?? null,
      aheadMs: aheadMs(replied.date),
      total: Number(replied['x-wp-total'] ?? NaN) || null,
    };
  }

  private redacted(text: string): string {
    return this.secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  }
}

function aheadMs(date: string | undefined): number | null {
  const ahead = Date.parse(date ?? '') - Date.now();
  return Number.isNaN(ahead) ? null : ahead;
}

/** A shop that shows its warnings prints them in lines of their own before the JSON, which is the last one. */
function parsed(text: string): unknown {
  for (const part of [text, text.slice(text.search(/^[{[]/m))]) {
    try {
      return JSON.parse(part);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Of problem details, of `{ message }`, and of WordPress, which says what is wrong with each parameter. */
function wordsOf(json: unknown): string {
  const { detail, message, data } = (json ?? {}) as { detail?: unknown; message?: unknown; data?: unknown };
  const { params } = (data ?? {}) as { params?: unknown };
  const ofParams: readonly unknown[] = typeof params === 'object' ? Object.values(params ?? {}) : [];
  const words = [typeof detail === 'string' ? detail : message, ...ofParams].filter((one) => typeof one === 'string');
  const text = words.join(' ').replace(/<[^<>]*>/g, '');
  return text.replace(/\s+/g, ' ').trim();
}

/** What any reply but a 2xx means. Adapters know more of some. */
export function notDone(reply: ShopReply): NotDone {
  const { status, excerpt: detail, retryAfterMs, location } = reply;
  if (status === 401 || status === 403)
    return { kind: 'shopRefused', message: `The shop refuses the credentials (${status}).`, detail };
  if (status >= 300 && status < 400) {
    const message = `The shop redirects (${status}) to ${location ?? 'elsewhere'}: the site's Url must be where it answers.`;
    return { kind: 'shopRefused', message, detail };
  }
  if (status === 429)
    return { kind: 'unavailable', message: 'The shop asks to send less (429).', detail, retryAfterMs };
  if (status === 408 || status < 200 || status >= 500)
    return { kind: 'unknown', message: `The shop answered ${status}.`, detail, retryAfterMs };
  return refused(reply);
}

/** It will never take this, whatever it takes besides. */
export function refused({ status, excerpt: detail, words }: ShopReply): NotDone {
  const missing = status === 404 || status === 410 ? { missing: true as const } : {};
  const because =
    words.replace(/\.$/, '') || (status === 403 ? 'a firewall, or a plugin, does not let this one in' : '');
  const message = `The shop refuses it (${status})${because && `: ${because}`}.`;
  return { kind: 'refused', message, detail, ...missing };
}

/** What to do where the shop answers nobody now, whatever it is asked; null: it does answer. */
export function comeAgain({ status, retryAfterMs }: ShopReply): string | null {
  if (status !== 429 && status < 500) return null;
  return retryAfterMs === null ? 'try again later' : `try again in ${Math.ceil(retryAfterMs / 1_000)} seconds`;
}

/** A 2xx that says nothing that can be understood. */
export const notUnderstood = ({ status, excerpt: detail, isCut }: ShopReply): NoReply => ({
  kind: 'unknown',
  message: isCut
    ? `The shop's answer is larger than ${MOST_REPLY_MIB} MiB.`
    : `The shop answered ${status}, but not what was asked for.`,
  ...{ detail, isCut },
  retryAfterMs: null,
});
