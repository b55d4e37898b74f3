import type { Logger } from '#libs/config';
import type { DatabaseClock } from '../database/clock.js';
import type { Metrics } from './metrics.js';

/** A larger difference is a warning: a clock is wrong. */
const WARN_MS = 5 * 60_000;
/**
 * With a larger difference nothing is sent. A look-up begins 48 hours before the charge by the gateway's own clock. So it finds a charge even when a
 * clock was changed by this much in the meantime.
 */
const TOO_FAR_MS = 24 * 3_600_000;

/** How far the gateways' clocks (the `Date` of their answers) are from the database's. */
export class GatewayClocks {
  /** Integrations whose gateway's clock differs by more than the limit for a warning. */
  private readonly apart = new Map<number, number>();

  constructor(
    private readonly clock: DatabaseClock,
    private readonly metrics: Metrics,
    private readonly log: Logger,
  ) {}

  saw(paymentIntegrationId: number, gatewayUtc: Date): void {
    const skewMs = gatewayUtc.getTime() - this.clock.now().getTime();
    const wasApart = this.apart.has(paymentIntegrationId);
    if (Math.abs(skewMs) < WARN_MS) this.apart.delete(paymentIntegrationId);
    else this.apart.set(paymentIntegrationId, skewMs);
    this.metrics.setClockSkew([...this.apart.values()].reduce(further, skewMs) / 1_000);
    if (this.apart.has(paymentIntegrationId) && !wasApart)
      this.log.warn(
        { paymentIntegrationId, skewSeconds: Math.round(skewMs / 1_000) },
        "A payment gateway's clock and the database's are minutes apart: set the clock of the database's server.",
      );
  }

  /** Whether nothing may be sent to this gateway before the clocks are right. */
  isTooFar(paymentIntegrationId: number): boolean {
    return Math.abs(this.apart.get(paymentIntegrationId) ?? 0) > TOO_FAR_MS;
  }
}

const further = (one: number, other: number): number => (Math.abs(one) > Math.abs(other) ? one : other);
