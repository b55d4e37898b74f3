import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Rejected } from '#libs/records';
import { onMethod } from '../http/parameters.js';
import { QueryParameter, shownParameter } from '../http/query.js';

const [LEAST, MOST, USUAL] = [1, 100, 12];

class CountPipe implements PipeTransform<unknown, number> {
  /** @throws Rejected when `count` is given and is not an integer from 1 to 100. */
  transform(sent: unknown): number {
    if (sent === undefined) return USUAL;
    const count = typeof sent === 'string' && /^\d{1,3}$/.test(sent) ? Number(sent) : Number.NaN;
    if (count >= LEAST && count <= MOST) return count;
    throw new Rejected([
      { field: 'count', message: `${shownParameter(sent)} must be an integer from ${LEAST} to ${MOST}.` },
    ]);
  }
}

const sentCount = createParamDecorator(
  (_: unknown, context) => (context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>).count,
);

/** How many occurrences to look ahead (decisions.md §12). */
export const Count = (): ParameterDecorator => (target, key, index) => {
  sentCount(new CountPipe())(target, key, index);
  const schema = { type: 'integer', minimum: LEAST, maximum: MOST, default: USUAL } as const;
  onMethod(QueryParameter({ name: 'count', description: 'How many, at most.', schema }), target, key);
};
