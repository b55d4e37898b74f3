import { STATUS_CODES } from 'node:http';
import type { Fault } from '#libs/records';

/**
 * The most faults that an answer lists. With more of them a client must rewrite the request anyway (decisions.md §2).
 */
export const MOST_FAULTS = 100;

/** RFC 9457 problem details (decisions.md §4). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly Fault[];
}

interface Words {
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * What each error means, and what to do. `type` links to a page made from this table, and docs/errors.md says the same.
 */
export const PROBLEMS: Readonly<Record<number, Words>> = {
  400: {
    meaning: 'The request breaks a rule of the interface. `errors` names every field that is wrong, and its bound.',
    remedy: 'Correct the fields named in `errors`, then send the request again.',
  },
  401: {
    meaning:
      'The `Authorization` header is missing or malformed, or its token or API key is unknown, revoked or expired; or a session has ended.',
    remedy:
      'Log in at `POST /api/AccessTokens/Login` and send `Authorization: Basic <TokenAuth>`, or send the value of an API key in its place.',
  },
  403: {
    meaning:
      'The record belongs to another account, or the caller may not do this: a Customer token reaches its own customer only, an API key its own sites.',
    remedy: 'Use a token of the account that owns the record, or a Merchant token where the operation needs one.',
  },
  404: {
    meaning: 'There is no such record, or no such path. A deleted record cannot be restored.',
    remedy: 'Check the id and the path against the documentation at `/docs`.',
  },
  405: {
    meaning: 'The path exists, but it does not take this method.',
    remedy: 'Use one of the methods that the `Allow` header lists.',
  },
  408: {
    meaning: 'The request did not arrive within 30 seconds.',
    remedy: 'Send it again, over a connection that is fast enough.',
  },
  409: {
    meaning:
      'The record changed since it was read, or its state does not allow the request, or a request with the same Idempotency-Key is still in progress.',
    remedy: 'Read the record again, and repeat the request if you still want it.',
  },
  413: { meaning: 'The body is larger than 1 MiB.', remedy: 'Send less at once.' },
  414: { meaning: 'The path is longer than any path of this service.', remedy: 'Check the address.' },
  415: { meaning: 'The body is not JSON.', remedy: 'Send `Content-Type: application/json`.' },
  421: {
    meaning:
      'The request has no `Authorization` and names a host that is none of this API: a web page of somebody else may have led a browser here.',
    remedy: 'Set `ALLOWED_HOSTS`, or `PUBLIC_URL`, to the name that clients use.',
  },
  422: {
    meaning: 'The Idempotency-Key was used before, with another body.',
    remedy: 'Use a new key for a new request; send the same body again to get the first answer.',
  },
  429: {
    meaning:
      'Too many requests of one account or customer, too many calls of an operation that has a limit of its own, or too many failed logins of one account or address.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  431: { meaning: 'The headers are larger than 16 KiB.', remedy: 'Send fewer or shorter headers.' },
  500: {
    meaning: 'Something went wrong in the service. Its log has the request id in `instance`.',
    remedy: 'Repeat the request once; if it fails again, report the request id.',
  },
  503: {
    meaning: 'The service is busy or cannot reach its database.',
    remedy: 'Repeat the request after as many seconds as `Retry-After` says.',
  },
};

/** Errors that a client has to tell from others of their status: they have a type of their own. */
const OWN_PROBLEMS = {
  passwordNeeded: {
    status: 403,
    title: 'Password Needed',
    meaning: 'In a session of a browser this needs the password, entered within the last 10 minutes.',
    remedy: 'Send the password to `POST /api/Session/Confirm`, then send the request again.',
  },
} as const;

/** A status, or an error with a type of its own. */
export type ProblemKind = number | keyof typeof OWN_PROBLEMS;

/** All of them, in the order of docs/errors.md. */
export const PROBLEM_KINDS: readonly ProblemKind[] = [
  ...Object.keys(PROBLEMS).map(Number),
  ...(Object.keys(OWN_PROBLEMS) as (keyof typeof OWN_PROBLEMS)[]),
].sort((a, b) => explained(a).status - explained(b).status);

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** What an error is called and means, and what to do. */
export function explained(kind: ProblemKind): Words & { readonly status: number; readonly title: string } {
  if (typeof kind !== 'number') return OWN_PROBLEMS[kind];
  return { status: kind, title: STATUS_CODES[kind]!, ...PROBLEMS[kind]! };
}

/** `Bad Request` → `bad-request`. */
export const anchorOf = (kind: ProblemKind) => explained(kind).title.toLowerCase().replaceAll(' ', '-');

export function problem(
  baseUrl: string,
  kind: ProblemKind,
  detail: string,
  instance: string,
  errors?: readonly Fault[],
): Problem {
  const { status, title } = explained(kind);
  const type = `${baseUrl}/docs/errors#${anchorOf(kind)}`;
  return { type, title, status, detail, instance, ...(errors === undefined ? {} : { errors }) };
}

/** The `detail` of a request with these faults. */
export function detailOf(faults: readonly Fault[]): string {
  const [first] = faults;
  if (first !== undefined && faults.length === 1)
    return first.field === '' ? first.message : `${first.field}: ${first.message}`;
  if (faults.length > MOST_FAULTS) return `errors lists the first ${MOST_FAULTS} faults; the rest was not checked.`;
  return `${faults.length} fields of the request are wrong; errors says how.`;
}
