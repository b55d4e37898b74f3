import { Conflict, Forbidden, KeyReused, NotFound, Rejected } from '#libs/records';

/** The presented token is missing, malformed, unknown, revoked or expired. */
export class Unauthorized extends Error {}

/** The path exists, but not for this method. */
export class MethodNotAllowed extends Error {
  constructor(
    message: string,
    readonly allowed: readonly string[],
  ) {
    super(message);
  }
}

/** The caller sends more than it may; `retryAfterSeconds` says when to come back. */
export class TooManyRequests extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** The service cannot answer just now. */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Which class of error is which status (decisions.md §4). */
export const STATUS_OF: readonly (readonly [ErrorClass, number])[] = [
  [Rejected, 400],
  [Unauthorized, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MethodNotAllowed, 405],
  [Conflict, 409],
  [KeyReused, 422],
  [TooManyRequests, 429],
  [Unavailable, 503],
];
