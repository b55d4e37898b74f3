import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { activeTracing, type Logger } from '#libs/platform';
import { type Fault, PasswordNeeded, Rejected } from '#libs/records';
import { isOfConsole } from '../caller.js';
import { DatabaseCauses, problemOfDatabase } from './database-problems.js';
import { MethodNotAllowed, STATUS_OF, TooManyRequests, Unauthorized, Unavailable } from './errors.js';
import { detailOf, MOST_FAULTS, problem, PROBLEM_TYPE, PROBLEMS } from './problem.js';
import type { RefusalLog } from './refusal-log.js';

/** Turns every thrown error into problem details (decisions.md §4): the only place that knows statuses of errors. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly causes: DatabaseCauses;

  constructor(
    private readonly log: Logger,
    private readonly refusals: RefusalLog,
    private readonly baseUrl: string,
  ) {
    this.causes = new DatabaseCauses(log);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = problemOfDatabase(thrown) ?? thrown;
    const status = statusOf(error);
    this.report(thrown, error, status, request);
    if (status < 500) this.refusals.request(request, reply, status);
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (error instanceof Unauthorized) void reply.header('www-authenticate', challenge(request));
    if (error instanceof MethodNotAllowed) void reply.header('allow', error.allowed.join(', '));
    if (error instanceof TooManyRequests || error instanceof Unavailable) {
      void reply.header('retry-after', String(error.retryAfterSeconds));
    }
    const { detail, errors } = wordsOf(error, status);
    // Also for requests that never reach the hooks, such as an address that cannot be read.
    void reply
      .status(status)
      .header('content-type', PROBLEM_TYPE)
      .header('cache-control', 'no-store')
      .header('x-request-id', request.id);
    const kind = error instanceof PasswordNeeded ? 'passwordNeeded' : status;
    void reply.send(JSON.stringify(problem(this.baseUrl, kind, detail, request.id, errors)));
  }

  /** Logs what an operator must know: bugs with all details, temporary problems in one sentence. */
  private report(thrown: unknown, error: unknown, status: number, request: FastifyRequest): void {
    const { id: requestId, method, url } = request;
    if (status >= 500) activeTracing()?.thrown(thrown);
    if (error instanceof Unavailable && error !== thrown) this.causes.tell(thrown);
    if (error instanceof Unavailable) this.log.warn({ requestId, method, url }, error.message);
    else if (status >= 500) this.log.error({ err: thrown, requestId, method, url }, 'request failed');
  }
}

/**
 * A page in a browser must not get `Basic`, because the browser would show its login dialog over Swagger UI or the
 * console.
 */
const challenge = ({ headers }: FastifyRequest) =>
  `${headers['sec-fetch-site'] === undefined && !isOfConsole(headers) ? 'Basic' : 'AccessToken'} realm="Scheduled Orders", charset="UTF-8"`;

function statusOf(error: unknown): number {
  const known = STATUS_OF.find(([type]) => error instanceof type);
  if (known !== undefined) return known[1];
  const status = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  return PROBLEMS[status] === undefined ? (status >= 400 && status < 500 ? 400 : 500) : status;
}

/** Fastify's own errors (malformed JSON, too large a body) have their status. */
const statusCodeOf = (error: unknown) =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;

function wordsOf(error: unknown, status: number): { detail: string; errors?: readonly Fault[] } {
  if (error instanceof Rejected) {
    return { detail: detailOf(error.faults), errors: error.faults.slice(0, MOST_FAULTS) };
  }
  if (status === 400) return { detail: `The request cannot be read: ${sentence(error)}`, errors: [] };
  const ours = STATUS_OF.some(([type]) => error instanceof type);
  if (ours && error instanceof Error) return { detail: error.message };
  if (status === 404) return { detail: 'There is no such path: see /docs.' };
  return { detail: `${PROBLEMS[status]!.meaning} ${PROBLEMS[status]!.remedy}` };
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : 'it is malformed';
  return message.endsWith('.') ? message : `${message}.`;
}
