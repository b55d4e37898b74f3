import { createParamDecorator } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Query } from './query-reader.js';

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/** RFC 9110, 12.5.1. */
const rangesOf = (accept: string): MediaRange[] =>
  accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
  });

/** How JSON may be named, the one that counts first. */
const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/**
 * Whether a client names a table (CSV) and prefers it to JSON; of equals, the one that its `Accept` names, or names
 * first.
 */
export function acceptsCsv(accept = ''): boolean {
  const ranges = rangesOf(accept);
  const placeOf = (type: string) => ranges.findIndex((range) => range.type === type);
  const [csv, json] = [placeOf('text/csv'), JSON_RANGES.map(placeOf).find((place) => place >= 0) ?? -1];
  const [qualityOfCsv, qualityOfJson] = [ranges[csv]?.quality ?? 0, ranges[json]?.quality ?? 0];
  if (qualityOfCsv !== qualityOfJson) return qualityOfCsv > qualityOfJson;
  return qualityOfCsv > 0 && (csv < json || ranges[json]!.type !== 'application/json');
}

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
