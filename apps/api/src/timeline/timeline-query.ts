import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onMethod } from '../http/parameters/parameters.js';
import { LARGEST_LIMIT, type Query, QueryReader, USUAL_LIMIT } from '../http/query/index.js';
import { QueryParameter, shownParameter } from '../http/query/query-parameter.js';
import { readCursor, type TimelineCursor } from './cursor.js';

/** Which part of a timeline is asked for, and the answer that gets the link to the next one. */
export interface TimelineQuery {
  readonly limit: number;
  /** Null: from the newest on. */
  readonly cursor: TimelineCursor | null;
  readonly reply: FastifyReply;
}

interface Sent {
  readonly query: Query;
  readonly orderId: string;
  readonly reply: FastifyReply;
}

const LONGEST_CURSOR = 200;

class TimelineQueryPipe implements PipeTransform<Sent, TimelineQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform({ query, orderId, reply }: Sent): TimelineQuery {
    const reader = new QueryReader(query);
    const limit = reader.integer('limit', 1, LARGEST_LIMIT) ?? USUAL_LIMIT;
    const cursor = cursorOf(reader, orderId);
    reader.end();
    return { limit, cursor, reply };
  }
}

function cursorOf(reader: QueryReader, orderId: string): TimelineCursor | null {
  const text = reader.text('cursor', LONGEST_CURSOR);
  if (text === null) return null;
  const cursor = readCursor(text);
  if (cursor !== undefined && cursor.orderId === Number(orderId)) return cursor;
  const fault =
    cursor === undefined
      ? 'is none: take it from the Link header of the page before.'
      : `is of ScheduledOrder ${cursor.orderId}: begin without a cursor.`;
  return reader.refuse('cursor', `${shownParameter(text)} ${fault}`);
}

const sent = createParamDecorator((_: unknown, context): Sent => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const { scheduledOrderId } = request.params as Record<string, string>;
  return { query: request.query as Query, orderId: scheduledOrderId!, reply };
});

const PARAMETERS = [
  {
    name: 'limit',
    description: 'How many, at most.',
    schema: { type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: USUAL_LIMIT, example: 20 },
  },
  {
    name: 'cursor',
    description: 'Where to go on: from the `Link` header of the page before.',
    schema: { type: 'string' },
  },
] as const;

export const FromTimelineQuery = (): ParameterDecorator => (target, key, index) => {
  sent(new TimelineQueryPipe())(target, key, index);
  for (const parameter of PARAMETERS) onMethod(QueryParameter(parameter), target, key);
};
