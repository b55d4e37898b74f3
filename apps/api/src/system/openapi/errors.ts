import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { anchorOf, explained, type ProblemKind, PROBLEMS } from '../../http/problems/problem.js';

/** `Not Found` → `NotFound`. */
const nameOf = (status: number) => STATUS_CODES[status]!.replaceAll(' ', '');

const text = { schema: { type: 'string' as const } };
const RETRY_AFTER = { 'Retry-After': { description: 'Seconds until the next try.', ...text } };

const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { description: 'The scheme: `Basic`.', ...text } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const DETAILS: Readonly<Record<number, string>> = {
  400: 'Frequency: 32 must be an integer from 1 to 31.',
  401: 'The presented token is malformed, unknown, revoked or expired: log in again.',
  403: 'Customer 7 belongs to another account.',
  404: 'There is no ScheduledOrder 42.',
  409: 'The order is Paused. Set its Status to Active before you process it.',
};

/** An example of an error answer. */
export function exampleOf(kind: ProblemKind): object {
  const { status, title, meaning, remedy } = explained(kind);
  const detail = (typeof kind === 'number' ? DETAILS[kind] : undefined) ?? `${meaning} ${remedy}`;
  const [field, message] = detail.split(/: (.*)/s);
  return {
    type: `/docs/errors#${anchorOf(kind)}`,
    title,
    status,
    detail,
    instance: '1c637cb8-0511-4164-8fc9-6d969f12260f',
    ...(status === 400 ? { errors: [{ field, message }] } : {}),
  };
}

function responseOf(status: number): object {
  const { meaning, remedy } = PROBLEMS[status]!;
  return {
    description: `${meaning} ${remedy} [Example](/docs/errors#${anchorOf(status)})`,
    ...(HEADERS[status] === undefined ? {} : { headers: HEADERS[status] }),
    content: {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: exampleOf(status) },
    },
  };
}

/** An error is described once, however many operations have it. */
export function shareErrors(document: OpenAPIObject): void {
  const used = new Set<number>();
  for (const item of Object.values(document.paths)) {
    for (const { responses } of Object.values(item) as { responses: Record<string, object> }[]) {
      for (const status of Object.keys(responses).map(Number)) {
        if (status < 400) continue;
        used.add(status);
        responses[status] = { $ref: `#/components/responses/${nameOf(status)}` };
      }
    }
  }
  const shared = [...used].sort().map((status) => [nameOf(status), responseOf(status)] as const);
  document.components = { ...document.components, responses: Object.fromEntries(shared) as never };
}
