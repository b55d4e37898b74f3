import type { Settings } from '#libs/config';
import type { Caller } from '#libs/records';
import { Unavailable } from './errors.js';

const RETRY_AFTER_SECONDS = 5;
/** The most slots of one customer, of those that the account's customers share. */
const MOST_OF_CUSTOMER = 2;

interface Share {
  readonly subject: string;
  readonly most: number;
  /** The owner of the lists, for the message. */
  readonly of: string;
}

/** The Merchant tokens of an account have one share of the list slots, its customers together another. */
export const shareOf = ({ userId, customerId }: Caller) =>
  customerId === null ? `account:${userId}` : `customers of account:${userId}`;

/** What the slots are for, in the words of a refusal. */
interface SlotWords {
  readonly what: string;
  readonly advice: string;
}

const OF_LISTS: SlotWords = { what: 'whole lists', advice: 'try again later, or read page by page' };

/** Slots for lists that are being read, in shares: no account, and no customer of an account, can take all of them. */
export class ListSlots {
  private taken = 0;
  private readonly takenOf = new Map<string, number>();

  constructor(
    private readonly settings: Pick<Settings, 'maxListStreams' | 'maxListStreamsPerAccount'>,
    private readonly words = OF_LISTS,
  ) {}

  /**
   * Takes a slot. @returns a function that releases it.
   * @throws Unavailable when no slot is left, or none in the caller's share.
   */
  take(caller: Caller): () => void {
    if (this.taken >= this.settings.maxListStreams)
      throw this.noneLeft(`${this.taken} ${this.words.what} are being read already`);
    const shares = this.sharesOf(caller);
    const full = shares.find(({ subject, most }) => (this.takenOf.get(subject) ?? 0) >= most);
    if (full !== undefined) throw this.noneLeft(`${full.of} reads ${full.most} ${this.words.what} already`);
    this.taken++;
    for (const { subject } of shares) this.takenOf.set(subject, (this.takenOf.get(subject) ?? 0) + 1);
    return () => this.giveBack(shares);
  }

  private giveBack(shares: readonly Share[]): void {
    this.taken--;
    for (const { subject } of shares) {
      const left = this.takenOf.get(subject)! - 1;
      if (left === 0) this.takenOf.delete(subject);
      else this.takenOf.set(subject, left);
    }
  }

  private sharesOf(caller: Caller): readonly Share[] {
    const { customerId } = caller;
    const most = this.settings.maxListStreamsPerAccount;
    if (customerId === null) return [{ subject: shareOf(caller), most, of: 'This account' }];
    return [
      { subject: `customer:${customerId}`, most: MOST_OF_CUSTOMER, of: 'This customer' },
      { subject: shareOf(caller), most, of: 'The account, by tokens of its customers,' },
    ];
  }

  private noneLeft(reason: string): Unavailable {
    return new Unavailable(`${reason}: ${this.words.advice}.`, RETRY_AFTER_SECONDS);
  }
}
