import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/config';
import { Database } from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { type BegunLogin, lockedOut, LoginAttempts, subjectsOf } from './login-attempts.js';
import { LoginQueue, LONGEST_WAIT_MS, waitedTooLong } from './login-queue.js';

/** How long a login waits for the checks of other processes before it looks again, roughly. */
const LOOK_MS = 50;

/** Failed logins are limited per account and per address, over all processes together; logins that are right are not (decisions.md §3). */
@Injectable()
export class LoginLimits {
  private readonly queue: LoginQueue;
  private readonly attempts: LoginAttempts;

  constructor(database: Database, @Inject(SETTINGS) settings: Settings) {
    this.attempts = new LoginAttempts(database);
    this.queue = new LoginQueue(Math.max(2, Math.floor(settings.maxRequestsInFlight / 2)));
  }

  /**
   * Runs `check`, which gives null when the login failed; with `mayPass` false it costs the same, and fails whatever the password is. A login
   * has failed when it has been checked, but a hundred at once are no more guesses than the limit: while those under way could fill it, the
   * others wait.
   *
   * A locked account is checked once in 10 seconds from an address, and passes when the address is known and the password right. Whatever else
   * comes gets the same answer, be the account real or not, the address known or not.
   * @throws TooManyRequests when the account or the address has failed too often, or has too many logins under way.
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

  /** Who got no answer about a password has not guessed. */
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
