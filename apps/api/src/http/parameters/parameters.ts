import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound, Rejected } from '#libs/records';
import type { Dto, DtoClass } from '../fields/index.js';
import { QueryParameter } from '../query/query-parameter.js';
import { BodyPipe, type SentBody } from './body.pipe.js';
import { LAST_PAGE, PagePipe } from './page.pipe.js';

export type { Input } from './body.pipe.js';
export type { PageRequest } from './page.pipe.js';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** Documents the method that a parameter belongs to. */
export function onMethod(decorate: MethodDecorator, target: object, key: string | symbol | undefined): void {
  decorate(target, key!, Object.getOwnPropertyDescriptor(target, key!)!);
}

const sentBody = createParamDecorator((_: unknown, context): SentBody => {
  const { body, server } = requestOf(context);
  return { body, bounds: server.bodyBounds };
});

/**
 * The request's body, checked and renamed.
 * @param ignored fields that the service sets in this request, although other requests may send them: accepted with any
 * value, and ignored (decisions.md §2).
 */
export const CheckedBody =
  <T extends Dto>(type: DtoClass<T>, ...ignored: string[]): ParameterDecorator =>
  (target, key, index) => {
    sentBody(new BodyPipe(type, ignored))(target, key, index);
    onMethod(ApiBody({ type, required: true }), target, key);
  };

const sentOrEmptyBody = createParamDecorator((_: unknown, context): SentBody => {
  const { body, server } = requestOf(context);
  return { body: body === undefined ? {} : body, bounds: server.bodyBounds };
});

/** A body that may be left out: then it is an empty one. */
export const OptionalBody =
  <T extends Dto>(type: DtoClass<T>): ParameterDecorator =>
  (target, key, index) => {
    sentOrEmptyBody(new BodyPipe(type))(target, key, index);
    onMethod(ApiBody({ type, required: false }), target, key);
  };

const sentId = createParamDecorator(
  (name: string, context) => (requestOf(context).params as Record<string, string>)[name]!,
);

/** `scheduledOrderId` → `scheduled order`. */
const wordsOf = (name: string) => name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** An id in the path. `example`: on the demo of `npm start`. */
export const PathId =
  (name: string, example = 1): ParameterDecorator =>
  (target, key, index) => {
    sentId(name, new IdPipe(name))(target, key, index);
    const schema = { type: 'integer', format: 'int64', minimum: 1, example } as const;
    const description = `Id of the ${wordsOf(name)}.`;
    onMethod(ApiParam({ name, required: true, description, schema }), target, key);
  };

const sentPage = createParamDecorator((_: unknown, context) => {
  const request = requestOf(context);
  const { page } = request.query as Record<string, unknown>;
  return { page, path: request.url.split('?')[0]!, reply: context.switchToHttp().getResponse<FastifyReply>() };
});

const pageQuery = (description: string) =>
  QueryParameter({
    name: 'page',
    description,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: LAST_PAGE },
  });

/** The contract's `page`: without it the first page (decisions.md §5). */
export const Page = (): ParameterDecorator => (target, key, index) => {
  sentPage(new PagePipe(1))(target, key, index);
  onMethod(pageQuery('Page of 100 records, from 1; page 1 unless given.'), target, key);
};

/** The additional `page` of lists that have none in the contract: without it the whole list (decisions.md §5). */
export const PageOrWhole = (): ParameterDecorator => (target, key, index) => {
  sentPage(new PagePipe(null))(target, key, index);
  onMethod(pageQuery('Page of 100 records, from 1; the whole list unless given.'), target, key);
};

const INT64 = /^[+-]?\d{1,19}$/;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** An int64 of the path (decisions.md §1). */
export class IdPipe implements PipeTransform<string, number> {
  constructor(private readonly name: string) {}

  /** @throws Rejected when it is none; NotFound beyond 2^53 − 1, where no record is. */
  transform(text: string): number {
    const value = INT64.test(text) ? BigInt(text) : undefined;
    if (value === undefined || value < INT64_MIN || value > INT64_MAX) {
      throw new Rejected([{ field: this.name, message: `"${text.slice(0, 60)}" in the path must be an int64.` }]);
    }
    const id = Number(value);
    if (!Number.isSafeInteger(id) || id < 1) throw new NotFound(`There is no record with the id ${text}.`);
    return id;
  }
}
