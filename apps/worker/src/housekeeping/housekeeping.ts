import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPool, isLost, type Logger, type Settings } from '#libs/platform';
import { ClockGuard } from '../guards/clock-guard.js';
import { PUT_BACK } from '../guards/put-back.js';
import type { Chore } from '../guards/row-chore.js';
import { LOG, SETTINGS } from '../tokens.js';
import { deletedKeys } from './deleted-keys.js';
import { expiredDeliveries } from './expired-deliveries.js';
import { expiredEvents } from './expired-events.js';
import { expiredLogins } from './expired-logins.js';
import { expiredTokens } from './expired-tokens.js';
import { LogPartitions } from './log-partitions.js';

const HOUR_MS = 3_600_000;

/**
 * The regular cleaning, at start and every hour: what a wrong clock has put off, log partitions by month, expired
 * events and their webhook deliveries, expired tokens and logins, deleted API keys. A clock that is ahead would delete
 * too early: then nothing is cleaned before it is right.
 */
@Injectable()
export class Housekeeping {
  private readonly chores: readonly Chore[];
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    pool: ConnectionPool,
    @Inject(SETTINGS) { logRetentionMonths, eventRetentionMs }: Settings,
    @Inject(PUT_BACK) putBack: readonly Chore[],
    @Inject(ClockGuard) private readonly clockGuard: Pick<ClockGuard, 'isRight'>,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.chores = [
      ...putBack,
      new LogPartitions(pool, logRetentionMonths, log),
      ...expiredEvents(pool, eventRetentionMs, log),
      expiredTokens(pool, log),
      deletedKeys(pool, log),
      expiredDeliveries(pool, log),
      ...expiredLogins(pool, log),
    ];
  }

  start(): void {
    void this.run();
    this.timer = setInterval(() => void this.run(), HOUR_MS);
    this.timer.unref();
  }

  /** A call during a run is that run. */
  run(): Promise<void> {
    this.running ??= this.runAll().finally(() => (this.running = null));
    return this.running;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer) clearInterval(this.timer);
    for (const chore of this.chores) chore.stop();
    await this.running;
  }

  private async runAll(): Promise<void> {
    try {
      for (const chore of this.chores) {
        if (this.isStopped || !(await this.clockGuard.isRight())) return;
        await chore.run();
      }
    } catch (error) {
      if (!isLost(error)) this.log.warn({ err: error }, 'The housekeeping failed.');
    }
  }
}
