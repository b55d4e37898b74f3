import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { HTTP_CODE_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { type Idempotency as IdempotencyOfPost, Rejected } from '#libs/records';
import { ownerOf } from './caller.js';
import { onMethod } from './parameters/parameters.js';
import { COLLECTION } from './route.js';

export type Idempotency = IdempotencyOfPost;

const MAX_KEY_LENGTH = 255;

/** The POST that is being answered, and its header as it was sent. */
interface SentPost {
  readonly request: FastifyRequest;
  readonly status: number;
  /** Of the route: see `COLLECTION`. */
  readonly collection: string | true | undefined;
}

const reflector = new Reflector();

const sentPost = createParamDecorator((_: unknown, context: ExecutionContext): SentPost => {
  const handler = context.getHandler();
  return {
    request: context.switchToHttp().getRequest<FastifyRequest>(),
    status: reflector.get<number>(HTTP_CODE_METADATA, handler),
    collection: reflector.get<string | true | undefined>(COLLECTION, handler),
  };
});

class IdempotencyPipe implements PipeTransform<SentPost, Idempotency> {
  /** @throws Rejected when the key is empty or too long. */
  transform({ request, status, collection }: SentPost): Idempotency {
    const path = request.url.split('?')[0]!.replace(/\/$/, '');
    const key = keyOf(request);
    return {
      status,
      collection: collection === true ? path : (collection ?? null),
      key:
        key === null
          ? null
          : {
              // Equal keys of two owners do not conflict.
              owner: ownerOf(request.user!),
              route: `${request.method} ${path.toLowerCase()}`,
              key,
              bodyHash: createHash('sha256')
                .update(JSON.stringify(request.body) ?? '')
                .digest(),
            },
    };
  }
}

function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = String(header);
  if (key.length >= 1 && key.length <= MAX_KEY_LENGTH) return key;
  const message = `must have 1 to ${MAX_KEY_LENGTH} characters; it has ${key.length}.`;
  throw new Rejected([{ field: 'Idempotency-Key', message }]);
}

/** The current POST with its Idempotency-Key, if it has one, for the service's transaction (decisions.md §2). */
export const Idempotency = (): ParameterDecorator => (target, key, index) => {
  sentPost(new IdempotencyPipe())(target, key, index);
  const description =
    'A repeated request with the same key and body gets the first answer again and does nothing twice. Kept for 24 hours.';
  const schema = { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH } as const;
  onMethod(ApiHeader({ name: 'Idempotency-Key', required: false, description, schema }), target, key);
};
