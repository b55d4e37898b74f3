import { Inject, Injectable } from '@nestjs/common';
import { endLeases, readInactive, releaseCycles, renewLeases } from '#libs/ledger';
import { ConnectionPool, type Logger, type Settings } from '#libs/platform';
import { DatabaseClock } from '../../database/clock.js';
import { LOG, SETTINGS, WORKER_ID } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { keyOf, type LeasedCycle, ownedRow } from '../cycle/cycle.js';

const HEARTBEATS_PER_LEASE = 6;

/** The cycles that this worker has leased, and the heartbeat that renews the leases. */
@Injectable()
export class LeasedCycles {
  private readonly cycles = new Map<string, LeasedCycle>();
  private readonly leaseMs: number;
  private clocksApartMs = clocksApart();
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    @Inject(SETTINGS) { claimLeaseMs }: Pick<Settings, 'claimLeaseMs'>,
    private readonly clock: DatabaseClock,
    @Inject(LOG) private readonly log: Logger,
    events: WorkerEvents,
  ) {
    this.leaseMs = claimLeaseMs;
    events.on('stopped', (scheduledOrderId) => this.stop([scheduledOrderId]));
    events.on('listening', () => void this.stopInactive());
  }

  beginHeartbeat(): void {
    this.endHeartbeat();
    this.heartbeat = setInterval(() => {
      this.renew().catch((error: unknown) => this.log.warn({ err: error }, 'Leases could not be renewed.'));
    }, this.leaseMs / HEARTBEATS_PER_LEASE);
  }

  endHeartbeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  get size(): number {
    return this.cycles.size;
  }

  /**
   * Adds claimed cycles. When this worker has a cycle already, and no other worker had it since, only its lease is
   * extended. Any other claim of a known cycle replaces it: the earlier one has been recorded, although the answer to
   * that COMMIT may not have arrived yet.
   */
  add(claimed: readonly LeasedCycle[]): LeasedCycle[] {
    const fresh = claimed.filter((cycle) => {
      const known = this.cycles.get(keyOf(cycle));
      const isKept = known !== undefined && known.claim === cycle.keptClaim;
      if (isKept) Object.assign(known, { leaseEndsAt: cycle.leaseEndsAt, claim: cycle.claim });
      else this.cycles.set(keyOf(cycle), cycle);
      return !isKept;
    });
    this.deductSleep();
    return fresh;
  }

  /** Leaves alone cycles that were claimed again in the meantime. */
  drop(cycles: readonly LeasedCycle[]): void {
    for (const cycle of cycles) if (this.cycles.get(keyOf(cycle)) === cycle) this.cycles.delete(keyOf(cycle));
  }

  /** Charges of these orders that were not sent yet are never sent. */
  private stop(scheduledOrderIds: readonly number[]): void {
    const stopped = new Set(scheduledOrderIds);
    for (const cycle of this.cycles.values()) if (stopped.has(cycle.scheduledOrderId)) cycle.isStopped = true;
  }

  /** The same for all orders that are not active any more. */
  private async stopInactive(): Promise<void> {
    if (this.cycles.size === 0) return;
    const ids = [...this.cycles.values()].map(({ scheduledOrderId }) => scheduledOrderId);
    try {
      this.stop(await readInactive(this.pool, ids));
    } catch (error) {
      this.log.debug({ err: error }, 'Orders that were paused in the meantime could not be looked up.');
    }
  }

  /** Releases cycles that were not sent. */
  async release(cycles: readonly LeasedCycle[]): Promise<void> {
    this.drop(cycles);
    if (cycles.length > 0) await releaseCycles(this.pool, cycles.map(this.row));
  }

  /** Ends the leases of all cycles that are left: the worker that takes them over looks them up first. */
  async endLeases(): Promise<void> {
    await endLeases(this.pool, [...this.cycles.values()].map(this.row));
  }

  /** Whether its lease certainly holds: a worker that was suspended past it may not send anything. */
  holds(cycle: LeasedCycle): boolean {
    return performance.now() + this.sleptMs() < cycle.leaseEndsAt;
  }

  /**
   * Renews every lease of which a third has passed, by the clock that is believed: a wrong one must not keep a cycle
   * from others for longer. It is called more often than that.
   */
  private async renew(): Promise<void> {
    this.deductSleep();
    const before = performance.now();
    const aged = [...this.cycles.values()].filter(({ leaseEndsAt }) => leaseEndsAt - before < (this.leaseMs * 2) / 3);
    if (aged.length === 0) return;
    const untilUtc = new Date(this.clock.now().getTime() + this.leaseMs);
    for (const row of await renewLeases(this.pool, untilUtc, aged.map(this.row))) {
      const cycle = this.cycles.get(`${row.scheduledOrderId}/${row.cycle}`);
      if (cycle) cycle.leaseEndsAt = before + this.leaseMs;
    }
  }

  /**
   * While a machine sleeps, its monotonic clock stops and the wall clock goes on. (When the wall clock was set, the
   * cost is one claim.)
   */
  private sleptMs(): number {
    return Math.max(0, clocksApart() - this.clocksApartMs);
  }

  private deductSleep(): void {
    const sleptMs = this.sleptMs();
    for (const cycle of this.cycles.values()) cycle.leaseEndsAt -= sleptMs;
    this.clocksApartMs = clocksApart();
  }

  private readonly row = (cycle: LeasedCycle) => ownedRow(cycle, this.worker);
}

const clocksApart = (): number => Date.now() - performance.now();
