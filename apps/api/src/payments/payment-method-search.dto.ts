import { createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '#libs/gateways';
import { readBody } from '../http/body.js';
import { fieldsOf, OneOf, Text } from '../http/fields/index.js';
import { onMethod, type Input } from '../http/parameters.js';
import { QueryParameter } from '../http/query.js';

/** The search parameters for payment methods. An absent one matches all. */
export class PaymentMethodSearch {
  @OneOf(PAYMENT_METHOD_TYPES) type?: PaymentMethodType;
  @Text(255) gatewayPaymentId?: string;
  @Text(255) gatewayCustomerId?: string;
}

const fromQuery = createParamDecorator((_: unknown, context): Promise<Input<PaymentMethodSearch>> => {
  const { query: sent, server } = context.switchToHttp().getRequest<FastifyRequest>();
  const query = sent as Record<string, unknown>;
  const named = [...fieldsOf(PaymentMethodSearch).keys()].filter((name) => query[name] !== undefined);
  return readBody(PaymentMethodSearch, Object.fromEntries(named.map((name) => [name, query[name]])), server.bodyBounds);
});

const QUERIES = [
  { name: 'type', description: 'A payment method type.', schema: { type: 'string', enum: [...PAYMENT_METHOD_TYPES] } },
  { name: 'gatewayPaymentId', description: 'Payment method id in the gateway.', schema: { type: 'string' } },
  { name: 'gatewayCustomerId', description: 'Customer id in the gateway.', schema: { type: 'string' } },
] as const;

/** The query of a search for payment methods. */
export const SoughtMethod = (): ParameterDecorator => (target, key, index) => {
  fromQuery()(target, key, index);
  for (const { name, description, schema } of QUERIES) {
    onMethod(QueryParameter({ name, description, schema }), target, key);
  }
};
