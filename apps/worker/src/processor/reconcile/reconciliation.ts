import type { Logger } from '#libs/config';
import type { ConnectionPool } from '#libs/database';
import type { Gateways, PaymentMethodType } from '#libs/gateways';
import type { DatabaseClock } from '../../database/clock.js';
import type { Loader } from '../prepare/loader.js';
import type { Blocked } from './blocked.js';
import { EarlierCharges } from './earlier-charges.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

/** What a doubt means for a worker (`DeploymentGuard`). */
export interface DoubtedDatabase {
  readonly known: { readonly generation: number };
  readonly hasDoubts: boolean;
  readonly keyPrefix: string;
}

export interface ReconciliationParts {
  readonly pool: ConnectionPool;
  readonly gateways: Gateways;
  readonly loader: Loader;
  readonly clock: DatabaseClock;
  readonly database: DoubtedDatabase;
  readonly log: Logger;
  /** For so long after a doubt began, what another worker sent before may be under way. */
  readonly quietMs: number;
  /** Cycles are due to be recorded. */
  readonly onPlaced: () => void;
  /** Cycles that were kept in their queues may go on. */
  readonly onDone: () => void;
  readonly onBlocked: (siteId: number, type: PaymentMethodType, why: Blocked) => void;
}

/**
 * After a doubt (decisions.md §9, a database that went back in time): lists the gateways' charges, keeps those that no cycle has, and gives each
 * its cycle, before anything else is charged there. Without a doubt it costs a look at an empty index now and then.
 */
export class Reconciliation {
  readonly earlier: EarlierCharges;
  private readonly placer: Placer;
  private readonly reconciler: Reconciler;

  constructor(private readonly parts: ReconciliationParts) {
    const { pool, gateways, loader, clock, database, log, quietMs, onPlaced, onDone, onBlocked } = parts;
    const onFound = () => this.place();
    const found = new FoundCharges(pool);
    this.earlier = new EarlierCharges(found, clock, onFound);
    this.placer = new Placer(pool, found, loader, log, onPlaced);
    this.reconciler = new Reconciler({
      pool,
      gateways,
      loader,
      found,
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

  /** Whether cycles of a site may go to this type of gateway. If not, the comparison is started. */
  readonly mayCharge = (siteId: number, type: PaymentMethodType | null): boolean =>
    this.reconciler.isDone(siteId, type);

  /** An integration of this site has been changed since its charges were compared. */
  forget(siteId: number): void {
    this.reconciler.forget(siteId);
  }

  /** Starts what is to be done, if anything. A charge that an overdue cycle has found may be placed by another worker. */
  begin(): void {
    void this.reconciler.sweep();
    this.place();
  }

  /** The same, to the end. @returns how many charges that the ledger lacked have their places in it now. */
  async finish(): Promise<number> {
    await this.reconciler.sweep();
    return this.placer.run();
  }

  close(): void {
    this.reconciler.close();
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
