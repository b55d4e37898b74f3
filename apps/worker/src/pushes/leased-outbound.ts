import type { Outbound, OutboundAnswer, OutboundRequest } from '#libs/platform';

/** More than one request takes. */
const BEFORE_THE_END_MS = 30_000;

/**
 * Begins no request that the lease may not outlast: by then another worker may have the push. (A worker may have been
 * frozen, or a shop so slow that reading its products took minutes.) Time is this machine's monotonic clock, read
 * before the lease was asked for.
 */
export class LeasedOutbound implements Outbound {
  private endsAt = -Infinity;

  constructor(
    private readonly outbound: Outbound,
    private readonly leaseMs: number,
  ) {}

  /** The lease was renewed by a statement that was sent at this time. */
  renewed(sentAt: number): void {
    this.endsAt = sentAt + this.leaseMs;
  }

  send(request: OutboundRequest): Promise<OutboundAnswer> {
    if (performance.now() < this.endsAt - BEFORE_THE_END_MS) return this.outbound.send(request);
    return Promise.resolve({
      isSent: false,
      status: null,
      headers: {},
      milliseconds: 0,
      reply: Buffer.alloc(0),
      excerpt: null,
      error: 'The shop took too long for what had to be read before.',
    });
  }
}
