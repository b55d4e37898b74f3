import { Inject, Injectable } from '@nestjs/common';
import type { PaymentMethodType } from '#libs/gateways';
import { ConnectionPool, type Logger } from '#libs/platform';
import { integrationKey } from '../../gateways/integrations.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { LOG } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { ListComparison, type ReconciledDatabase } from './list-comparison.js';
import { Placer } from './placer.js';
import { UNRECONCILED_SITES } from './reconcile.sql.js';

/** The pause after the gateway or the database did not answer. */
const AGAIN_MS = 30_000;
/**
 * Somebody may have stored another account's key since, whose charges were not compared. (Pricing checks that itself:
 * LOAD_INTEGRATIONS.)
 */
const READ_AGAIN_MS = 10_000;
const TYPES = ['GatewayOne', 'GatewayTwo'] as const;

/**
 * When a reconciliation is required (decisions.md §9, a database that went back in time), every integration's charges
 * since the cut-off are listed once and compared with the ledger (`ListComparison`), and those that no cycle has are
 * given one (`Placer`), before anything is charged for its site. Otherwise it costs a look at an empty index now and
 * then.
 */
@Injectable()
export class Reconciler {
  private generation = 0;
  /** When the database last showed that a site is reconciled, by site and type. */
  private readonly done = new Map<string, number>();
  private readonly running = new Map<number, Promise<void>>();
  private sweeping: Promise<void> | null = null;
  private swept = 0;
  private sweepAgainAt = 0;
  private readonly closing = new AbortController();

  constructor(
    private readonly pool: ConnectionPool,
    private readonly comparison: ListComparison,
    @Inject(Placer) private readonly placer: Pick<Placer, 'begin' | 'run'>,
    @Inject(DeploymentGuard) private readonly database: ReconciledDatabase,
    private readonly events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {
    events.on('uncompared', (siteId) => this.forget(siteId));
  }

  /** Whether cycles of this site may go to this type of gateway. If not, the comparison is started. */
  mayCharge(siteId: number, type: PaymentMethodType | null): boolean {
    if (!this.database.needsReconciliation || type === null) return true;
    const { generation } = this.database.known;
    if (generation !== this.generation) {
      this.generation = generation;
      this.done.clear();
    }
    const readAt = this.done.get(integrationKey(siteId, type)) ?? -Infinity;
    if (performance.now() - readAt < READ_AGAIN_MS) return true;
    this.compare(siteId, type);
    return false;
  }

  /**
   * Starts the comparison and the placing, if needed. Another worker may place a charge that an overdue cycle has
   * found.
   */
  begin(): void {
    void this.sweep();
    this.placer.begin();
  }

  /** The same to its end. @returns how many found charges were placed in the ledger. */
  async finish(): Promise<number> {
    await this.sweep();
    return this.placer.run();
  }

  /** An integration of this site has been changed since its charges were compared. */
  private forget(siteId: number): void {
    for (const type of TYPES) this.done.delete(integrationKey(siteId, type));
  }

  /**
   * Reconciles every site, also those without due orders. So charges of lost commits are recorded now, not when the
   * next order falls due. It runs once per generation. Overlapping calls are one.
   */
  private sweep(): Promise<void> {
    const { generation } = this.database.known;
    if (!this.database.needsReconciliation || this.swept === generation) return Promise.resolve();
    if (!this.sweeping && performance.now() < this.sweepAgainAt) return Promise.resolve();
    this.sweepAgainAt = performance.now() + AGAIN_MS;
    this.sweeping ??= this.sweepAll()
      .then((isDone) => void (isDone && (this.swept = generation)))
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'Not every site could be compared with the ledger: the worker tries again.');
      })
      .finally(() => (this.sweeping = null));
    return this.sweeping;
  }

  /** @returns whether everything is compared; if not, it is tried again. */
  private async sweepAll(): Promise<boolean> {
    let isDone = true;
    for (let after = 0; !this.closing.signal.aborted;) {
      const rows = await this.pool.execute<{ siteId: number; paymentMethodType: PaymentMethodType }>(
        UNRECONCILED_SITES,
        [after],
      );
      for (const row of rows) {
        after = row.siteId;
        if (this.mayCharge(after, row.paymentMethodType)) continue;
        await this.running.get(after);
        isDone &&= this.done.has(integrationKey(after, row.paymentMethodType));
      }
      if (rows.length === 0) return isDone;
    }
    return false;
  }

  close(): void {
    this.closing.abort();
  }

  private compare(siteId: number, type: PaymentMethodType): void {
    if (this.running.has(siteId) || this.closing.signal.aborted) return;
    const run = this.reconcile(siteId)
      .catch((error: unknown) => {
        if (this.closing.signal.aborted) return;
        this.log.warn({ err: error, siteId }, 'Charges could not be compared with the ledger: the worker tries again.');
        const message = 'The charges of the payment integration could not be compared with the ledger.';
        this.events.emit('blocked', siteId, type, { kind: 'postponed', message, retryAfterMs: AGAIN_MS });
      })
      .finally(() => {
        this.running.delete(siteId);
        this.events.emit('compared', siteId);
      });
    this.running.set(siteId, run);
  }

  private async reconcile(siteId: number): Promise<void> {
    const { generation } = this;
    const blocked = await this.comparison.ofSite(siteId, generation, this.closing.signal);
    if (generation !== this.generation) return;
    // When one gateway of a site cannot be asked, nothing is charged for the site: lost commits may have charged any
    // order of it there, as an order can change its gateway, and that before or after they were lost. A gateway that
    // refuses keeps only its own orders waiting, because it may do so for ever.
    const unreachable = [...blocked.values()].find(({ kind }) => kind !== 'refused');
    for (const type of TYPES) {
      const why = blocked.get(type) ?? unreachable;
      if (why) {
        const { message, kind } = why;
        this.log.warn(
          { siteId, type, kind },
          `Nothing is charged for a site before its charges can be listed: ${message}`,
        );
        this.events.emit('blocked', siteId, type, why);
      } else this.done.set(integrationKey(siteId, type), performance.now());
    }
  }
}
