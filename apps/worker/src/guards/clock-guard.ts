import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPool, type Logger } from '#libs/platform';
import { DatabaseClock } from '../database/clock.js';
import { GatewayTime } from '../gateways/gateway-time.js';
import { LOG } from '../tokens.js';
import { PUT_BACK } from './put-back.js';
import type { Chore } from './row-chore.js';

/**
 * A gateway's date that is no further away confirms the database's clock. An order may be charged so much early at
 * most.
 */
const AGREES_MS = 3_600_000;
/** Where no gateway tells a time, a clock that has been steady for so long is believed. */
const STEADY_MS = 60_000;
const ASK_AGAIN_MS = 5_000;

/**
 * After a jump of the database's clock, and at the start where it is far from this machine's, a gateway's date decides
 * whether it is right now. Until then nothing is claimed, sent or written: what a wrong clock made due would be charged
 * early. Before anything else, what it put off is put back.
 */
@Injectable()
export class ClockGuard {
  private readAt = -Infinity;
  /** The latest look could not find the clock right, and the log has said so. */
  isWaiting = false;
  /** The jumps after which everything was put back; -1: not even at the start. */
  private putBackAfter = -1;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly clock: DatabaseClock,
    private readonly gatewayTime: GatewayTime,
    @Inject(LOG) private readonly log: Logger,
    @Inject(PUT_BACK) private readonly putBack: readonly Chore[],
  ) {}

  async isRight(): Promise<boolean> {
    await this.clock.read(this.pool);
    if (!this.clock.isBelieved && performance.now() - this.readAt >= ASK_AGAIN_MS) await this.ask();
    const isRight = this.clock.isBelieved;
    if (isRight && this.isWaiting) this.log.info("The database's clock is right: charging goes on.");
    if (!isRight && !this.isWaiting)
      this.log.warn(
        "The database's clock has jumped, or is hours from this machine's: nothing is charged before a payment gateway's date agrees with it. Set both clocks right, and look whether the payment gateways can be reached.",
      );
    this.isWaiting = !isRight;
    if (isRight) await this.putBackOnce();
    return isRight;
  }

  /** At the start, too: the clock may have been wrong before. */
  private async putBackOnce(): Promise<void> {
    const { jumps } = this.clock;
    if (this.putBackAfter === jumps) return;
    for (const chore of this.putBack) await chore.run();
    this.putBackAfter = jumps;
  }

  private async ask(): Promise<void> {
    this.readAt = performance.now();
    const gatewayMs = await this.gatewayTime.nowMs();
    if (gatewayMs === 'silent') return;
    const isRight =
      gatewayMs === 'none' ? this.clock.steadyMs >= STEADY_MS : Math.abs(gatewayMs - this.clock.shownMs) <= AGREES_MS;
    if (isRight) this.clock.believe();
  }
}
