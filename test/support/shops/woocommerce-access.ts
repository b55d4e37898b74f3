import { createHmac } from 'node:crypto';
import { json, type Reply, type ServedRequest } from './loopback-server.js';

export interface Key {
  readonly secret: string;
  readonly may: 'read' | 'read_write';
  readonly role: 'administrator' | 'shop_manager' | 'customer';
}

export interface AccessSettings {
  /** What WordPress believes; a header makes it so in the test of a real one. */
  isHttps: boolean;
  /** As hosts with CGI do. */
  stripsAuthorization: boolean;
}

const refused = (code: string, message: string, status = 401): Reply =>
  json(status, { code, message, data: { status } });
/** An unknown key, and one that is not looked at, have the same answer. */
const notSeen = () => refused('woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
const wrong = (message: string) => refused('woocommerce_rest_authentication_error', message);

/** WooCommerce's way of reading keys: Basic or query over HTTPS, OAuth 1.0a over HTTP. */
export class Access {
  readonly keys = new Map<string, Key>([
    ['ck_shop', { secret: 'cs_shop_secret', may: 'read_write', role: 'administrator' }],
  ]);
  private readonly nonces = new Set<string>();

  constructor(private readonly settings: AccessSettings) {}

  /** Null: it may. */
  refusal(request: ServedRequest): Reply | null {
    const given = this.settings.isHttps ? this.basic(request) : null;
    const parameters = request.url.searchParams;
    const name = given?.key ?? parameters.get('oauth_consumer_key');
    const key = this.keys.get(name ?? '');
    if (key === undefined || (!this.settings.isHttps && given !== null)) return notSeen();
    if (given === null) {
      const fault = this.oauthFault(request, key);
      if (fault !== null) return wrong(fault);
    } else if (given.secret !== key.secret) return wrong('Consumer secret is invalid.');
    if (request.method !== 'GET' && key.may === 'read')
      return wrong('The API key provided does not have write permissions.');
    return key.role === 'customer' ? refused('woocommerce_rest_cannot_view', 'Sorry.', 403) : null;
  }

  private basic({ headers, url }: ServedRequest): { key: string; secret: string } | null {
    const [, basic] = /^Basic (.+)$/.exec(this.settings.stripsAuthorization ? '' : (headers.authorization ?? '')) ?? [];
    if (basic !== undefined) {
      const [key = '', secret = ''] = atob(basic).split(':');
      return { key, secret };
    }
    const [key, secret] = [url.searchParams.get('consumer_key'), url.searchParams.get('consumer_secret')];
    return key === null || secret === null ? null : { key, secret };
  }

  private oauthFault({ method, url }: ServedRequest, { secret }: Key): string | null {
    const sent = new URLSearchParams(url.searchParams);
    const [signature, nonce] = [sent.get('oauth_signature'), sent.get('oauth_nonce') ?? ''];
    sent.delete('oauth_signature');
    const pairs = [...sent].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort();
    const base = [method, escaped(url.origin + url.pathname), escaped(pairs.join('&'))].join('&');
    if (signature !== createHmac('sha256', `${secret}&`).update(base).digest('base64'))
      return 'Invalid signature - provided signature does not match.';
    if (this.nonces.has(nonce)) return 'Invalid nonce - nonce has already been used.';
    this.nonces.add(nonce);
    return null;
  }
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
