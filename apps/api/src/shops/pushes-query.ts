import type { PipeTransform } from '@nestjs/common';
import { PUSH_STATES, type PushState } from '#libs/entities';
import { onMethod } from '../http/parameters/parameters.js';
import { type Query, QueryReader, sentQuery, type SentRequest, sentRequest } from '../http/query/index.js';
import { QueryParameter } from '../http/query/query-parameter.js';

/** Which pushes of a site are asked for, and as what. */
export interface PushesRequest extends Omit<SentRequest, 'query'> {
  readonly state: PushState | null;
  /** Those of Orders with a lower id; null: from the newest on. */
  readonly before: number | null;
}

const STATE = { name: 'State', description: 'Only these.', schema: { type: 'string', enum: [...PUSH_STATES] } };
const CURSOR = {
  name: 'cursor',
  description: 'Where to go on: from the `Link` header of the page before.',
  schema: { type: 'string' },
};

class PushesRequestPipe implements PipeTransform<SentRequest, PushesRequest> {
  /** @throws Rejected that names every wrong parameter. */
  transform({ query, ...request }: SentRequest): PushesRequest {
    const reader = new QueryReader(query);
    const state = reader.oneOf('State', PUSH_STATES);
    const before = reader.belowId();
    reader.end();
    return { ...request, state, before };
  }
}

class PushStatePipe implements PipeTransform<Query, PushState | null> {
  /** @throws Rejected. */
  transform(query: Query): PushState | null {
    const reader = new QueryReader(query);
    const state = reader.oneOf('State', PUSH_STATES);
    reader.end();
    return state;
  }
}

export const FromPushesRequest = (): ParameterDecorator => (target, key, index) => {
  sentRequest(new PushesRequestPipe())(target, key, index);
  for (const parameter of [STATE, CURSOR]) onMethod(QueryParameter(parameter), target, key);
};

/** The same filter, of the count. */
export const FromPushState = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new PushStatePipe())(target, key, index);
  onMethod(QueryParameter(STATE), target, key);
};
