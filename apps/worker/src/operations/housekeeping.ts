import type { Logger, Settings } from '#libs/config';
import type { ConnectionPool } from '#libs/database';
import { deletedKeys } from './deleted-keys.js';
import { expiredDeliveries } from './expired-deliveries.js';
import { expiredEvents } from './expired-events.js';
import { expiredLogins } from './expired-logins.js';
import { expiredTokens } from './expired-tokens.js';
import { LogPartitions } from './log-partitions.js';

/** The regular cleaning: log partitions by month, expired events and their webhook deliveries, expired tokens and logins, deleted API keys. */
export class Housekeeping {
  private readonly parts: readonly { start(): void; stop(): void }[];

  constructor(
    pool: ConnectionPool,
    { logRetentionMonths, eventRetentionMs }: Pick<Settings, 'logRetentionMonths' | 'eventRetentionMs'>,
    log: Logger,
  ) {
    this.parts = [
      new LogPartitions(pool, logRetentionMonths, log),
      ...expiredEvents(pool, eventRetentionMs, log),
      expiredTokens(pool, log),
      deletedKeys(pool, log),
      expiredDeliveries(pool, log),
      ...expiredLogins(pool, log),
    ];
  }

  start(): void {
    for (const part of this.parts) part.start();
  }

  stop(): void {
    for (const part of this.parts) part.stop();
  }
}
