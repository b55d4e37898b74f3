import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#libs/records';
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
