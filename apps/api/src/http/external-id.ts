import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Rejected } from '#libs/records';
import { onMethod } from './parameters/parameters.js';

const MAX_LENGTH = 255;

/** Others would arrive as bytes of an unknown encoding. */
const PRINTABLE = /^[\x20-\x7e]*$/;

const sentExternalId = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['external-id'];
  if (header === undefined) return null;
  const externalId = String(header);
  if (externalId.length >= 1 && externalId.length <= MAX_LENGTH && PRINTABLE.test(externalId)) return externalId;
  const message = `must have 1 to ${MAX_LENGTH} printable characters of ASCII: PUT …/Terms takes any others.`;
  throw new Rejected([{ field: 'External-Id', message }]);
});

/** The shop's own reference for a new scheduled order: a resource of the contract has no field for it. */
export const ExternalId = (): ParameterDecorator => (target, key, index) => {
  sentExternalId()(target, key, index);
  const description =
    'The shop’s own reference for the new order, as in its Terms: a second order with it is 400. Not with a Customer token.';
  const schema = { type: 'string', minLength: 1, maxLength: MAX_LENGTH } as const;
  onMethod(ApiHeader({ name: 'External-Id', required: false, description, schema }), target, key);
};
