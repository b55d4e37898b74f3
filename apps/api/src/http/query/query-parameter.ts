import { applyDecorators, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { nearest } from '#libs/platform';
import { type Fault, Rejected } from '#libs/records';
import { MOST_FAULTS } from '../problems/problem.js';

const QUERY_PARAMETERS = Symbol('query parameters');
const LONGEST_SHOWN = 60;

interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
  readonly required?: boolean;
}

const reflector = new Reflector();

const parametersOf = (handler: ReturnType<ExecutionContext['getHandler']>) =>
  reflector.get<readonly string[] | undefined>(QUERY_PARAMETERS, handler) ?? [];

/** Declares a query parameter of a route, for the documentation and for validation (decisions.md §2). */
export const QueryParameter = ({ name, description, schema, required = false }: Parameter): MethodDecorator =>
  applyDecorators(ApiQuery({ name, required, description, schema }), (_target, _key, { value }) => {
    const handler = value as ReturnType<ExecutionContext['getHandler']>;
    Reflect.defineMetadata(QUERY_PARAMETERS, [...parametersOf(handler), name], handler);
  });

/**
 * The value of a query parameter in a sentence that refuses it: shortened, or `A list` when it was sent more than once.
 */
export const shownParameter = (sent: unknown): string =>
  typeof sent === 'string' ? `"${sent.slice(0, LONGEST_SHOWN)}"` : 'A list';

function faultOf(name: string, known: readonly string[]): Fault {
  const sent = name.slice(0, LONGEST_SHOWN);
  const meant = nearest(sent, known);
  const takes = known.length === 0 ? 'takes none' : `takes ${known.length === 1 ? 'only ' : ''}${known.join(', ')}`;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return { field: sent, message: `is not a query parameter of this route, which ${takes}.${hint}` };
}

/**
 * Refuses a query parameter that the route does not declare. Otherwise a client that searches by an unknown parameter
 * would get all records and use the first (decisions.md §2).
 */
class KnownQueryOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const sent = Object.keys(context.switchToHttp().getRequest<FastifyRequest>().query as object);
    if (sent.length === 0) return true;
    const known = parametersOf(context.getHandler());
    const unknown = sent.filter((name) => !known.includes(name));
    if (unknown.length === 0) return true;
    throw new Rejected(unknown.slice(0, MOST_FAULTS + 1).map((name) => faultOf(name, known)));
  }
}

/** One instance for all routes: it has no state. */
export const KNOWN_QUERY_ONLY = new KnownQueryOnly();
