import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { fieldsOf, OneOf, Text } from '../http/fields/index.js';
import { BodyPipe, type SentBody } from '../http/parameters/body.pipe.js';
import { onMethod } from '../http/parameters/parameters.js';
import { QueryParameter } from '../http/query/query-parameter.js';

/** The search parameters for payment methods. An absent one matches all. */
export class PaymentMethodSearch {
  @OneOf(PAYMENT_METHOD_TYPES) type?: PaymentMethodType;
  @Text(255) gatewayPaymentId?: string;
  @Text(255) gatewayCustomerId?: string;
}

const sentQuery = createParamDecorator((_: unknown, context): SentBody => {
  const { query: sent, server } = context.switchToHttp().getRequest<FastifyRequest>();
  const query = sent as Record<string, unknown>;
  const named = [...fieldsOf(PaymentMethodSearch).keys()].filter((name) => query[name] !== undefined);
  return { body: Object.fromEntries(named.map((name) => [name, query[name]])), bounds: server.bodyBounds };
});

const QUERIES = [
  { name: 'type', description: 'A payment method type.', schema: { type: 'string', enum: [...PAYMENT_METHOD_TYPES] } },
  { name: 'gatewayPaymentId', description: 'Payment method id in the gateway.', schema: { type: 'string' } },
  { name: 'gatewayCustomerId', description: 'Customer id in the gateway.', schema: { type: 'string' } },
] as const;

/** The query of a search for payment methods. */
export const SearchQuery = (): ParameterDecorator => (target, key, index) => {
  sentQuery(new BodyPipe(PaymentMethodSearch))(target, key, index);
  for (const { name, description, schema } of QUERIES) {
    onMethod(QueryParameter({ name, description, schema }), target, key);
  }
};
