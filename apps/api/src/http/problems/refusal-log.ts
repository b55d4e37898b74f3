import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/platform';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refusals of these routes are warnings: somebody may be guessing passwords. */
    readonly warnOfRefusals?: boolean;
  }
}

/** The most lines of one level per second; the others are counted. */
const MOST_LINES = 50;
const SECOND_MS = 1_000;

/** Lets this many lines per second pass. */
export class LineAllowance {
  private beganMs = -Infinity;
  private passed = 0;
  private leftOut = 0;

  constructor(private readonly most: number) {}

  /** How many lines were left out before this one; null when this one is left out too. */
  take(nowMs: number): number | null {
    if (nowMs - this.beganMs >= SECOND_MS) [this.beganMs, this.passed] = [nowMs, 0];
    if (this.passed >= this.most) {
      this.leftOut++;
      return null;
    }
    this.passed++;
    const { leftOut } = this;
    this.leftOut = 0;
    return leftOut;
  }
}

/**
 * Logs a line for every request that is answered 4xx: its route, its caller, and the request id of the answer. It
 * leaves out bodies, queries and paths, because a caller may have put a credential there. Refused logins are warnings
 * and have a separate limit, so that a flood of other requests does not hide them.
 */
export class RefusalLog {
  private readonly allowances = { info: new LineAllowance(MOST_LINES), warn: new LineAllowance(MOST_LINES) };

  constructor(private readonly log: Logger) {}

  request({ id: requestId, method, routeOptions, user }: FastifyRequest, reply: FastifyReply, status: number): void {
    const { url: route = 'none', config } = routeOptions;
    const caller = user && {
      account: user.userId,
      ...(user.customerId === null ? {} : { customer: user.customerId }),
      ...(user.keyAccess === null ? {} : { apiKey: user.tokenId }),
    };
    const line = { requestId, method, route, status, ms: Math.round(reply.elapsedTime), ...caller };
    if (config.warnOfRefusals === true) this.write('warn', line, 'login refused');
    else this.write('info', line, 'request refused');
  }

  /** Data that never became a request has no method and no route. */
  connection(requestId: string, status: number): void {
    this.write('info', { requestId, status }, 'request refused');
  }

  private write(level: 'info' | 'warn', line: object, message: string): void {
    const leftOut = this.allowances[level].take(performance.now());
    if (leftOut !== null) this.log[level](leftOut === 0 ? line : { ...line, leftOut }, message);
  }
}
