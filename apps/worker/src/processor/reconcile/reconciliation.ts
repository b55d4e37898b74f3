import type pg from 'pg';
import type { Logger } from '#libs/config';
import type { Gateways, PaymentMethodType } from '#libs/gateways';
import type { DatabaseClock } from '../../database/clock.js';
import type { Loader } from '../load.js';
import type { Blocked } from './blocked.js';
import { EarlierCharges } from './earlier-charges.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

const NONE: ReadonlySet<number> = new Set();

/** What a doubt means for a worker (`DeploymentGuard`). */
export interface DoubtedDatabase {
  readonly known: { readonly generation: number };
  readonly hasDoubts: boolean;
  readonly keyPrefix: string;
}

export interface ReconciliationParts {
  readonly pool: pg.Pool;
  readonly gateways: Gateways;
  readonly loader: Loader;
  readonly clock: DatabaseClock;
  readonly database: DoubtedDatabase;
  readonly log: Logger;
  /** For so long after a doubt began, what another worker sent before may be under way. */
  readonly quietMs: number;
  /** Cycles are due to be recorded. */
  readonly onPlaced: () => void;
  /** Cycles that were kept in line may go on. */
  readonly onDone: () => void;
  readonly onBlocked: (siteId: number, type: PaymentMethodType, why: Blocked) => void;
}

/**
 * After a doubt (decisions.md §9, a database that went back in time): lists what the gateways have, keeps what the ledger lacks, and gives it its
 * place, before anything else is charged there. Without a doubt it costs nothing.
 */
export class Reconciliation {
  readonly earlier: EarlierCharges;
  private readonly found: FoundCharges;
  private readonly placer: Placer;
  private readonly reconciler: Reconciler;
  /** A cycle that was overdue for long has found something, without a doubt. */
  private hasFound = false;

  constructor(private readonly parts: ReconciliationParts) {
    const { pool, gateways, loader, clock, database, log, quietMs, onPlaced, onDone, onBlocked } = parts;
    const onFound = () => {
      this.hasFound = true;
      this.place();
    };
    this.found = new FoundCharges(pool);
    this.earlier = new EarlierCharges(this.found, clock, onFound);
    this.placer = new Placer(pool, this.found, loader, log, onPlaced);
    this.reconciler = new Reconciler({
      pool,
      gateways,
      loader,
      found: this.found,
      log,
      database: () => ({
        generation: database.known.generation,
        hasDoubts: database.hasDoubts,
        keyPrefix: database.keyPrefix,
      }),
      quietMs,
      onFound,
      onDone,
      onBlocked,
    });
  }

  /** Whether cycles of a site may go to this type of gateway. If not, it is seen to. */
  readonly mayGo = (siteId: number, type: PaymentMethodType | null): boolean => this.reconciler.isDone(siteId, type);

  /** Which of these orders have a charge that is not in the ledger yet. */
  readonly unplaced = (scheduledOrderIds: readonly number[]): Promise<ReadonlySet<number>> =>
    this.mayHaveUnplaced ? this.found.unplacedAmong(scheduledOrderIds) : Promise.resolve(NONE);

  /** Begins whatever is to be done, if anything is. */
  begin(): void {
    if (!this.mayHaveUnplaced) return;
    void this.reconciler.sweep();
    this.place();
  }

  /** The same, to the end. @returns how many charges that the ledger lacked have their places in it now. */
  async finish(): Promise<number> {
    if (!this.mayHaveUnplaced) return 0;
    await this.reconciler.sweep();
    return this.placer.run();
  }

  close(): void {
    this.reconciler.close();
  }

  private get mayHaveUnplaced(): boolean {
    return this.parts.database.hasDoubts || this.hasFound;
  }

  /** What must wait for an open cycle gets its place later. */
  private place(): void {
    this.placer.run().catch((error: unknown) => {
      this.parts.log.warn(
        { err: error },
        'Charges that were found could not be written to the ledger: it is tried again.',
      );
    });
  }
}
