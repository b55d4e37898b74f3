/** One wrong field of a request, as the API names it. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly errors?: readonly Fault[];
}

/** Every answer of the API that is no success (RFC 9457), and also a request that got no answer. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    /** 0: the API did not answer. */
    readonly status: number,
    readonly title: string,
    detail: string,
    readonly faults: readonly Fault[] = [],
    /** To find the request in the log of the API. */
    readonly requestId: string | null = null,
    /** When the request may be repeated, in seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(detail);
  }

  get isSessionLost(): boolean {
    return this.status === 401;
  }

  /** Whether nobody knows if the request was carried out: the same request may be sent again with the same key. */
  get isOutcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

const isProblem = (body: unknown): body is ProblemDetails =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string';

/** The problem that an answer tells of. */
export function problemOf(response: Response, body: unknown): ApiProblem {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const requestId = response.headers.get('x-request-id');
  const [title, detail, errors] = isProblem(body)
    ? [body.title, body.detail, body.errors]
    : [response.statusText || 'Error', `The answer was ${response.status}, without a reason.`, []];
  return new ApiProblem(
    response.status,
    title,
    detail,
    errors,
    requestId,
    Number.isNaN(retryAfter) ? null : retryAfter,
  );
}

/** Whether the API wants the password first (docs/authentication.md). */
export async function isPasswordNeeded(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isProblem(body) && body.type.endsWith('#password-needed');
}

export const passwordNotEntered = (): ApiProblem =>
  new ApiProblem(
    403,
    'Password needed',
    'Nothing was done, for the password was not entered. Try again to be asked for it.',
  );

export const unreachable = (): ApiProblem =>
  new ApiProblem(0, 'No answer', 'The API did not answer. Check the connection, then try again.');

/** Any error as a problem, so that every place shows errors in one way. */
export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem
    ? error
    : new ApiProblem(-1, 'Something went wrong in this page', error instanceof Error ? error.message : String(error));
