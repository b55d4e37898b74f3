import { applyDecorators, Delete, Get, Header, HttpCode, Post, Put, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseOptions, ApiSecurity } from '@nestjs/swagger';
import type { DtoClass } from './fields/index.js';
import { anchorOf, PROBLEMS } from './problems/problem.js';
import { KNOWN_QUERY_ONLY } from './query/query-parameter.js';

/**
 * Who may call a route: a Merchant token or an API key, these and a Customer token, a Merchant token but no API key, a
 * browser's session alone, or anyone without a token. Every route declares it. An API key that may only read calls GET,
 * and a POST that changes nothing.
 */
export type Audience = 'merchant' | 'both' | 'account' | 'session' | 'anyone';

export const AUDIENCE = Symbol('audience');
/** Whether a route that is no GET changes nothing. */
export const READS_ONLY = Symbol('reads only');
/** Whether a session needs a password that was entered a moment ago. */
export const NEEDS_PASSWORD = Symbol('needs password');
/** The path of a POST's new record: `true` for the called path, or another path. */
export const COLLECTION = Symbol('collection');

export const SECURITY_SCHEME = 'AccessToken';
/** A browser's session, which goes wherever a token goes. Only its own routes name it in the documentation. */
export const SESSION_SCHEME = 'Session';

interface About {
  readonly audience: Audience;
  readonly operationId: string;
  /** A short description. */
  readonly summary: string;
  readonly description?: string;
  /** Additional error statuses, besides those that every route of its kind has. */
  readonly errors?: readonly number[];
  /** Not in the contract: an addition of decisions.md §12. */
  readonly addition?: boolean;
  /** A POST that changes nothing: an API key that may only read calls it, and it takes no Idempotency-Key. */
  readonly readsOnly?: boolean;
  /** A session may call it for 10 minutes after its password was entered (decisions.md §3, Sessions). */
  readonly needsPassword?: boolean;
}

interface Creation {
  /** The path of the new record for GET, if it differs from this one. */
  readonly collection?: string;
}

interface Success {
  readonly status?: number;
  /** The answer: a resource, an array of it, another schema, or nothing. */
  readonly gives?: DtoClass | readonly [DtoClass] | ApiResponseOptions;
}

const VERBS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

const isClass = (gives: unknown): gives is DtoClass => typeof gives === 'function';

function answer({ gives, status = 200 }: Success): ApiResponseOptions {
  const description = status === 201 ? 'Created.' : status === 204 ? 'Done; there is no body.' : 'As asked.';
  if (gives === undefined) return { status, description };
  if (isClass(gives)) return { status, description, type: gives };
  if (Array.isArray(gives)) return { status, description, type: (gives as [DtoClass])[0], isArray: true };
  return { status, description, ...gives };
}

function errorResponse(status: number): MethodDecorator & ClassDecorator {
  const { meaning, remedy } = PROBLEMS[status]!;
  const schema = { $ref: '#/components/schemas/Problem' };
  const content = { 'application/problem+json': { schema } };
  return ApiResponse({ status, description: `${meaning} ${remedy} (/docs/errors#${anchorOf(status)})`, content });
}

const IN_WORDS: Record<Audience, string> = {
  merchant: 'Merchant tokens and API keys only.',
  both: 'Merchant and Customer tokens, and API keys; a Customer token is limited to its own customer.',
  account: 'Merchant tokens only; no API keys.',
  session: 'For the cookie of a session only; no other tokens.',
  anyone: 'Needs no token.',
};

const CHANGES_NOTHING = 'It changes nothing, so an API key with the Access `Read` may call it, too.';

const PASSWORD_WORDS = 'In a session it needs the password, entered within the last 10 minutes.';

/** The mark in the documentation for routes that are not in the contract (decisions.md §12). */
export const ADDITION = 'An addition to the contract.';

/** Declares one route for the OpenAPI document: method, path, answer, errors, and who may call it. */
export function Route(verb: keyof typeof VERBS, path: string, about: About & Success): MethodDecorator {
  const { audience, operationId, summary, description, errors = [], addition = false, status = 200 } = about;
  const { readsOnly = false, needsPassword = false } = about;
  const protectedErrors = audience === 'anyone' ? [] : [401, 403, 429];
  // Monitoring may add any parameters to health checks; all other routes refuse what they do not know.
  const isOfApi = path.startsWith('/api/');
  const unreadable = verb === 'GET' ? (isOfApi ? [400] : []) : [400, 413, 415];
  const all = [...new Set([...protectedErrors, ...unreadable, ...errors, 500, 503])].sort();
  return applyDecorators(
    VERBS[verb](path),
    HttpCode(status),
    SetMetadata(AUDIENCE, audience),
    SetMetadata(READS_ONLY, readsOnly),
    SetMetadata(NEEDS_PASSWORD, needsPassword),
    ...(isOfApi ? [UseGuards(KNOWN_QUERY_ONLY)] : []),
    ApiOperation({
      operationId,
      summary,
      description: [
        description,
        ...(readsOnly ? [CHANGES_NOTHING] : []),
        IN_WORDS[audience],
        ...(needsPassword ? [PASSWORD_WORDS] : []),
        ...(addition ? [ADDITION] : []),
      ]
        .filter(Boolean)
        .join(' '),
    }),
    ApiResponse(answer(about)),
    ...all.map(errorResponse),
    ...(status === 204 ? [] : [Header('content-type', 'application/json; charset=utf-8')]),
    // The scopes are in the description, because linters report scopes without OAuth as an error.
    ...(audience === 'anyone' ? [] : [ApiSecurity(audience === 'session' ? SESSION_SCHEME : SECURITY_SCHEME)]),
  );
}

const errorsOf = (about: About, ...statuses: number[]) => [...statuses, ...(about.errors ?? [])];

/** GET of an array. */
export const List = (path: string, type: DtoClass, about: About) =>
  Route('GET', path, { ...about, gives: [type], errors: errorsOf(about, 400) });

/** GET of one record. */
export const Read = (path: string, type: DtoClass, about: About) =>
  Route('GET', path, { ...about, gives: type, errors: errorsOf(about, 400, 404) });

/** POST that creates a record: 201 with its Location. */
export const Create = (path: string, type: DtoClass, { collection, ...about }: About & Creation): MethodDecorator =>
  applyDecorators(
    Route('POST', path, { ...about, status: 201, gives: type, errors: errorsOf(about, 409, 422) }),
    SetMetadata(COLLECTION, collection ?? true),
  );

/** PUT: a partial update (decisions.md §2). */
export const Update = (path: string, type: DtoClass, about: About) =>
  Route('PUT', path, { ...about, gives: type, errors: errorsOf(about, 404, 409) });

/** DELETE: 204. */
export const Remove = (path: string, about: About) =>
  Route('DELETE', path, { ...about, status: 204, errors: errorsOf(about, 404, 409) });

export const BAD_TOKEN_IS_FORBIDDEN = Symbol('bad token is forbidden');

/** On this route a bad or expired token is answered 403, as the contract requires for Generate; elsewhere 401. */
export const BadTokenIsForbidden = () => SetMetadata(BAD_TOKEN_IS_FORBIDDEN, true);
