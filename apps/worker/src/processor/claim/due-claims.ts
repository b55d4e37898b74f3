import type { KnownDatabase } from '#libs/entities';
import { beginCycles, type DueRow, type Locking, type NewCycleRow, UNSENT } from '#libs/ledger';
import { type ConnectionPool, isNotMigrated, isOtherDatabase, type Transaction } from '#libs/platform';
import { JUMP_MS } from '../../database/clock.js';
import { reach } from '../../failpoints.js';
import { type LeasedCycle, leasedCycleOf } from '../cycle/cycle.js';
import { tracedClaim } from '../cycle/traces.js';
import { frozenColumns } from '../prepare/freeze.js';
import type { PricedAttempt } from '../prepare/price.js';
import type { AtOnce } from './at-once.js';

/**
 * A worker that stands still this long while it prices loses its locks: requests for these orders must not fail because
 * of it.
 */
const LONGEST_PAUSE_MS = 2_000;
/**
 * How long cycles are only claimed after a batch could not be frozen: then its orders are priced without locks, one by
 * one if need be.
 */
const CLAIM_ONLY_MS = 60_000;

class ClockJumped extends Error {
  override readonly name = 'ClockJumped';
}

/** Locks due orders, all of real sites or of one simulated site. */
export type LockOrders = (tx: Transaction, locking: Locking) => Promise<DueRow[]>;

/**
 * Claims due orders: locks them, prices those whose charge can be sent at once, and begins the cycles of all of them,
 * in one short transaction. A request, or another worker, sees an order either before that or with its cycle.
 */
export class DueClaims {
  private claimOnlyUntil = -Infinity;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly worker: string,
    private readonly leaseMs: number,
    private readonly known: () => KnownDatabase,
    private readonly atOnce: AtOnce | null,
    /** The database's clock as it was believed last; null: it is not watched. */
    private readonly now: (() => Date) | null,
  ) {}

  /** Locks orders and begins their cycles. Where an order cannot be frozen, its cycle is only claimed. */
  begin(lock: LockOrders): Promise<LeasedCycle[]> {
    return tracedClaim(() => this.beginWith(lock));
  }

  private async beginWith(lock: LockOrders): Promise<LeasedCycle[]> {
    if (this.atOnce === null || performance.now() < this.claimOnlyUntil) return this.claim(lock);
    try {
      return await this.freeze(lock, this.atOnce);
    } catch (error) {
      if (isOtherDatabase(error) || isNotMigrated(error) || error instanceof ClockJumped) throw error;
      this.atOnce.failed(error);
      this.claimOnlyUntil = performance.now() + CLAIM_ONLY_MS;
      return this.claim(lock);
    }
  }

  private claim(lock: LockOrders): Promise<LeasedCycle[]> {
    return this.inTransaction(lock, () => Promise.resolve([]));
  }

  private async freeze(lock: LockOrders, atOnce: AtOnce): Promise<LeasedCycle[]> {
    let attempts: readonly PricedAttempt[] = [];
    let begun: readonly LeasedCycle[] = [];
    try {
      begun = await this.inTransaction(lock, async (tx, cycles) => (attempts = await atOnce.price(tx, cycles)));
    } finally {
      const begunCycles = new Set(begun);
      atOnce.leave(attempts.map(({ cycle }) => cycle).filter((cycle) => !begunCycles.has(cycle)));
    }
    for (const { frozen: _, pricedWith: __, ...frozenAttempt } of attempts) {
      const { cycle, attempt } = frozenAttempt;
      Object.assign(cycle, { state: 'Charging', attempt, frozenAttempt });
    }
    if (attempts.length > 0) reach('after-freeze');
    return [...begun];
  }

  /** The database's clock may have jumped since it was read. Then the transaction writes nothing. */
  private assertDue(cycles: readonly LeasedCycle[]): void {
    if (this.now === null) return;
    const latestMs = this.now().getTime() + JUMP_MS;
    if (cycles.some(({ presentUtc, dueUtc }) => presentUtc === null && dueUtc.getTime() > latestMs))
      throw new ClockJumped("The database's clock shows a later time than a moment ago.");
  }

  private inTransaction(
    lock: LockOrders,
    price: (tx: Transaction, cycles: readonly LeasedCycle[]) => Promise<readonly PricedAttempt[]>,
  ): Promise<LeasedCycle[]> {
    // The lease counts from before the transaction. So the lease in the database lasts at least as long as here.
    const claimedAt = performance.now();
    const known = this.known();
    return this.pool.transaction(async (tx) => {
      const due = await lock(tx, { longestPauseMs: Math.min(LONGEST_PAUSE_MS, this.leaseMs), known });
      if (due.length === 0) return [];
      const cycles = due.map((row) => leasedCycleOf(row, claimedAt, this.leaseMs));
      this.assertDue(cycles);
      const attempts = await price(tx, cycles);
      const attemptOf = new Map(attempts.map((attempt) => [attempt.cycle.scheduledOrderId, attempt]));
      const rows = cycles.map((cycle) => newCycleRow(cycle, attemptOf.get(cycle.scheduledOrderId)));
      const claimant = { worker: this.worker, leaseMs: this.leaseMs, known };
      const begun = await beginCycles(tx, claimant, cycles[0]!.presentUtc !== null, rows);
      // No request can write a stop before the COMMIT.
      const readAt = performance.now();
      for (const cycle of cycles) cycle.lastReadAt = readAt;
      return cycles.filter(({ scheduledOrderId }) => begun.has(scheduledOrderId));
    });
  }
}

/** A cycle without an attempt is only claimed. */
const newCycleRow = (cycle: LeasedCycle, attempt: PricedAttempt | undefined): NewCycleRow => ({
  site_id: cycle.siteId,
  id: cycle.scheduledOrderId,
  cycle: cycle.cycle,
  due_utc: cycle.dueUtc,
  replaced_utc: cycle.replacedUtc,
  type: cycle.paymentMethodType,
  order_id: cycle.orderId,
  ...(attempt ? frozenColumns(attempt) : UNSENT),
});
