import { Inject, Injectable } from '@nestjs/common';
import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '#libs/platform';
import { isOfConsole } from '../../http/caller.js';
import { SETTINGS } from '../../http/tokens.js';

/** Cookies of all ports of a host are in one jar: the name is like no other program's. */
const NAME = 'scheduled-orders-session';
/**
 * Browsers take such a name only from the host itself, over https, for all paths: no neighbour can set it (RFC
 * 6265bis).
 */
const NAME_OVER_HTTPS = `__Host-${NAME}`;

const VALUE = /^(\d{1,15})\.([\w-]{43})$/;

interface Presented {
  readonly tokenId: string;
  readonly secret: string;
}

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

/** The cookie of a browser's session, and when it counts (decisions.md §3, Sessions). */
@Injectable()
export class SessionCookies {
  private readonly publicUrl: URL | null;

  constructor(@Inject(SETTINGS) { publicUrl }: Settings) {
    this.publicUrl = publicUrl === undefined ? null : new URL(publicUrl);
  }

  /** The token in the cookie; null when there is none, or when it does not count in this request. */
  presented(request: FastifyRequest): Presented | null {
    const { authorization, cookie } = request.headers;
    if (cookie === undefined || authorization !== undefined) return null;
    if (!isOfConsole(request.headers) || !this.isOfOwnPage(request)) return null;
    const [, tokenId, secret] = VALUE.exec(parse(cookie)[this.nameFor(request)] ?? '') ?? [];
    return tokenId === undefined ? null : { tokenId, secret: secret! };
  }

  /**
   * Neither `Origin` nor `Sec-Fetch-Site` says that the request comes from elsewhere than a page of this API. Programs
   * send neither.
   */
  isOfOwnPage(request: FastifyRequest): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && site !== 'same-origin') return false;
    return origin === undefined || origin === this.publicUrl?.origin || origin === originOf(calledAt(request));
  }

  set(request: FastifyRequest, reply: FastifyReply, { tokenId, secret }: Presented): void {
    this.send(request, reply, `${tokenId}.${secret}`);
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    this.send(request, reply, '', { maxAge: 0 });
  }

  /** Without an age it is gone when the browser is closed. */
  private send(request: FastifyRequest, reply: FastifyReply, value: string, age: { maxAge?: number } = {}): void {
    const attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure: this.isHttps(request) } as const;
    void reply.header('set-cookie', serialize(this.nameFor(request), value, { ...attributes, ...age }));
  }

  private nameFor(request: FastifyRequest): string {
    return this.isHttps(request) ? NAME_OVER_HTTPS : NAME;
  }

  /** As a proxy of TRUST_PROXY says, or PUBLIC_URL for its host. */
  private isHttps(request: FastifyRequest): boolean {
    if (request.protocol === 'https') return true;
    return this.publicUrl?.protocol === 'https:' && this.publicUrl.host === request.host.toLowerCase();
  }
}

const calledAt = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;
