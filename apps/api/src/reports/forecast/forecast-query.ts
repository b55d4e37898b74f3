import type { PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { onMethod } from '../../http/parameters/parameters.js';
import { QueryReader, type SentRequest, sentRequest } from '../../http/query/index.js';
import { QueryParameter } from '../../http/query/query-parameter.js';
import { type DateRange, rangeParameters, readRange } from '../days.js';

export const MOST_DAYS = 400;

/** What a row of a forecast is of. */
export const FORECAST_BY = ['Day', 'Product', 'ProductDay'] as const;
export type ForecastBy = (typeof FORECAST_BY)[number];

const YES_OR_NO = ['true', 'false'] as const;

/** What was asked of a forecast, and the request that waits for it. */
export interface ForecastQuery {
  readonly range: DateRange;
  readonly by: ForecastBy;
  readonly withAmounts: boolean;
  readonly isCsv: boolean;
  readonly reply: FastifyReply;
}

class ForecastQueryPipe implements PipeTransform<SentRequest, ForecastQuery> {
  /** @throws Rejected with every parameter that is wrong. */
  transform({ query, isCsv, reply }: SentRequest): ForecastQuery {
    const reader = new QueryReader(query);
    const range = readRange(reader, MOST_DAYS);
    const by = reader.oneOf('By', FORECAST_BY) ?? 'Day';
    const withAmounts = reader.oneOf('Amounts', YES_OR_NO) === 'true';
    reader.end();
    return { range: range!, by, withAmounts, isCsv, reply };
  }
}

const PARAMETERS = [
  ...rangeParameters(MOST_DAYS),
  {
    name: 'By',
    description: 'What a row is of: a day, a product, or a product on a day.',
    schema: { type: 'string', enum: [...FORECAST_BY], default: 'Day' },
  },
  {
    name: 'Amounts',
    description: 'Whether every occurrence is priced; this takes longer. Rows are then per currency.',
    schema: { type: 'boolean', default: false },
  },
];

/** The query of a forecast. */
export const ForecastParameters = (): ParameterDecorator => (target, key, index) => {
  sentRequest(new ForecastQueryPipe())(target, key, index);
  for (const parameter of PARAMETERS) onMethod(QueryParameter(parameter), target, key);
};
