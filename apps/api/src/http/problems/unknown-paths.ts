import type { FastifyInstance } from 'fastify';
import { NotFound } from '#libs/records';
import { MethodNotAllowed } from './errors.js';

interface KnownPath {
  /** In the form of the documentation: `/api/Customers/{customerId}`. */
  readonly shown: string;
  readonly exact: RegExp;
  /** It also matches a plural in place of a singular, and a singular in place of a plural. */
  readonly loose: RegExp;
  readonly parameters: number;
  readonly methods: Set<string>;
}

const PARAMETER = /^:(\w+)$/;

const pathMatching = (segments: readonly string[], literal: (segment: string) => string) =>
  new RegExp(`^${segments.map((one) => (PARAMETER.test(one) ? '[^/]+' : literal(one))).join('/')}/?$`, 'i');

function knownPath(url: string): KnownPath {
  const segments = url.split('/');
  return {
    shown: segments.map((segment) => segment.replace(PARAMETER, '{$1}')).join('/'),
    exact: pathMatching(segments, (segment) => segment),
    loose: pathMatching(segments, (segment) => (segment === '' ? '' : `${segment.replace(/s$/i, '')}s?`)),
    parameters: segments.filter((segment) => PARAMETER.test(segment)).length,
    methods: new Set(),
  };
}

/** The declared paths below /api, those without parameters first. */
class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();
  private sorted: readonly KnownPath[] | null = null;

  add(url: string, methods: readonly string[]): void {
    const path = this.paths.get(url) ?? knownPath(url);
    for (const method of methods) path.methods.add(method);
    this.paths.set(url, path);
    this.sorted = null;
  }

  /** A more helpful error for a request without a route, if there is one. */
  refusalOf(method: string, path: string): Error | undefined {
    const all = (this.sorted ??= [...this.paths.values()].sort((a, b) => a.parameters - b.parameters));
    const exact = all.find((known) => known.exact.test(path));
    if (exact !== undefined) return exact.methods.has(method) ? undefined : notAllowed(method, exact);
    const meant = all.find((known) => known.loose.test(path));
    return meant && new NotFound(`There is no such path; did you mean ${meant.shown}? See /docs.`);
  }
}

function notAllowed(method: string, { shown, methods }: KnownPath): MethodNotAllowed {
  const allowed = [...methods].sort();
  return new MethodNotAllowed(`${shown} does not take ${method}, only ${allowed.join(', ')}: see /docs.`, allowed);
}

/**
 * Answers a wrong method, or a singular in place of a plural, with the right one. Add it before the routes, which it
 * learns from Fastify.
 */
export function explainUnknownPaths(server: FastifyInstance): void {
  const known = new KnownPaths();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.startsWith('/api/')) known.add(url, [method].flat());
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done();
    done(known.refusalOf(request.method, request.url.split('?')[0]!));
  });
}
