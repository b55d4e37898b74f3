import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type IBackoff,
} from 'cockatiel';
import pLimit, { type LimitFunction } from 'p-limit';
import { activeTracing } from '#libs/platform';
import type { ThrottleOptions } from '../options.js';
import { answerOf, callOperation } from './call-operation.js';
import { timed } from './call-outcome.js';
import {
  AnswerLost,
  CalledOff,
  type Connections,
  exchange,
  NotSent,
  type WireAnswer,
  type WireRequest,
} from './exchange.js';
import { GatewayClock } from './gateway-clock.js';
import { mayGoOn } from './may-go-on.js';
import { restMs } from './retry-after.js';

const SHORTEST_SECRET = 8;
/** With a shorter wait, cycles would be claimed and released again and again. */
const SHORTEST_HOLD_MS = 1_000;

/** Nothing was sent, because this client decided to wait. */
export class CallDeferred extends Error {
  override readonly name = 'CallDeferred';

  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/**
 * Sends one integration's calls to its gateway. It limits the calls in flight, has a circuit breaker for a gateway that
 * does not answer, and waits when the gateway asks for it (429). While it waits, nothing is sent.
 */
export class ThrottledClient {
  readonly clock: GatewayClock;
  private readonly limit: LimitFunction;
  private readonly breaker: CircuitBreakerPolicy;
  private brokenUntil = 0;
  private restingUntil = 0;
  private closed = false;
  private reported: 'open' | 'closed' = 'closed';
  private forgotten = false;

  /** `secret`: removed from the texts of answers (gateways repeat a key of the wrong form). */
  constructor(
    private readonly connections: Connections,
    private readonly options: ThrottleOptions,
    private readonly secret: string | null,
  ) {
    this.clock = new GatewayClock(options.onDate);
    this.limit = pLimit(options.concurrency);
    this.breaker = circuitBreaker(
      handleWhen((error) => this.isFailure(error)).orWhenResult((answer) => (answer as WireAnswer).status >= 500),
      { halfOpenAfter: this.pause(), breaker: new ConsecutiveBreaker(options.breakerThreshold) },
    );
    this.breaker.onBreak(() => {
      this.brokenUntil = performance.now() + options.breakerOpenMs;
      this.tell('open');
    });
    this.breaker.onReset(() => this.tell('closed'));
  }

  /** Whether nothing is queued or in flight. */
  get idle(): boolean {
    return this.limit.activeCount + this.limit.pendingCount === 0;
  }

  /**
   * Sends when its turn has come. The time-outs begin then.
   * @throws CallDeferred (not sent), NotSent, AnswerLost
   */
  send(request: WireRequest): Promise<WireAnswer> {
    return this.limit(() => this.dispatch(request));
  }

  /** Queued calls are not sent from now on. Calls in flight are finished. */
  close(): void {
    this.closed = true;
  }

  /** It is no longer in use: its breaker is no longer reported and counts as closed. */
  forget(): void {
    this.tell('closed');
    this.forgotten = true;
  }

  /** A call that was called off says nothing about the gateway: it neither opens nor closes the breaker. */
  private isFailure(error: Error): boolean {
    if (error instanceof CalledOff) return this.breaker.state === CircuitState.HalfOpen;
    return error instanceof NotSent || error instanceof AnswerLost;
  }

  private tell(state: 'open' | 'closed'): void {
    if (this.forgotten || state === this.reported) return;
    this.reported = state;
    this.options.onBreaker(state);
  }

  /** It uses the monotonic clock: cockatiel uses the wall clock, which may be set back. */
  private pause(): IBackoff<unknown> {
    const isOver = () => performance.now() >= this.brokenUntil;
    const pause: IBackoff<unknown> = {
      get duration() {
        return isOver() ? -Infinity : Infinity;
      },
      next: () => pause,
    };
    return pause;
  }

  private async dispatch(request: WireRequest): Promise<WireAnswer> {
    if (this.closed) throw new CallDeferred('The service is stopping.', 0);
    if (performance.now() < this.restingUntil)
      throw new CallDeferred('The gateway asked to wait.', holdUntil(this.restingUntil));
    const mayGo = mayGoOn(request.maySend, this.options.timeoutMs);
    if (!(typeof mayGo === 'boolean' ? mayGo : await mayGo)) throw unwanted();
    try {
      const answer = await this.breaker.execute(() => this.exchanged(request));
      this.clock.see(answer.headers.date);
      if (answer.status === 429) this.restingUntil = performance.now() + restMs(answer.headers['retry-after']);
      return this.redacted(answer);
    } catch (error) {
      if (error instanceof CalledOff) throw unwanted();
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new CallDeferred('The gateway has not been answering.', holdUntil(this.brokenUntil));
    }
  }

  private exchanged(request: WireRequest): Promise<WireAnswer> {
    const work = () => timed(exchange(this.connections, request, this.options), this.options.onCall);
    const tracing = activeTracing();
    return tracing === null ? work() : tracing.operation(() => callOperation(request), work, answerOf);
  }

  /** A secret that is too short would be found in any text. */
  private redacted(answer: WireAnswer): WireAnswer {
    const { secret } = this;
    if (!secret || secret.length < SHORTEST_SECRET || !answer.body.includes(secret)) return answer;
    return { ...answer, body: answer.body.replaceAll(secret, '[redacted]') };
  }
}

const unwanted = () => new CallDeferred('It may no longer be sent.', 0);

/** Milliseconds until a time of the monotonic clock. */
function holdUntil(time: number): number {
  return Math.max(SHORTEST_HOLD_MS, Math.ceil(time - performance.now()));
}
