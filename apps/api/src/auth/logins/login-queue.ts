import { TooManyRequests, Unavailable } from '../../http/problems/errors.js';

/** How many logins of one account, and of one address, a process checks at once. */
const MOST_AT_ONCE = 5;
export const LONGEST_WAIT_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** Account and address of a login, as in `LoginAttempts`. */
export interface LoginSubjects {
  readonly account: string;
  readonly address: string;
}

interface Waiting {
  readonly subjects: LoginSubjects;
  begin(): void;
}

/** The login has waited for the longest allowed time. */
export const waitedTooLong = () =>
  new TooManyRequests(
    'Too many logins of this account or from this address at once: try again later.',
    RETRY_AFTER_SECONDS,
  );

/**
 * Only a few logins of one account, and from one address, are checked at once. The others wait in order, and delay
 * nobody else. A check is expensive in memory and time on purpose.
 */
export class LoginQueue {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();

  /** @param mostWaiting logins that may wait at once; from one address half of that. */
  constructor(
    private readonly mostWaiting: number,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** @throws TooManyRequests or Unavailable when too many wait already, or when it has waited too long. */
  async run<T>(subjects: LoginSubjects, work: () => Promise<T>): Promise<T> {
    if (this.hasRoom(subjects)) this.enter(subjects);
    else await this.turn(subjects);
    try {
      return await work();
    } finally {
      this.leave(subjects);
    }
  }

  private turn(subjects: LoginSubjects): Promise<void> {
    const ofAddress = [...this.waiting].filter((other) => other.subjects.address === subjects.address).length;
    if (ofAddress >= this.mostWaiting / 2) throw waitedTooLong();
    if (this.waiting.size >= this.mostWaiting) {
      throw new Unavailable('Too many logins are being checked: try again later.', RETRY_AFTER_SECONDS);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(waiting);
        reject(waitedTooLong());
      }, this.longestWaitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const waiting: Waiting = { subjects, begin };
      this.waiting.add(waiting);
    });
  }

  private hasRoom({ account, address }: LoginSubjects): boolean {
    return (this.running.get(account) ?? 0) < MOST_AT_ONCE && (this.running.get(address) ?? 0) < MOST_AT_ONCE;
  }

  private enter({ account, address }: LoginSubjects): void {
    for (const subject of [account, address]) this.running.set(subject, (this.running.get(subject) ?? 0) + 1);
  }

  private leave({ account, address }: LoginSubjects): void {
    for (const subject of [account, address]) {
      const left = this.running.get(subject)! - 1;
      if (left === 0) this.running.delete(subject);
      else this.running.set(subject, left);
    }
    for (const next of this.waiting) {
      if (!this.hasRoom(next.subjects)) continue;
      this.waiting.delete(next);
      this.enter(next.subjects);
      next.begin();
    }
  }
}
