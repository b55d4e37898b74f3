import type { Settings } from '#libs/config';
import type { Caller } from '#libs/records';
import { Unavailable } from './errors.js';

const RETRY_AFTER_SECONDS = 5;
/** Of the slots that an account's customers share, one customer has no more than these. */
const MOST_OF_CUSTOMER = 2;

interface Share {
  readonly subject: string;
  readonly most: number;
  /** Whose lists they are, for the message. */
  readonly of: string;
}

/** An account's Merchant tokens have one share of what is for lists, its customers together another. */
export const shareOf = ({ userId, customerId }: Caller) =>
  customerId === null ? `account:${userId}` : `customers of account:${userId}`;

/** Places for lists that are being read, shared out: no account, and no customer of an account, holds those of all others. */
export class ListSlots {
  private taken = 0;
  private readonly takenOf = new Map<string, number>();

  constructor(private readonly settings: Pick<Settings, 'maxListStreams' | 'maxListStreamsPerAccount'>) {}

  /**
   * Takes a place; what is returned gives it back.
   * @throws Unavailable when none is left, or none of the caller's share.
   */
  take(caller: Caller): () => void {
    if (this.taken >= this.settings.maxListStreams) throw noneLeft(`${this.taken} whole lists are being read already`);
    const shares = this.sharesOf(caller);
    const full = shares.find(({ subject, most }) => (this.takenOf.get(subject) ?? 0) >= most);
    if (full !== undefined) throw noneLeft(`${full.of} reads ${full.most} whole lists already`);
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
}

const noneLeft = (reason: string) =>
  new Unavailable(`${reason}: come back later, or read page by page.`, RETRY_AFTER_SECONDS);
