import { setTimeout as pause } from 'node:timers/promises';
import type { Gateways, PaymentMethodType } from '#libs/gateways';
import type { ConnectionPool, Logger } from '#libs/platform';
import type { DatabaseClock } from '../../database/clock.js';
import type { Loader } from '../prepare/loader.js';
import type { Blocked } from './blocked.js';
import { EarlierCharges } from './earlier-charges.js';
import { FoundChargeLookUps } from './found-charge-look-ups.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { Reconciler } from './reconciler.js';

/** What the worker knows about its database (`DeploymentGuard`). */
export interface ReconciledDatabase {
  readonly known: { readonly generation: number };
  readonly needsReconciliation: boolean;
  readonly keyPrefix: string;
}

export interface ReconciliationParts {
  readonly pool: ConnectionPool;
  readonly gateways: Gateways;
  readonly loader: Loader;
  readonly clock: DatabaseClock;
  readonly database: ReconciledDatabase;
  readonly log: Logger;
  /** A request that another worker sent before the reconciliation began may be in flight for this long. */
  readonly quietMs: number;
  /** After that, how much later the gateway's list may show its charge. */
  readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;
  /** Found charges have cycles now, which can be recorded. */
  readonly onPlaced: () => void;
  /** Cycles that were kept in their queues may go on. */
  readonly onDone: () => void;
  readonly onBlocked: (siteId: number, type: PaymentMethodType, why: Blocked) => void;
}

/**
 * When a reconciliation is required (decisions.md §9, a database that went back in time): lists the gateways' charges,
 * stores those that no cycle has, and gives each its cycle, before anything else is charged there. Otherwise it costs a
 * look at an empty index now and then.
 */
export class Reconciliation {
  readonly earlier: EarlierCharges;
  private readonly placer: Placer;
  private readonly reconciler: Reconciler;

  constructor(private readonly parts: ReconciliationParts) {
    const { pool, gateways, loader, clock, database, log, quietMs, listLagMs, onPlaced, onDone, onBlocked } = parts;
    const onFound = () => this.place();
    const found = new FoundCharges(pool);
    this.earlier = new EarlierCharges(found, clock, onFound);
    const lookUps = new FoundChargeLookUps(loader, gateways, log);
    this.placer = new Placer(pool, found, loader, lookUps, log, onPlaced);
    this.reconciler = new Reconciler({
      pool,
      gateways,
      loader,
      found,
      log,
      database: () => ({
        generation: database.known.generation,
        needsReconciliation: database.needsReconciliation,
        keyPrefix: database.keyPrefix,
      }),
      pause: (ms, signal) => pause(ms, undefined, { signal }),
      quietMs,
      listLagMs,
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

  /**
   * Starts the comparison and the placing, if needed. Another worker may place a charge that an overdue cycle has
   * found.
   */
  begin(): void {
    void this.reconciler.sweep();
    this.place();
  }

  /** Does the same and waits for the end. @returns how many found charges were placed in the ledger. */
  async finish(): Promise<number> {
    await this.reconciler.sweep();
    return this.placer.run();
  }

  close(): void {
    this.reconciler.close();
  }

  /** A charge that must wait for an open cycle is placed later. */
  private place(): void {
    this.placer.run().catch((error: unknown) => {
      this.parts.log.warn(
        { err: error },
        'Charges that were found could not be written to the ledger: the worker tries again.',
      );
    });
  }
}
