import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/platform';
import { Database } from '#libs/records';
import { SETTINGS } from '../../http/tokens.js';
import { type BegunLogin, lockedOut, LoginAttempts, subjectsOf } from './login-attempts.js';
import { LoginQueue, LONGEST_WAIT_MS, waitedTooLong } from './login-queue.js';

/** About how long a login waits for the checks of other processes before it looks again. */
const LOOK_MS = 50;

/**
 * Limits failed logins per account and per address, over all processes together. Successful logins are not limited
 * (decisions.md §3).
 */
@Injectable()
export class LoginLimits {
  private readonly queue: LoginQueue;
  private readonly attempts: LoginAttempts;

  constructor(database: Database, @Inject(SETTINGS) settings: Settings) {
    this.attempts = new LoginAttempts(database);
    this.queue = new LoginQueue(Math.max(2, Math.floor(settings.maxRequestsInFlight / 2)));
  }

  /**
   * Runs `check`, which returns null when the login failed. With `mayPass` false it takes the same time and always
   * fails. A login only counts as failed after its check. So that many parallel logins are not more guesses than the
   * limit, logins wait while the running checks could fill it.
   *
   * A locked account is checked once in 10 seconds per address. The login succeeds when the address is known and the
   * password is right. All other logins get the same answer, whether or not the account exists and the address is
   * known.
   * @throws TooManyRequests when the account or the address has failed too often, or has too many running logins.
   */
  attempt<T>(email: string, address: string, check: (mayPass: boolean) => Promise<T | null>): Promise<T | null> {
    const untilMs = performance.now() + LONGEST_WAIT_MS;
    return this.queue.run(subjectsOf(email, address), async () => {
      const begun = await this.begin(email, address, untilMs);
      const result = await this.checked(begun, () => check(begun.mayPass));
      if (result === null && begun.lockedSeconds !== null) throw lockedOut(begun.lockedSeconds);
      return result;
    });
  }

  private async begin(email: string, address: string, untilMs: number): Promise<BegunLogin> {
    for (;;) {
      const begun = await this.attempts.begin(email, address);
      if (begun !== null) return begun;
      if (performance.now() > untilMs) throw waitedTooLong();
      await pause(LOOK_MS * (0.5 + Math.random()));
    }
  }

  /** A login without an answer about its password is not a guess. */
  private async checked<T>(begun: BegunLogin, check: () => Promise<T | null>): Promise<T | null> {
    let result: T | null;
    try {
      result = await check();
    } catch (error) {
      await this.attempts.notFailed(begun).catch(() => undefined); // the error that led here tells more
      throw error;
    }
    await (result === null ? this.attempts.failed(begun) : this.attempts.notFailed(begun));
    return result;
  }
}
