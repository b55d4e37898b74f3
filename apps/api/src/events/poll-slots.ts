import type { Settings } from '#libs/config';
import { Unavailable } from '../http/errors.js';

const RETRY_AFTER_SECONDS = 5;

/** Bounds the requests that wait for events: of one process, and of one account. */
export class PollSlots {
  private taken = 0;
  private readonly takenOf = new Map<number, number>();

  constructor(private readonly settings: Pick<Settings, 'maxEventPolls' | 'maxEventPollsPerAccount'>) {}

  /**
   * @returns a function that gives the slot back.
   * @throws Unavailable when as many wait as may.
   */
  take(userId: number): () => void {
    const { maxEventPolls, maxEventPollsPerAccount } = this.settings;
    const own = this.takenOf.get(userId) ?? 0;
    if (own >= maxEventPollsPerAccount) throw tooMany(`${own} requests of this account wait for events`);
    if (this.taken >= maxEventPolls) throw tooMany(`${this.taken} requests wait for events`);
    this.taken++;
    this.takenOf.set(userId, own + 1);
    return () => this.giveBack(userId);
  }

  private giveBack(userId: number): void {
    this.taken--;
    const left = this.takenOf.get(userId)! - 1;
    if (left === 0) this.takenOf.delete(userId);
    else this.takenOf.set(userId, left);
  }
}

const tooMany = (reason: string) =>
  new Unavailable(
    `${reason} already: let one reader wait, or ask again later without WaitSeconds.`,
    RETRY_AFTER_SECONDS,
  );
