import { Injectable } from '@nestjs/common';
import type { DueShop } from '#libs/ledger';
import { shareOfAccount } from '#libs/records';

/** The most pushes of a worker that are under way. */
export const MOST_PUSHES = 40;

/**
 * The pushes that are under way here. Accounts share the places, however many shops they have (`shareOfAccount`): whose
 * shops take long has places for longer, and gets fewer new ones.
 */
@Injectable()
export class Places {
  private readonly work = new Map<Promise<void>, DueShop>();

  get taken(): number {
    return this.work.size;
  }

  /** Accounts that get nothing more now; null: no account does. */
  get full(): number[] | null {
    if (this.taken >= MOST_PUSHES) return null;
    const accounts = [...new Set(this.accounts)];
    return accounts.filter((account) => !hasRoom(this.accounts, account));
  }

  /** @returns how many pushes each shop may have now, if those before it take all that they may. */
  room(due: readonly DueShop[], mostOfShop: number): number[] {
    const { accounts } = this;
    return due.map(({ account }) => {
      const before = accounts.length;
      while (accounts.length - before < mostOfShop && hasRoom(accounts, account)) accounts.push(account);
      return accounts.length - before;
    });
  }

  /** Takes a place until `pushing` has ended. */
  add(shop: DueShop, pushing: Promise<void>): void {
    const counted = pushing.finally(() => this.work.delete(counted));
    this.work.set(counted, shop);
  }

  /** Resolves when everything that is under way now has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.work.keys());
  }

  private get accounts(): number[] {
    return [...this.work.values()].map(({ account }) => account);
  }
}

/** `accounts`: of each place that is taken. */
function hasRoom(accounts: readonly number[], account: number): boolean {
  const own = accounts.filter((one) => one === account).length;
  const [most, taken] = [MOST_PUSHES, accounts.length];
  return taken < most && own < shareOfAccount({ most, taken, own });
}
