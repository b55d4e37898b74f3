import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DELIVERY_STATES, type DeliveryState } from '#libs/entities';
import { OUTWARD_TYPES } from '#libs/outbox';
import { type Fault, Rejected } from '#libs/records';
import { onMethod } from '../http/parameters.js';
import { QueryParameter, shownParameter } from '../http/query.js';

/** Which deliveries are asked for. */
export interface DeliveriesQuery {
  readonly state: DeliveryState | null;
  readonly eventType: string | null;
  /** Those with a lower id; null: from the newest on. */
  readonly before: number | null;
}

const CURSOR = /^\d{1,15}$/;

const sentQuery = createParamDecorator(
  (_: unknown, context) => context.switchToHttp().getRequest<FastifyRequest>().query as Record<string, unknown>,
);

class DeliveriesQueryPipe implements PipeTransform<Record<string, unknown>, DeliveriesQuery> {
  /** @throws Rejected that names every wrong parameter. */
  transform({ State, EventType, cursor }: Record<string, unknown>): DeliveriesQuery {
    const faults: Fault[] = [];
    const wordOf = <Word extends string>(field: string, sent: unknown, words: readonly Word[]): Word | null => {
      if (sent === undefined) return null;
      const word = words.find((one) => one === sent);
      if (word === undefined)
        faults.push({ field, message: `${shownParameter(sent)} must be one of ${words.join(', ')}.` });
      return word ?? null;
    };
    const state = wordOf('State', State, DELIVERY_STATES);
    const eventType = wordOf('EventType', EventType, OUTWARD_TYPES);
    const isCursor = cursor === undefined || (typeof cursor === 'string' && CURSOR.test(cursor));
    if (!isCursor)
      faults.push({ field: 'cursor', message: `${shownParameter(cursor)} is none: take it from the Link header.` });
    if (faults.length > 0) throw new Rejected(faults);
    return { state, eventType, before: cursor === undefined ? null : Number(cursor) };
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
