import { Inject, Injectable } from '@nestjs/common';
import type { PaymentGateway } from '#libs/gateways';
import type { Logger } from '#libs/platform';
import { DatabaseClock } from '../database/clock.js';
import { Metrics } from '../metrics/metrics.js';
import { LOG } from '../tokens.js';

/** A larger difference is a warning: a clock is wrong. */
const WARN_MS = 5 * 60_000;
/**
 * With a larger difference nothing is sent. A look-up begins 48 hours before the charge by the gateway's own clock. So
 * it finds a charge even when a clock was changed by this much in the meantime.
 */
const TOO_FAR_MS = 24 * 3_600_000;

/** While the clocks are too far apart, charges ask the gateway for its time, but not more often than this. */
const ASK_AGAIN_MS = 1_000;

/** A gateway, as far as it shows its time: by the `Date` of any answer. */
type Dated = Pick<PaymentGateway, 'verify'>;

/** A time of a gateway, and when it was seen by the monotonic clock. */
interface Seen {
  readonly gatewayMs: number;
  readonly at: number;
}

/** How far the gateways' clocks (the `Date` of their answers) are from the database's. */
@Injectable()
export class GatewayClocks {
  private readonly seen = new Map<number, Seen>();
  /** Integrations whose gateway's clock differs by more than the limit for a warning. */
  private readonly apart = new Map<number, number>();
  private readonly asking = new Map<number, Promise<boolean>>();
  private readonly readAt = new Map<number, number>();

  constructor(
    private readonly clock: DatabaseClock,
    private readonly metrics: Metrics,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  saw(paymentIntegrationId: number, gatewayUtc: Date): void {
    this.seen.set(paymentIntegrationId, { gatewayMs: gatewayUtc.getTime(), at: performance.now() });
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
    const presentMs = this.presentMs(paymentIntegrationId);
    return presentMs !== null && Math.abs(presentMs - this.clock.now().getTime()) > TOO_FAR_MS;
  }

  /** Asks a gateway that was too far for its time, now and then: its clock may have been put right. */
  async askAgain(paymentIntegrationId: number, gateway: Dated): Promise<void> {
    const readAt = this.readAt.get(paymentIntegrationId) ?? -Infinity;
    if (this.isTooFar(paymentIntegrationId) && performance.now() - readAt > ASK_AGAIN_MS)
      await this.ask(paymentIntegrationId, gateway);
  }

  /**
   * Whether the gateway surely still recognises what was first sent at `startedUtc` by the database's clock, if it
   * remembers it for so long. The gateway is asked for its time: no clock of ours counts the time in which its machine
   * was suspended.
   */
  async isWithin(memoryMs: number, startedUtc: Date, paymentIntegrationId: number, gateway: Dated): Promise<boolean> {
    if (!(await this.ask(paymentIntegrationId, gateway)) || this.isTooFar(paymentIntegrationId)) return false;
    const presentMs = this.presentMs(paymentIntegrationId) ?? this.clock.now().getTime();
    return presentMs - startedUtc.getTime() < memoryMs;
  }

  /** The time that a gateway answers now. `none`: it dates no answers. */
  async askTime(paymentIntegrationId: number, gateway: Dated): Promise<number | 'none' | 'silent'> {
    const before = this.seen.get(paymentIntegrationId);
    if (!(await this.ask(paymentIntegrationId, gateway))) return 'silent';
    const isDated = this.seen.get(paymentIntegrationId) !== before;
    return isDated ? this.presentMs(paymentIntegrationId)! : 'none';
  }

  /**
   * Questions that come together are one. @returns whether it answered. Answers without a `Date` leave the database's
   * clock alone to judge by.
   */
  private ask(paymentIntegrationId: number, gateway: Dated): Promise<boolean> {
    let asking = this.asking.get(paymentIntegrationId);
    if (!asking) {
      asking = this.askNow(paymentIntegrationId, gateway).finally(() => this.asking.delete(paymentIntegrationId));
      this.asking.set(paymentIntegrationId, asking);
    }
    return asking;
  }

  private async askNow(paymentIntegrationId: number, gateway: Dated): Promise<boolean> {
    const before = this.seen.get(paymentIntegrationId);
    const { verified } = await gateway.verify();
    this.readAt.set(paymentIntegrationId, performance.now());
    return verified || this.seen.get(paymentIntegrationId) !== before;
  }

  private presentMs(paymentIntegrationId: number): number | null {
    const seen = this.seen.get(paymentIntegrationId);
    return seen === undefined ? null : seen.gatewayMs + performance.now() - seen.at;
  }
}

const further = (one: number, other: number): number => (Math.abs(one) > Math.abs(other) ? one : other);
