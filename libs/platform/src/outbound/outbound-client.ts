import http, {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { useAgent } from 'request-filtering-agent';
import type { AddressRule } from './address-rule.js';
import { excerptOf } from './excerpt.js';
import { judgedLookup, type Resolve, resolveByDns } from './lookup.js';
import { OutboundError, sentenceOf } from './outbound-error.js';
import { hostOf, urlFault } from './url-fault.js';

const CONNECT_MS = 5_000;
const WHOLE_MS = 15_000;
const MOST_REPLY_BYTES = 64 * 1_024;
const MOST_HEADER_BYTES = 16 * 1_024;

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Of this service: none that a merchant may choose. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** More of a reply than so many bytes is not read; absent: 64 KiB. */
  readonly mostReplyBytes?: number;
}

export interface OutboundAnswer {
  /** False: there was no connection, so certainly no byte of the request has left. */
  readonly isSent: boolean;
  /** Null when no reply began. */
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
  /** What was read of the reply's body. */
  readonly reply: Buffer;
  /** The first KiB of the reply's body. */
  readonly excerpt: string | null;
  /**
   * Why there is no whole reply, as a sentence; null when there is one (of a long one what was read counts as whole).
   */
  readonly error: string | null;
}

/** What tests may set otherwise. */
export interface OutboundOptions {
  readonly resolve?: Resolve;
  readonly connectMs?: number;
  readonly wholeMs?: number;
  /** Certificates that are trusted besides those that Node knows, as PEM. */
  readonly ca?: string;
}

/** What sends requests to addresses that merchants choose. */
export interface Outbound {
  /** Never rejects: what went wrong is in the answer. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

/** What has arrived of a reply. */
interface Arrived {
  isSent: boolean;
  response: IncomingMessage | null;
  readonly chunks: Buffer[];
  bytes: number;
}

/**
 * Sends requests to addresses that merchants choose. It connects to public unicast addresses only (and what
 * OUTBOUND_ALLOWED_ADDRESSES opens), which it judges while it connects; it follows no redirects and knows no proxy.
 */
export class OutboundClient implements Outbound {
  private readonly resolve: Resolve;
  private readonly connectMs: number;
  private readonly wholeMs: number;
  private readonly trust: { readonly ca?: string };

  constructor(
    private readonly rule: AddressRule,
    { resolve = resolveByDns, connectMs = CONNECT_MS, wholeMs = WHOLE_MS, ca }: OutboundOptions = {},
  ) {
    this.trust = ca === undefined ? {} : { ca };
    this.resolve = resolve;
    this.connectMs = connectMs;
    this.wholeMs = wholeMs;
  }

  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const startedAt = performance.now();
    const arrived: Arrived = { isSent: false, response: null, chunks: [], bytes: 0 };
    const error = await this.exchange(request, arrived).then(() => null, sentenceOf);
    const { isSent, response } = arrived;
    const reply = Buffer.concat(arrived.chunks);
    return {
      isSent,
      status: response?.statusCode ?? null,
      headers: response?.headers ?? {},
      milliseconds: Math.round(performance.now() - startedAt),
      reply,
      excerpt: response === null ? null : excerptOf(reply),
      error,
    };
  }

  private exchange(outbound: OutboundRequest, arrived: Arrived): Promise<void> {
    const { url: text, method, headers, body, mostReplyBytes = MOST_REPLY_BYTES } = outbound;
    const fault = urlFault(text, this.rule);
    if (fault !== null) return Promise.reject(new OutboundError(`The URL ${fault}`));
    const url = new URL(text);
    const begin = url.protocol === 'https:' ? https.request : http.request;
    const options = { ...this.connection(url), method, headers: { ...headers, connection: 'close' } };
    return new Promise((resolve, reject) => {
      const request = begin(url, options);
      const timers = this.limit(request, arrived);
      const settle = (end: () => void) => {
        for (const timer of timers) clearTimeout(timer);
        end();
        request.destroy();
      };
      request.once('error', (error) => settle(() => reject(error)));
      const fails = (sentence: string) => () => settle(() => reject(new OutboundError(sentence)));
      request.once('close', fails('The connection was closed before the reply was complete.'));
      request.once('upgrade', fails('The reply asks for another protocol.'));
      request.once('response', (response) => {
        read(response, arrived, mostReplyBytes).then(
          () => settle(resolve),
          (error: Error) => settle(() => reject(error)),
        );
      });
      request.end(body);
    });
  }

  /**
   * The agent judges again what the look-up has judged, with ranges of its own; its list has the addresses that the
   * setting opens for this connection.
   */
  private connection(url: URL): RequestOptions {
    const host = hostOf(url);
    const opened: string[] = isIP(host) !== 0 && this.rule.isOpened(host) ? [host] : [];
    const { rule, resolve } = this;
    return {
      agent: useAgent(url.href, {
        allowIPAddressList: opened,
        keepAlive: false,
        rejectUnauthorized: true,
        ...this.trust,
      }),
      lookup: judgedLookup({ rule, resolve, protocol: url.protocol, opened: (address) => opened.push(address) }),
      maxHeaderSize: MOST_HEADER_BYTES,
    };
  }

  private limit(request: ClientRequest, arrived: Arrived): NodeJS.Timeout[] {
    const after = (ms: number, sentence: string) =>
      setTimeout(() => request.destroy(new OutboundError(sentence)), ms).unref();
    const connecting = after(this.connectMs, `The connection was not made within ${this.connectMs / 1_000} seconds.`);
    const event = request.protocol === 'https:' ? 'secureConnect' : 'connect';
    const connected = () => {
      arrived.isSent = true;
      clearTimeout(connecting);
    };
    request.once('socket', (socket) => socket.once(event, connected));
    return [connecting, after(this.wholeMs, `There was no whole reply within ${this.wholeMs / 1_000} seconds.`)];
  }
}

/** Reads the body to its end, or so many bytes of it. @throws when it ends early. */
function read(response: IncomingMessage, arrived: Arrived, mostBytes: number): Promise<void> {
  arrived.response = response;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      arrived.chunks.push(chunk);
      arrived.bytes += chunk.length;
      if (arrived.bytes >= mostBytes) resolve();
    });
    response.once('end', resolve);
    response.once('error', reject);
  });
}
