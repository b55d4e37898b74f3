import { createHmac } from 'node:crypto';
import { basicOf } from '../shop-client.js';
import type { AuthMode } from '../shop-receiver.js';

export interface Keys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

interface Request {
  readonly method: string;
  readonly url: string;
}

/** Used once: the shop refuses a nonce that it has seen. */
export interface Once {
  readonly nonce: string;
  readonly timestamp: number;
}

/**
 * The keys on a request, as the shop can read them: `Header` and `Query` over what WordPress believes to be HTTPS,
 * `OAuth` (1.0a, one-legged) over HTTP. Some hosts strip the header, others' logs keep the query.
 */
export function authorized(
  mode: AuthMode,
  keys: Keys,
  request: Request,
  once: Once,
): { url: string; headers: Record<string, string> } {
  const { consumerKey, consumerSecret } = keys;
  switch (mode) {
    case 'Header': {
      return { url: request.url, headers: { authorization: `Basic ${basicOf(consumerKey, consumerSecret)}` } };
    }
    case 'Query':
      return {
        url: withQuery(request.url, { consumer_key: consumerKey, consumer_secret: consumerSecret }),
        headers: {},
      };
    case 'OAuth':
      return { url: signed(keys, request, once), headers: {} };
  }
}

/** RFC 5849, section 3.4: the signature covers the method, the address and all parameters in their order. */
function signed(
  { consumerKey, consumerSecret }: Keys,
  { method, url: text }: Request,
  { nonce, timestamp }: Once,
): string {
  const oauth = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(timestamp),
  };
  const url = new URL(withQuery(text, oauth));
  const parameters = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const base = [method, encoded(url.origin + url.pathname), encoded(parameters.join('&'))].join('&');
  const signature = createHmac('sha256', `${encoded(consumerSecret)}&`)
    .update(base)
    .digest('base64');
  return withQuery(url.href, { oauth_signature: signature });
}

function withQuery(text: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(text);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** RFC 3986: unlike encodeURIComponent, it leaves no character of `!'()*` as it is. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
