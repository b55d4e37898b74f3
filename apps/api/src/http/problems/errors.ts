import { Conflict, Forbidden, KeyReused, NotFound, Rejected } from '#libs/records';

/** The presented token is missing, malformed, unknown, revoked or expired. */
export class Unauthorized extends Error {}

/** The path exists, but does not accept this method. */
export class MethodNotAllowed extends Error {
  constructor(
    message: string,
    readonly allowed: readonly string[],
  ) {
    super(message);
  }
}

/** The request came to a name that the API does not answer to. */
export class Misdirected extends Error {}

/** The caller sends more than is allowed; it may try again after `retryAfterSeconds`. */
export class TooManyRequests extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** The service cannot answer at the moment. */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** The status of each class of error (decisions.md §4). */
export const STATUS_OF: readonly (readonly [ErrorClass, number])[] = [
  [Rejected, 400],
  [Unauthorized, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MethodNotAllowed, 405],
  [Conflict, 409],
  [Misdirected, 421],
  [KeyReused, 422],
  [TooManyRequests, 429],
  [Unavailable, 503],
];
