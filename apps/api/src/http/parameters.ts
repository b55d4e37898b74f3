import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, Rejected } from '#libs/records';
import { readBody } from './body.js';
import type { Dto, DtoClass } from './fields/index.js';
import { QueryParameter } from './query.js';

export type { Input } from './body.js';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** Documents the method that a parameter belongs to. */
export function onMethod(decorate: MethodDecorator, target: object, key: string | symbol | undefined): void {
  decorate(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
}

const body = createParamDecorator(({ type, ignored }: { type: DtoClass; ignored: readonly string[] }, context) => {
  const { body: sent, server } = requestOf(context);
  return readBody(type, sent, server.bodyBounds, ignored);
});

/**
 * The request's body, checked and renamed.
 * @param ignored fields that the service sets in this request, although other requests may send them: accepted with any value, and ignored
 * (decisions.md §2).
 */
export const Body =
  <T extends Dto>(type: DtoClass<T>, ...ignored: string[]): ParameterDecorator =>
  (target, key, index) => {
    body({ type, ignored })(target, key, index);
    onMethod(ApiBody({ type, required: true }), target, key);
  };

const optionalBody = createParamDecorator((type: DtoClass, context) => {
  const { body: sent, server } = requestOf(context);
  return readBody(type, sent === undefined ? {} : sent, server.bodyBounds);
});

/** A body that may be left out: then it is an empty one. */
export const OptionalBody =
  <T extends Dto>(type: DtoClass<T>): ParameterDecorator =>
  (target, key, index) => {
    optionalBody(type)(target, key, index);
    onMethod(ApiBody({ type, required: false }), target, key);
  };

const INT64 = /^[+-]?\d{1,19}$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * An int64 of the path (decisions.md §1).
 * @throws Rejected when it is not one; NotFound above 2^53 − 1, where there are no records.
 */
export function readId(name: string, text: string): number {
  const value = INT64.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < INT64_MIN || value > INT64_MAX) {
    throw new Rejected([{ field: name, message: `"${text.slice(0, 60)}" in the path must be an int64.` }]);
  }
  const id = Number(value);
  if (!Number.isSafeInteger(id) || id < 1) throw new NotFound(`There is no record with the id ${text}.`);
  return id;
}

const id = createParamDecorator((name: string, context) =>
  readId(name, (requestOf(context).params as Record<string, string>)[name]!),
);

/** `scheduledOrderId` → `scheduled order`. */
const wordsOf = (name: string) => name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** An id in the path. */
export const Id =
  (name: string): ParameterDecorator =>
  (target, key, index) => {
    id(name)(target, key, index);
    const schema = { type: 'integer', format: 'int64', minimum: 1, example: 1 } as const;
    const description = `Id of the ${wordsOf(name)}.`;
    onMethod(ApiParam({ name, required: true, description, schema }), target, key);
  };

const INT32_MAX = 2 ** 31 - 1;

/** The requested part of a list, and the request that the answer's links refer to. */
export interface PageRequest {
  /** From 1; null means the whole list. */
  readonly number: number | null;
  readonly path: string;
  readonly reply: FastifyReply;
}

/** @throws Rejected when `page` is not an int32 from 1. */
export function readPage(value: unknown): number | null {
  if (value === undefined) return null;
  const page = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (page >= 1 && page <= INT32_MAX) return page;
  const shown = typeof value === 'string' ? `"${value.slice(0, 60)}"` : 'A list';
  throw new Rejected([{ field: 'page', message: `${shown} must be an integer from 1 to ${INT32_MAX}.` }]);
}

const page = createParamDecorator((whole: boolean, context): PageRequest => {
  const request = requestOf(context);
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  const number = readPage((request.query as Record<string, unknown>).page);
  return { number: number ?? (whole ? null : 1), path: request.url.split('?')[0]!, reply };
});

const pageQuery = (description: string) =>
  QueryParameter({
    name: 'page',
    description,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: INT32_MAX },
  });

/** The contract's `page`: without it the first page (decisions.md §5). */
export const Page = (): ParameterDecorator => (target, key, index) => {
  page(false)(target, key, index);
  onMethod(pageQuery('Page of 100 records, from 1; page 1 unless given.'), target, key);
};

/** The additional `page` of lists that have none in the contract: without it the whole list (decisions.md §5). */
export const PageOrWhole = (): ParameterDecorator => (target, key, index) => {
  page(true)(target, key, index);
  onMethod(pageQuery('Page of 100 records, from 1; the whole list unless given.'), target, key);
};
