import { Random, SEED } from '../random.js';

/**
 * What a stand-in can do wrong. Before: nothing was charged. After: it was charged all the same.
 * The 5xx of `errorBefore` and `errorAfter` is final for its idempotency key, that of `unavailable` is not.
 */
export type Fault =
  /** The connection is closed without an answer. */
  | 'loseBefore'
  | 'loseAfter'
  /** No answer, the connection stays open. */
  | 'silentBefore'
  | 'silentAfter'
  /**
   * The connection is closed, and the request is held on its way: it arrives when `letArrive` of the stand-in is
   * called.
   */
  | 'held'
  /** A TCP reset. */
  | 'resetBefore'
  | 'resetAfter'
  /** 429 with Retry-After. */
  | 'rateLimited'
  /** 503, nothing done. */
  | 'unavailable'
  /** 500. */
  | 'errorBefore'
  | 'errorAfter'
  /** Charged; the answer is no JSON, or half of one. */
  | 'malformed'
  | 'cutShort'
  /** Not decided yet: see `finish` of the stand-in. GatewayOne: processing; GatewayTwo: held for review. */
  | 'undecided';

export type Operation = 'charge' | 'lookUp';

interface Planned<F, O> {
  readonly fault: F;
  readonly operation: O;
  left: number;
}

/** Which requests meet which fault. */
export class Faults<F extends string = Fault, O extends string = Operation> {
  /** How often each fault was met. */
  readonly met = new Map<F, number>();
  private planned: Planned<F, O>[] = [];
  private readonly mixes = new Map<O, { readonly mix: readonly [F, number][]; readonly random: Random }>();

  /** `usual`: the operation that is meant where none is named. `retryAfterSeconds`: what a 429 asks for. */
  constructor(
    private readonly usual: O,
    public retryAfterSeconds = 1,
  ) {}

  /** The next `times` requests of that operation meet `fault`, before anything random. */
  next(fault: F, { times = 1, operation = this.usual }: { times?: number; operation?: O } = {}): void {
    this.planned.push({ fault, operation, left: times });
  }

  /** Every request of that operation meets `fault`, until `none`. */
  always(fault: F, operation: O = this.usual): void {
    this.next(fault, { times: Number.POSITIVE_INFINITY, operation });
  }

  /**
   * Each request of that operation meets one of these with its probability: `{ loseAfter: 0.05, unavailable: 0.1 }`.
   */
  randomly(mix: Partial<Record<F, number>>, seed = SEED, operation: O = this.usual): void {
    this.mixes.set(operation, { mix: Object.entries(mix) as [F, number][], random: new Random(seed) });
  }

  none(): void {
    this.planned = [];
    this.mixes.clear();
  }

  get total(): number {
    return [...this.met.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The fault that a request meets, if any. */
  take(operation: O): F | null {
    const fault = this.pick(operation);
    if (fault) this.met.set(fault, (this.met.get(fault) ?? 0) + 1);
    return fault;
  }

  private pick(operation: O): F | null {
    const planned = this.planned.find((candidate) => candidate.operation === operation);
    if (planned) {
      planned.left -= 1;
      if (planned.left === 0) this.planned = this.planned.filter((candidate) => candidate !== planned);
      return planned.fault;
    }
    const mixed = this.mixes.get(operation);
    if (mixed === undefined) return null;
    let at = mixed.random.next();
    for (const [fault, probability] of mixed.mix) {
      if (at < probability) return fault;
      at -= probability;
    }
    return null;
  }
}
