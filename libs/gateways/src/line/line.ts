import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleType,
} from 'cockatiel';
import pLimit, { type LimitFunction } from 'p-limit';
import type { LineOptions } from '../options.js';
import { AnswerLost, type Connections, exchange, NotSent, type WireAnswer, type WireRequest } from './exchange.js';
import { retryAfterMs } from './retry-after.js';

const SHORTEST_SECRET = 8;

/** Nothing was sent, by our own decision: the line is held for a while. */
export class Held extends Error {
  override readonly name = 'Held';

  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/**
 * The way from one integration to its gateway: bounded in what is under way at once, held by a breaker while the gateway
 * does not answer, and held while the gateway asks for a rest (429). What is held is not sent.
 */
export class Line {
  private readonly limit: LimitFunction;
  private readonly breaker: CircuitBreakerPolicy;
  private brokenUntil = 0;
  private restingUntil = 0;
  private closed = false;

  /** `secret`: never part of what an answer is taken to say (gateways repeat a key that they find malformed). */
  constructor(
    private readonly connections: Connections,
    private readonly options: LineOptions,
    private readonly secret: string | null,
  ) {
    this.limit = pLimit(options.concurrency);
    this.breaker = circuitBreaker(
      handleType(NotSent)
        .orType(AnswerLost)
        .orWhenResult((answer) => (answer as WireAnswer).status >= 500),
      { halfOpenAfter: options.breakerOpenMs, breaker: new ConsecutiveBreaker(options.breakerThreshold) },
    );
    this.breaker.onBreak(() => {
      this.brokenUntil = performance.now() + options.breakerOpenMs;
      options.onBreaker('open');
    });
    this.breaker.onReset(() => options.onBreaker('closed'));
  }

  /** Whether nothing is queued or under way. */
  get idle(): boolean {
    return this.limit.activeCount + this.limit.pendingCount === 0;
  }

  /**
   * Sends when its turn comes; the time-outs count from then.
   * @throws Held (not sent), NotSent, AnswerLost
   */
  send(request: WireRequest): Promise<WireAnswer> {
    return this.limit(() => this.dispatch(request));
  }

  /** What is queued is held from now on; what is under way is finished. */
  close(): void {
    this.closed = true;
  }

  private async dispatch(request: WireRequest): Promise<WireAnswer> {
    if (this.closed) throw new Held('The service is stopping.', 0);
    const rest = this.restingUntil - performance.now();
    if (rest > 0) throw new Held('The gateway asked for a rest.', Math.ceil(rest));
    if (request.maySend?.() === false) throw new Held('It may not be sent any more.', 0);
    try {
      const answer = await this.breaker.execute(() => exchange(this.connections, request, this.options));
      if (answer.status === 429) this.restingUntil = performance.now() + retryAfterMs(answer.headers['retry-after']);
      return this.redacted(answer);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      const wait = Math.max(1, Math.ceil(this.brokenUntil - performance.now()));
      throw new Held('The gateway has not been answering.', wait);
    }
  }

  /** A secret too short to be one would be found in any text. */
  private redacted(answer: WireAnswer): WireAnswer {
    const { secret } = this;
    if (!secret || secret.length < SHORTEST_SECRET || !answer.body.includes(secret)) return answer;
    return { ...answer, body: answer.body.replaceAll(secret, '[redacted]') };
  }
}
