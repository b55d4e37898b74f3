import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_PREFIX, type Caller, Forbidden } from '#libs/records';
import { Unauthorized } from '../http/errors.js';
import { assertMayCall } from '../http/may-call.js';
import { AUDIENCE, type Audience, READS_ONLY } from '../http/route.js';
import { BAD_TOKEN_IS_FORBIDDEN } from './bad-token.js';
import { RateLimits } from './rate-limits.js';

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
  constructor(private readonly limits: RateLimits) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const audience = Reflect.getMetadata(AUDIENCE, context.getHandler()) as Audience | undefined;
    if (audience === undefined) throw new Error(`${context.getHandler().name} does not say who may call it.`);
    if (audience === 'anyone') return true;
    await super.canActivate(context);
    const { user: caller, method } = context.switchToHttp().getRequest<FastifyRequest>();
    this.limits.take(caller!, context.switchToHttp().getResponse<FastifyReply>());
    const reads = isRead(method) || Reflect.getMetadata(READS_ONLY, context.getHandler()) === true;
    assertMayCall(caller!, audience, reads);
    return true;
  }

  override handleRequest<User = Caller>(
    error: unknown,
    caller: User | false,
    _: unknown,
    context: ExecutionContext,
  ): User {
    if (error instanceof Error) throw error;
    if (caller !== false) return caller;
    const { authorization } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (authorization === undefined) {
      throw new Unauthorized('Send the header Authorization: Basic <TokenAuth>, with the TokenAuth of a login.');
    }
    const isForbidden = Reflect.getMetadata(BAD_TOKEN_IS_FORBIDDEN, context.getHandler()) === true;
    throw new (isForbidden ? Forbidden : Unauthorized)(badCredentials(authorization));
  }
}
