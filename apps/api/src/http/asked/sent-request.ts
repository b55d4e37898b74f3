import { createParamDecorator } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsCsv } from './accepts-csv.js';
import type { Query } from './query-reader.js';

/** A request for a list or a report, and the answer that waits for it. */
export interface SentRequest {
  readonly query: Query;
  readonly path: string;
  /** Whether a table is asked for. */
  readonly isCsv: boolean;
  readonly reply: FastifyReply;
}

export const sentRequest = createParamDecorator((_: unknown, context): SentRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const path = request.url.split('?')[0]!;
  return { query: request.query as Query, path, isCsv: acceptsCsv(request.headers.accept), reply };
});
