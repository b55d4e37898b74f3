import type { PipeTransform } from '@nestjs/common';
import { onMethod } from '../http/parameters/parameters.js';
import { type Query, QueryReader, sentQuery } from '../http/query/index.js';
import { QueryParameter } from '../http/query/query-parameter.js';

/** Which endpoints are asked for. */
export interface EndpointsQuery {
  readonly siteId: number | null;
  readonly isFailing: boolean;
}

class EndpointsQueryPipe implements PipeTransform<Query, EndpointsQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform(query: Query): EndpointsQuery {
    const reader = new QueryReader(query);
    const siteId = reader.id('SiteId');
    const isFailing = reader.oneOf('Failing', ['true']) !== null;
    reader.end();
    return { siteId, isFailing };
  }
}

const QUERIES = [
  {
    name: 'SiteId',
    description: 'Only of this site.',
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 },
  },
  {
    name: 'Failing',
    description:
      'Only those that fail: not one delivery was successful since FailingSinceUtc, and nobody has disabled it.',
    schema: { type: 'string', enum: ['true'], example: 'true' },
  },
] as const;

export const FromEndpointsQuery = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new EndpointsQueryPipe())(target, key, index);
  for (const query of QUERIES) onMethod(QueryParameter(query), target, key);
};
