import {
  CLAIM_AGAIN,
  CLAIM_PROBES,
  DUE_SITES,
  LOCK_DUE,
  LOCK_SHARES,
  NEXT_DUE,
  NEXT_EXPIRY,
  TAKE_OVER,
} from '#libs/cycles';
import type { ConnectionPool } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import { instants, numbers } from '../../database/array-literal.js';
import type { LeasedCycle } from '../cycle.js';
import { type CycleRow, leasedCycleOf } from './leased-cycle.js';
import { type FrozenAtOnce, NewCycles } from './new-cycles.js';
import { FROM_THE_START, type Watermark } from './watermark.js';

/** The part of a batch that one site may get. */
export interface Share {
  readonly siteId: number;
  readonly take: number;
  readonly after: Watermark;
}

/** The statements that claim cycles. Each is a transaction of its own. */
export class Claims {
  private readonly newCycles: NewCycles;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly worker: string,
    private readonly leaseMs: number,
    private readonly known: () => KnownDatabase,
    atOnce: FrozenAtOnce | null = null,
  ) {
    this.newCycles = new NewCycles(pool, worker, leaseMs, known, atOnce);
  }

  due(limit: number, after: Watermark): Promise<LeasedCycle[]> {
    return this.newCycles.begin(LOCK_DUE, [limit, after.dueUtc.toISOString(), after.scheduledOrderId]);
  }

  shares(shares: readonly Share[]): Promise<LeasedCycle[]> {
    return this.newCycles.begin(LOCK_SHARES, [
      numbers(shares.map(({ siteId }) => siteId)),
      numbers(shares.map(({ take }) => take)),
      instants(shares.map(({ after }) => after.dueUtc)),
      numbers(shares.map(({ after }) => after.scheduledOrderId)),
    ]);
  }

  again(limit: number, exceptSites: readonly number[]): Promise<LeasedCycle[]> {
    return this.claim(CLAIM_AGAIN, [limit, numbers(exceptSites)]);
  }

  /** One waiting cycle of each integration that is to be probed now. */
  probes(limit: number): Promise<LeasedCycle[]> {
    return this.claim(CLAIM_PROBES, [limit]);
  }

  takeOver(limit: number): Promise<LeasedCycle[]> {
    return this.claim(TAKE_OVER, [limit]);
  }

  async dueSites(): Promise<number[]> {
    const rows = await this.pool.execute<{ site_id: string }>(DUE_SITES);
    return rows.map(({ site_id }) => Number(site_id));
  }

  /** Milliseconds until the next order, try or probe after `lookedUtc`; negative when it is due already, null when there is none. */
  nextDueInMs(lookedUtc: Date): Promise<number | null> {
    return this.inMs(NEXT_DUE, [lookedUtc.toISOString(), lookedUtc.toISOString()]);
  }

  /** The same for the next order after `floor`, and for any try or probe: 0 or less when something may be left to claim. */
  leftDueInMs(floor: Date): Promise<number | null> {
    return this.inMs(NEXT_DUE, [floor.toISOString(), FROM_THE_START.dueUtc.toISOString()]);
  }

  /** Milliseconds until a lease of another worker may run out; null when there is none. */
  nextExpiryInMs(): Promise<number | null> {
    return this.inMs(NEXT_EXPIRY, [this.worker]);
  }

  private async inMs(text: string, values: unknown[]): Promise<number | null> {
    const rows = await this.pool.execute<{ in_ms: string | null }>(text, values);
    const inMs = rows[0]?.in_ms ?? null;
    return inMs === null ? null : Number(inMs);
  }

  private async claim(text: string, values: unknown[]): Promise<LeasedCycle[]> {
    // The lease counts from before the statement. So the lease in the database lasts at least as long as here.
    const claimedAt = performance.now();
    const { generation, lsn } = this.known();
    const rows = await this.pool.execute<CycleRow>(text, [this.worker, this.leaseMs, generation, lsn, ...values]);
    return rows.map((row) => leasedCycleOf(row, claimedAt, this.leaseMs));
  }
}
