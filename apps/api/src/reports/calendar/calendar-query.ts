import type { PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { onMethod } from '../../http/parameters/parameters.js';
import { QueryReader, type SentRequest, sentRequest } from '../../http/query/index.js';
import { QueryParameter } from '../../http/query/query-parameter.js';
import { type DateRange, rangeParameters, readRange } from '../days.js';

export const MOST_DAYS = 62;

/** What was asked of a calendar, and the request that waits for it. */
export interface CalendarQuery {
  readonly range: DateRange;
  readonly isCsv: boolean;
  readonly reply: FastifyReply;
}

class CalendarQueryPipe implements PipeTransform<SentRequest, CalendarQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform({ query, isCsv, reply }: SentRequest): CalendarQuery {
    const reader = new QueryReader(query);
    const range = readRange(reader, MOST_DAYS);
    reader.end();
    return { range: range!, isCsv, reply };
  }
}

/** The query of a calendar. */
export const CalendarParameters = (): ParameterDecorator => (target, key, index) => {
  sentRequest(new CalendarQueryPipe())(target, key, index);
  for (const parameter of rangeParameters(MOST_DAYS)) onMethod(QueryParameter(parameter), target, key);
};
