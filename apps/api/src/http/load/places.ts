import { type Caller, othersWait, partOf, type SharedPlaces, shareOfAccount } from '#libs/records';
import { Unavailable } from '../problems/errors.js';

const RETRY_AFTER_SECONDS = 5;
/** The most places of one customer. */
const MOST_OF_CUSTOMER = 2;

/** Who is behind a caller: all tokens, sessions and keys of an account are one, and all of its customers another. */
type Owner = Pick<Caller, 'userId' | 'customerId'>;

/** The turns of an account's own tokens and keys are one queue, those of its customers together another. */
export const shareOf = ({ userId, customerId }: Owner) =>
  customerId === null ? `account:${userId}` : `customers of account:${userId}`;

/** A part of the places, for the owner that it is counted for. */
interface Share {
  readonly subject: string;
  readonly most: number;
  /** The owner, for the message. */
  readonly owner: string;
}

/** What the places are for. */
interface Purpose {
  /** In the words of a refusal: `whole lists`. */
  readonly what: string;
  /** What to do instead. */
  readonly advice: string;
  /**
   * Whether Customer tokens take such places, too. They and the account's own tokens then have one half of its share
   * each.
   */
  readonly isForCustomers: boolean;
}

/**
 * Places for requests that take long, shared by account, whatever keys or tokens it uses (`shareOfAccount`). Nobody is
 * sent away who has a place (docs/api.md, Shares).
 */
export class Places {
  private taken = 0;
  private readonly takenOf = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly purpose: Purpose,
  ) {}

  /** Takes a place. @returns a function that gives it back. @throws Unavailable when there is none for this caller. */
  take(caller: Owner): () => void {
    const refusal = this.refusal(caller);
    if (refusal !== null) throw new Unavailable(`${refusal}: ${this.purpose.advice}.`, RETRY_AFTER_SECONDS);
    const subjects = this.sharesOf(caller).map(({ subject }) => subject);
    this.count(subjects, 1);
    return () => this.count(subjects, -1);
  }

  hasRoom(caller: Owner): boolean {
    return this.refusal(caller) === null;
  }

  private refusal(caller: Owner): string | null {
    const { what } = this.purpose;
    if (this.taken >= this.most) return `All ${this.most} places for ${what} are taken`;
    const full = this.sharesOf(caller).find(({ subject, most }) => this.takenBy(subject) >= most);
    if (full === undefined) return null;
    const why = othersWait(this.seenBy(caller)) ? ', and others wait' : '';
    return `${full.owner} has ${this.takenBy(full.subject)} ${what} already${why}`;
  }

  private seenBy({ userId }: Owner): SharedPlaces {
    return { most: this.most, taken: this.taken, own: this.takenBy(accountOf(userId)) };
  }

  private sharesOf(caller: Owner): Share[] {
    const { userId, customerId } = caller;
    const most = shareOfAccount(this.seenBy(caller));
    const ofAccount = { subject: accountOf(userId), most, owner: 'This account' };
    if (!this.purpose.isForCustomers) return [ofAccount];
    const ofKind = { subject: shareOf(caller), most: partOf(most, 2) };
    if (customerId === null) return [{ ...ofKind, owner: 'This account' }, ofAccount];
    return [
      { subject: `customer:${customerId}`, most: MOST_OF_CUSTOMER, owner: 'This customer' },
      { ...ofKind, owner: 'The account, by tokens of its customers,' },
      ofAccount,
    ];
  }

  private takenBy(subject: string): number {
    return this.takenOf.get(subject) ?? 0;
  }

  private count(subjects: readonly string[], change: 1 | -1): void {
    this.taken += change;
    for (const subject of subjects) {
      const count = this.takenBy(subject) + change;
      if (count === 0) this.takenOf.delete(subject);
      else this.takenOf.set(subject, count);
    }
  }
}

const accountOf = (userId: number) => `all of account:${userId}`;
