import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { NotFound } from '#libs/records';
import { onMethod } from '../http/parameters/parameters.js';

const ORDER_ID = /^[1-9]\d{0,15}$/;

class OrderIdPipe implements PipeTransform<string, number> {
  /**
   * @throws NotFound for every text that cannot be an order's id: GET and PUT declare it as a string (decisions.md §1).
   */
  transform(text: string): number {
    const id = ORDER_ID.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(id)) return id;
    throw new NotFound(`There is no Order ${text.slice(0, 60)}.`);
  }
}

const sentOrderId = createParamDecorator((_: unknown, context) => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest>();
  return (params as { orderId: string }).orderId;
});

/** The id of an order in the paths that declare it as a string. */
export const OrderId = (): ParameterDecorator => (target, key, index) => {
  sentOrderId(new OrderIdPipe())(target, key, index);
  const schema = { type: 'string', example: '1' } as const;
  onMethod(ApiParam({ name: 'orderId', required: true, description: 'Id of the order.', schema }), target, key);
};
