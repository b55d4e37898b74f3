import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '#libs/config';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is refused here is a warning: somebody may be guessing passwords. */
    readonly warnOfRefusals?: boolean;
  }
}

/** Lines of one level that are written in one second; the others are counted. */
const MOST_LINES = 50;
const SECOND_MS = 1_000;

/** Lets so many lines of a second pass. */
export class LineAllowance {
  private beganMs = -Infinity;
  private passed = 0;
  private leftOut = 0;

  constructor(private readonly most: number) {}

  /** How many lines were left out before this one; null when this one is left out, too. */
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
 * A line for every request that is answered 4xx: its route, whose it is, and the request id that the answer has. Bodies, queries and paths as
 * they were sent stay out: a caller may have put a credential there. Refused logins are warnings, and have an allowance of their own, so that a
 * flood of other requests does not hide them.
 */
export class RefusalLog {
  private readonly allowances = { info: new LineAllowance(MOST_LINES), warn: new LineAllowance(MOST_LINES) };

  constructor(private readonly log: Logger) {}

  request({ id: requestId, method, routeOptions, user }: FastifyRequest, reply: FastifyReply, status: number): void {
    const { url: route = 'none', config } = routeOptions;
    const caller = user && {
      account: user.userId,
      ...(user.customerId === null ? {} : { customer: user.customerId }),
    };
    const line = { requestId, method, route, status, ms: Math.round(reply.elapsedTime), ...caller };
    if (config.warnOfRefusals === true) this.write('warn', line, 'login refused');
    else this.write('info', line, 'request refused');
  }

  /** What never became a request has no method and no route. */
  connection(requestId: string, status: number): void {
    this.write('info', { requestId, status }, 'request refused');
  }

  private write(level: 'info' | 'warn', line: object, message: string): void {
    const leftOut = this.allowances[level].take(performance.now());
    if (leftOut !== null) this.log[level](leftOut === 0 ? line : { ...line, leftOut }, message);
  }
}
