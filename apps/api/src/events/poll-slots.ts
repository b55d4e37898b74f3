import type { Settings } from '#libs/config';
import { Unavailable } from '../http/errors.js';
import { type Owner, ownerOf } from '../http/owner.js';

const RETRY_AFTER_SECONDS = 5;

/** Bounds the requests that wait for events: of one process, and of one account, or one API key: the readers of an account do not take each other's. */
export class PollSlots {
  private taken = 0;
  private readonly takenOf = new Map<string, number>();

  constructor(private readonly settings: Pick<Settings, 'maxEventPolls' | 'maxEventPollsPerAccount'>) {}

  /**
   * @returns a function that gives the slot back.
   * @throws Unavailable when as many wait as may.
   */
  take(caller: Owner): () => void {
    const { maxEventPolls, maxEventPollsPerAccount } = this.settings;
    const key = ownerOf(caller);
    const own = this.takenOf.get(key) ?? 0;
    const reader = caller.keyAccess === null ? 'account' : 'API key';
    if (own >= maxEventPollsPerAccount) throw tooMany(`${own} requests of this ${reader} wait for events`);
    if (this.taken >= maxEventPolls) throw tooMany(`${this.taken} requests wait for events`);
    this.taken++;
    this.takenOf.set(key, own + 1);
    return () => this.giveBack(key);
  }

  private giveBack(key: string): void {
    this.taken--;
    const left = this.takenOf.get(key)! - 1;
    if (left === 0) this.takenOf.delete(key);
    else this.takenOf.set(key, left);
  }
}

const tooMany = (reason: string) =>
  new Unavailable(
    `${reason} already: let one reader wait, or ask again later without WaitSeconds.`,
    RETRY_AFTER_SECONDS,
  );
