import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_PREFIX, type Caller, Forbidden, PasswordNeeded } from '#libs/records';
import { assertMayCall, isByItself, isOfConsole } from '../http/caller.js';
import { HeavyRequests } from '../http/load/heavy-requests.js';
import { Unauthorized } from '../http/problems/errors.js';
import { AUDIENCE, type Audience, BAD_TOKEN_IS_FORBIDDEN, NEEDS_PASSWORD, READS_ONLY } from '../http/route.js';
import { Standing } from '../http/standing.js';
import { Callers } from './callers.js';
import { RateLimits } from './rate-limits.js';
import { SessionCookies } from './sessions/session-cookies.js';

const SEND_BASIC = 'send the header Authorization: Basic <TokenAuth>.';

/** What is wrong with the scheme of a header, without repeating the header; undefined when it is Basic. */
function wrongScheme(authorization: string): string | undefined {
  if (/^basic /i.test(authorization)) return undefined;
  if (/^bearer /i.test(authorization)) return `Use Basic, not Bearer: ${SEND_BASIC}`;
  return `The scheme before the token must be Basic: ${SEND_BASIC}`;
}

/** What is wrong with a header that names no caller, and what to do. */
function badCredentials(authorization: string): string {
  const fault = wrongScheme(authorization);
  if (fault !== undefined) return fault;
  if (authorization.split(' ')[1]?.startsWith(API_KEY_PREFIX) === true) {
    return 'The presented API key is malformed, unknown, revoked or expired: make a new one (POST /api/ApiKeys).';
  }
  return 'The presented token is malformed, unknown, revoked or expired: log in again.';
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** Finds the caller of every request, and refuses callers that the route does not allow. */
@Injectable()
export class CallerGuard extends AuthGuard('basic') {
  constructor(
    private readonly limits: RateLimits,
    private readonly callers: Callers,
    private readonly cookies: SessionCookies,
    private readonly heavy: HeavyRequests,
    private readonly reflector: Reflector,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const audience = this.reflector.get<Audience | undefined>(AUDIENCE, handler);
    if (audience === undefined) throw new Error(`${handler.name} does not say who may call it.`);
    if (audience === 'anyone') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const ofSession = await this.ofSession(request);
    if (ofSession === null) await super.canActivate(context);
    else request.user = ofSession;
    const { user: caller, method } = request;
    request.standing = new Standing(() => this.callers.isLiving(caller!));
    this.limits.take(caller!, context.switchToHttp().getResponse<FastifyReply>());
    const reads = isRead(method) || this.reflector.get<boolean>(READS_ONLY, handler);
    assertMayCall(caller!, audience, reads);
    if (this.reflector.get<boolean>(NEEDS_PASSWORD, handler) && !caller!.isConfirmed) throw new PasswordNeeded();
    await this.heavy.begin(request);
    return true;
  }

  /** The caller that a session's cookie names; null when there is none that counts. */
  private async ofSession(request: FastifyRequest): Promise<Caller | null> {
    const presented = this.cookies.presented(request);
    return presented && this.callers.ofSession(presented.tokenId, presented.secret, !isByItself(request.headers));
  }

  override handleRequest<User = Caller>(
    error: unknown,
    caller: User | false,
    _: unknown,
    context: ExecutionContext,
  ): User {
    if (error instanceof Error) throw error;
    if (caller !== false) return caller;
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization } = headers;
    if (authorization === undefined) {
      if (isOfConsole(headers))
        throw new Unauthorized('There is no session, or it has ended: log in again (POST /api/Sessions).');
      throw new Unauthorized('Send the header Authorization: Basic <TokenAuth>, with the TokenAuth of a login.');
    }
    const isForbidden = this.reflector.get<boolean | undefined>(BAD_TOKEN_IS_FORBIDDEN, context.getHandler()) === true;
    throw new (isForbidden ? Forbidden : Unauthorized)(badCredentials(authorization));
  }
}
