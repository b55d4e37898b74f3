import type { PipeTransform } from '@nestjs/common';
import { onMethod } from '../http/parameters/parameters.js';
import { type Query, QueryReader, sentQuery } from '../http/query/index.js';
import { QueryParameter } from '../http/query/query-parameter.js';

class SiteQueryPipe implements PipeTransform<Query, number | null> {
  /** @throws Rejected for what is no id. */
  transform(query: Query): number | null {
    const reader = new QueryReader(query);
    const siteId = reader.id('SiteId');
    reader.end();
    return siteId;
  }
}

const SITE_ID = {
  name: 'SiteId',
  description: 'Only of this site. An addition to the contract.',
  schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 },
} as const;

/** The site that a list is to be of; null: all sites. */
export const FromSiteQuery = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new SiteQueryPipe())(target, key, index);
  onMethod(QueryParameter(SITE_ID), target, key);
};
