import { createParamDecorator, type PipeTransform } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OUTWARD_TYPES, typesMatching } from '#libs/events';
import { nearest } from '#libs/platform';
import { onMethod } from '../http/parameters/parameters.js';
import { type Query, QueryReader } from '../http/query/index.js';
import { QueryParameter, shownParameter } from '../http/query/query-parameter.js';

const [MOST_EVENTS, USUAL_EVENTS] = [500, 100];
const LONGEST_WAIT_SECONDS = 25;
const MOST_TYPES = 50;

/** What was asked of the event feed, and the request that waits for it. */
export interface EventQuery {
  readonly after: number;
  /** Null: all sites that count. */
  readonly siteId: number | null;
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly limit: number;
  readonly waitMs: number;
  readonly path: string;
  /** `Types` as it was sent, for the link to what follows. */
  readonly sentTypes: string | null;
  readonly reply: FastifyReply;
}

interface Sent {
  readonly query: Query;
  readonly path: string;
  readonly reply: FastifyReply;
}

class EventQueryPipe implements PipeTransform<Sent, EventQuery> {
  /** @throws Rejected with every parameter that is wrong. */
  transform({ query, path, reply }: Sent): EventQuery {
    const reader = new QueryReader(query);
    const read = {
      after: reader.integer('After', 0, Number.MAX_SAFE_INTEGER) ?? 0,
      siteId: reader.id('SiteId'),
      limit: reader.integer('limit', 1, MOST_EVENTS) ?? USUAL_EVENTS,
      waitMs: (reader.integer('WaitSeconds', 0, LONGEST_WAIT_SECONDS) ?? 0) * 1_000,
      types: typesOf(query.Types, reader),
    };
    reader.end();
    return { ...read, path, sentTypes: read.types === null ? null : (query.Types as string), reply };
  }
}

/** The types that the patterns mean, each once. */
function typesOf(sent: unknown, reader: QueryReader): readonly string[] | null {
  if (sent === undefined) return null;
  if (typeof sent !== 'string') return reader.refuse('Types', 'must be sent once, with its types separated by commas.');
  const names = sent.split(',').map((name) => name.trim());
  if (names.length > MOST_TYPES) {
    return reader.refuse(
      'Types',
      `${names.length} types are too many: send at most ${MOST_TYPES}, or prefixes such as order.*.`,
    );
  }
  return [...new Set(names.flatMap((name) => matching(name, reader)))];
}

function matching(name: string, reader: QueryReader): readonly string[] {
  const found = typesMatching(name);
  if (found.length > 0) return found;
  const meant = nearest(name, OUTWARD_TYPES);
  const hint = meant === undefined ? ' docs/events.md lists them.' : ` Did you mean ${meant}?`;
  reader.refuse(
    'Types',
    `${shownParameter(name)} must be a type of event, or a prefix such as scheduled_order.*.${hint}`,
  );
  return [];
}

const sentRequest = createParamDecorator((_: unknown, context): Sent => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const reply = context.switchToHttp().getResponse<FastifyReply>();
  return { query: request.query as Query, path: request.url.split('?')[0]!, reply };
});

const PARAMETERS = [
  {
    name: 'After',
    description:
      'The highest Sequence that was read before; only later events are answered. 0 unless given: from the oldest one kept.',
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  },
  {
    name: 'SiteId',
    description: 'Only this site; a site with a test clock is not among the others. All sites unless given.',
    schema: { type: 'integer', format: 'int64', minimum: 1, example: 1 },
  },
  {
    name: 'Types',
    description:
      'Only these types, separated by commas; `scheduled_order.*` means all that begin so. All unless given.',
    schema: { type: 'string', maxLength: 2_000, example: 'scheduled_order.*,order.created' },
  },
  {
    name: 'limit',
    description: 'How many, at most.',
    schema: { type: 'integer', minimum: 1, maximum: MOST_EVENTS, default: USUAL_EVENTS },
  },
  {
    name: 'WaitSeconds',
    description: 'How long to wait for an event when there is none yet; then the answer is an empty array.',
    schema: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT_SECONDS, default: 0 },
  },
] as const;

/** The query of the event feed. */
export const EventParameters = (): ParameterDecorator => (target, key, index) => {
  sentRequest(new EventQueryPipe())(target, key, index);
  for (const parameter of [...PARAMETERS].reverse()) onMethod(QueryParameter(parameter), target, key);
};
