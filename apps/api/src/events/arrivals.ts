import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '#libs/records';
import { ARRIVED } from './events.sql.js';

/** How often the database is asked, once for all who wait. */
const LOOK_MS = 500;

/** What somebody waits for: events of one site, or of any site of an account. */
interface Source {
  readonly userId: number;
  readonly siteId: number | null;
}

interface Waiter extends Source {
  readonly wake: (hasArrived: boolean) => void;
}

/**
 * Wakes those who wait for events. They hold neither a connection nor a statement: while anybody waits, one statement
 * asks for all of them, twice a second, for which sites events have arrived.
 */
@Injectable()
export class Arrivals implements OnModuleDestroy {
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;
  private isClosed = false;
  /** Everything up to this number was told to those who waited then. */
  private seen = 0;

  constructor(private readonly database: Database) {}

  /**
   * Waits for an event beyond `upTo`, which the caller has looked through, but no longer than `ms`.
   * @returns true when one may have arrived, perhaps of a site of the account that an API key does not reach; false
   * when none has, the process stops, or the caller is gone.
   */
  async next({ userId, siteId }: Source, upTo: number, ms: number, gone: AbortSignal): Promise<boolean> {
    if (this.isClosed || gone.aborted) return false;
    // While a look is under way, its number stays: it will not tell what is below.
    if (this.waiters.size === 0 && !this.isLooking) this.seen = upTo;
    // The others were told more than the caller has read.
    else if (upTo < this.seen) return true;
    return new Promise<boolean>((resolve) => {
      const waiter: Waiter = { userId, siteId, wake: (hasArrived) => end(hasArrived) };
      const timeout = setTimeout(() => end(false), ms);
      const leave = () => end(false);
      const end = (hasArrived: boolean) => {
        clearTimeout(timeout);
        gone.removeEventListener('abort', leave);
        this.waiters.delete(waiter);
        resolve(hasArrived);
      };
      gone.addEventListener('abort', leave);
      this.waiters.add(waiter);
      this.timer ??= setTimeout(() => void this.look(), LOOK_MS);
    });
  }

  /** Everybody who waits is answered now. */
  onModuleDestroy(): void {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
    this.wakeAll(false);
  }

  private async look(): Promise<void> {
    this.timer = null;
    if (this.isLooking || this.waiters.size === 0) return;
    this.isLooking = true;
    try {
      const rows = await this.database.read<{ siteId: number; userId: number; upTo: number }>(ARRIVED, [this.seen]);
      this.seen = Math.max(this.seen, ...rows.map(({ upTo }) => upTo));
      for (const waiter of [...this.waiters]) if (rows.some((one) => isFor(waiter, one))) waiter.wake(true);
    } catch {
      // Each reads again by itself, and answers what is wrong.
      this.wakeAll(true);
    }
    this.isLooking = false;
    if (this.waiters.size > 0 && !this.isClosed) this.timer ??= setTimeout(() => void this.look(), LOOK_MS);
  }

  private wakeAll(hasArrived: boolean): void {
    for (const waiter of [...this.waiters]) waiter.wake(hasArrived);
  }
}

const isFor = (waiter: Source, { userId, siteId }: Source): boolean =>
  waiter.siteId === null ? waiter.userId === userId : waiter.siteId === siteId;
