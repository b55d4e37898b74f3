import type { PipeTransform } from '@nestjs/common';
import { DELIVERY_STATES, type DeliveryState } from '#libs/entities';
import { OUTWARD_TYPES } from '#libs/events';
import { onMethod } from '../http/parameters/parameters.js';
import { type Query, QueryReader, sentQuery } from '../http/query/index.js';
import { QueryParameter } from '../http/query/query-parameter.js';

/** Which deliveries are asked for. */
export interface DeliveriesQuery {
  readonly state: DeliveryState | null;
  readonly eventType: string | null;
  /** Those with a lower id; null: from the newest on. */
  readonly before: number | null;
}

class DeliveriesQueryPipe implements PipeTransform<Query, DeliveriesQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform(query: Query): DeliveriesQuery {
    const reader = new QueryReader(query);
    const state = reader.oneOf('State', DELIVERY_STATES);
    const eventType = reader.oneOf('EventType', OUTWARD_TYPES);
    const before = reader.belowId();
    reader.end();
    return { state, eventType, before };
  }
}

const QUERIES = [
  { name: 'State', description: 'Only these.', schema: { type: 'string', enum: [...DELIVERY_STATES] } },
  { name: 'EventType', description: 'Only of this type.', schema: { type: 'string', enum: [...OUTWARD_TYPES] } },
  {
    name: 'cursor',
    description: 'Where to go on: from the `Link` header of the page before.',
    schema: { type: 'string' },
  },
] as const;

export const FromDeliveriesQuery = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new DeliveriesQueryPipe())(target, key, index);
  for (const query of QUERIES) onMethod(QueryParameter(query), target, key);
};
