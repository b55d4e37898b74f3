import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Caller, Forbidden } from '#libs/records';
import type { Audience } from './route.js';
import type { Standing } from './standing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that the access token or API key names. The guard sets it on every route that needs a token. */
    user?: Caller;
    /** Whether it still may call. The guard sets it, too. */
    standing?: Standing;
    /** To be called when its answer is ready. The guard sets it, too. */
    worked?: (answerBytes: number) => void;
  }
}

/** The caller of a route that needs a token. */
export const FromCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().user,
);

/** The client's address; behind a proxy that TRUST_PROXY names, the one that the proxy says. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().ip,
);

/** Who is behind a caller: an account, one of its customers, or one of its API keys. */
export type Owner = Pick<Caller, 'userId' | 'customerId' | 'keyAccess' | 'tokenId'>;

/** One text for all tokens of an account, or of a customer, and one for each API key. */
export function ownerOf({ userId, customerId, keyAccess, tokenId }: Owner): string {
  if (keyAccess !== null) return `key:${tokenId}`;
  return customerId === null ? `account:${userId}` : `customer:${customerId}`;
}

/**
 * @param reads whether the route changes nothing.
 * @throws Forbidden when a caller of this kind may not call such a route.
 */
export function assertMayCall({ scope, keyAccess, isSession }: Caller, audience: Audience, reads: boolean): void {
  if (audience === 'session' && !isSession) {
    throw new Forbidden("This is for a browser's session: send its cookie without the header Authorization.");
  }
  if (audience !== 'both' && scope === 'Customer') {
    throw new Forbidden('This needs a Merchant token; yours is limited to one customer.');
  }
  if (audience === 'account' && keyAccess !== null) {
    throw new Forbidden('An API key may not do this: send the Merchant token of a login.');
  }
  if (keyAccess === 'Read' && !reads) {
    throw new Forbidden('This API key may only read: use one with the Access Full.');
  }
}

/** A page of another site cannot send this header without a preflight, and a form not at all. */
export const isOfConsole = (headers: IncomingHttpHeaders): boolean => headers['x-requested-with'] === 'console';

/** A page sends it by itself, with nobody there: it is no use of the session (decisions.md §3, Sessions). */
export const isByItself = (headers: IncomingHttpHeaders): boolean => headers['x-session-use'] === 'none';
