import {
  CLAIM_AGAIN,
  CLAIM_AGAIN_SIMULATED,
  CLAIM_PROBES,
  CLAIM_PROBES_SIMULATED,
  DUE_SITES,
  LEFT_DUE,
  LOCK_DUE,
  LOCK_DUE_SIMULATED,
  LOCK_SHARES,
  NEXT_DUE,
  NEXT_EXPIRY,
  TAKE_OVER,
  TAKE_OVER_SIMULATED,
} from '#libs/cycles';
import { type ConnectionPool, instants, numbers } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import type { LeasedCycle } from '../cycle.js';
import { tracedClaim } from '../traces.js';
import { type CycleRow, leasedCycleOf } from './leased-cycle.js';
import { type FrozenAtOnce, NewCycles } from './new-cycles.js';
import type { Watermark } from './watermark.js';

/** The part of a batch that one site may get. */
export interface Share {
  readonly siteId: number;
  readonly take: number;
  readonly after: Watermark;
}

/** The claims of one simulated site. */
export type SiteClaims = Readonly<
  Record<'due' | 'again' | 'probes' | 'takeOver', (limit: number) => Promise<LeasedCycle[]>>
>;

interface InMs {
  readonly in_ms: string | null;
}

function inMs([row]: readonly InMs[]): number | null {
  return row === undefined || row.in_ms === null ? null : Number(row.in_ms);
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
    now: (() => Date) | null = null,
  ) {
    this.newCycles = new NewCycles(pool, worker, leaseMs, known, atOnce, now);
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

  /** The same of a simulated site, whose clock this worker leads. */
  ofSite(siteId: number): SiteClaims {
    return {
      due: (limit) => {
        const from = [limit, siteId, this.worker];
        return this.newCycles.begin(LOCK_DUE_SIMULATED, from);
      },
      again: (limit) => this.claim(CLAIM_AGAIN_SIMULATED, [limit, siteId]),
      probes: (limit) => this.claim(CLAIM_PROBES_SIMULATED, [limit, siteId]),
      takeOver: (limit) => this.claim(TAKE_OVER_SIMULATED, [limit, siteId]),
    };
  }

  async dueSites(): Promise<number[]> {
    const rows = await this.pool.execute<{ site_id: string }>(DUE_SITES);
    return rows.map(({ site_id }) => Number(site_id));
  }

  /** Milliseconds until the next order, try or probe after `lookedUtc`; negative when it is due already, null when there is none. */
  async nextDueInMs(lookedUtc: Date): Promise<number | null> {
    return inMs(await this.pool.execute<InMs>(NEXT_DUE, [lookedUtc.toISOString()]));
  }

  /** The same for the next order after `floor`, and for any try or probe: 0 or less when something may be left to claim. */
  async leftDueInMs(floor: Date): Promise<number | null> {
    return inMs(await this.pool.read<InMs>(LEFT_DUE, [floor.toISOString()]));
  }

  /** Milliseconds until a lease of another worker may run out; null when there is none. */
  async nextExpiryInMs(): Promise<number | null> {
    return inMs(await this.pool.execute<InMs>(NEXT_EXPIRY, [this.worker]));
  }

  private claim(text: string, values: unknown[]): Promise<LeasedCycle[]> {
    return tracedClaim(() => this.claimWith(text, values));
  }

  private async claimWith(text: string, values: unknown[]): Promise<LeasedCycle[]> {
    // The lease counts from before the statement. So the lease in the database lasts at least as long as here.
    const claimedAt = performance.now();
    const { generation, lsn } = this.known();
    const rows = await this.pool.execute<CycleRow>(text, [this.worker, this.leaseMs, generation, lsn, ...values]);
    return rows.map((row) => leasedCycleOf(row, claimedAt, this.leaseMs));
  }
}
