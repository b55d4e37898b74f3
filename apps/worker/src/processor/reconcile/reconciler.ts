import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gateways, isSandbox, listLagMs, Paging, type PaymentMethodType } from '#libs/gateways';
import { ConnectionPool, DecryptionError, type Logger, type Settings } from '#libs/platform';
import { integrationKey, Integrations } from '../../gateways/integrations.js';
import { unreadableFailure } from '../../gateways/unreadable-credentials.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { LOG, SETTINGS } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import type { Blocked } from '../cycle/blocked.js';
import type { Integration } from '../cycle/cycle.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { LISTED_TO, RECONCILED, UNRECONCILED, UNRECONCILED_SITES } from './reconcile.sql.js';

/** The pause after the gateway or the database did not answer. */
const AGAIN_MS = 30_000;
/**
 * Somebody may have stored another account's key since, whose charges were not compared. (Pricing checks that itself:
 * LOAD_INTEGRATIONS.)
 */
const READ_AGAIN_MS = 10_000;
const TYPES = ['GatewayOne', 'GatewayTwo'] as const;

/** A request that timed out may still arrive: the gateways' adapters allow for the same. */
const UNDER_WAY_TIMEOUTS = 2;

/** What the worker knows about its database (`DeploymentGuard`). */
export interface ReconciledDatabase {
  readonly known: { readonly generation: number };
  readonly needsReconciliation: boolean;
  readonly keyPrefix: string;
}

/**
 * When a reconciliation is required (decisions.md §9, a database that went back in time), every integration's charges
 * since the cut-off are listed once and compared with the ledger, and those that no cycle has are given one, before
 * anything is charged for its site. Otherwise it costs a look at an empty index now and then.
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

  /** A request that another worker sent before the reconciliation began may be in flight for this long. */
  private readonly quietMs: number;
  /** After that, how much later the gateway's list may show its charge. */
  private readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly gateways: Gateways,
    private readonly integrations: Integrations,
    private readonly found: FoundCharges,
    @Inject(Placer) private readonly placer: Pick<Placer, 'begin' | 'run'>,
    @Inject(DeploymentGuard) private readonly database: ReconciledDatabase,
    private readonly events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
    @Inject(SETTINGS) settings: Pick<Settings, 'gatewayTimeoutMs' | 'gatewayListLagMs'>,
  ) {
    this.quietMs = UNDER_WAY_TIMEOUTS * settings.gatewayTimeoutMs;
    this.listLagMs = listLagMs(settings.gatewayListLagMs);
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

  /** Between two readings of a page that met a fault. */
  protected pause(ms: number): Promise<unknown> {
    return pause(ms, undefined, { signal: this.closing.signal });
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
    const needed = await this.needed(siteId);
    const blocked = new Map<PaymentMethodType, Blocked>();
    if (needed.length > 0) {
      const integrations = await this.integrations.ofSites([siteId]);
      // Each at its own pace: the slower list does not delay what the other one has to record.
      const lists = needed.map(async (one) => {
        const integration = integrations.get(integrationKey(siteId, one.type));
        if (integration === undefined) return;
        await pause(this.waitMs(one, integration), undefined, { signal: this.closing.signal });
        const why = await this.list(siteId, one, integration, generation);
        if (why !== null) blocked.set(one.type, why);
      });
      const failed = (await Promise.allSettled(lists)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    }
    if (generation !== this.generation) return;
    for (const { type } of needed.length > 0 ? await this.needed(siteId) : [])
      if (!blocked.has(type)) blocked.set(type, CHANGED);
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

  private waitMs({ type, quietForMs }: Needed, integration: Integration | DecryptionError): number {
    const { quietMs, listLagMs } = this;
    const hasNoLag = integration instanceof DecryptionError || isSandbox(integration.credentials);
    return Math.max(0, quietMs + (hasNoLag ? 0 : listLagMs[type]) - quietForMs);
  }

  private async list(
    siteId: number,
    { id, type, agoMs, sureUntilUtc, version, cursor }: Needed,
    integration: Integration | DecryptionError,
    generation: number,
  ): Promise<Blocked | null> {
    const { gateways, found, log, database, pool } = this;
    if (integration instanceof DecryptionError) return { kind: 'refused', message: unreadableFailure().message };
    const origin = { paymentIntegrationId: id, paymentMethodType: type, siteId, sureUntilUtc };
    const query = { agoMs, installation: database.keyPrefix };
    let count = 0;
    const paging = new Paging(cursor, (ms) => this.pause(ms));
    const answer = await gateways
      .for(id, integration.credentials)
      .listCharges({ ...query, paging }, async (charges) => {
        const { orphans, orderIds } = await found.keep(origin, charges);
        count += orderIds.length;
        for (const transactionId of orphans)
          log.error(
            { transactionId, siteId },
            'The gateway has a charge of a scheduled order that does not exist: refund it, or find its order.',
          );
        // Only now, when all up to here is kept: another worker, or this one after a restart, goes on there.
        if (paging.cursor !== null) await pool.execute(LISTED_TO, [id, generation, version, paging.cursor]);
      });
    // The gateway cannot go on at the cursor: the next reading begins anew.
    if (answer.kind === 'unknown') await pool.execute(LISTED_TO, [id, generation, version, null]);
    if (answer.kind !== 'listed') return answer;
    await pool.execute(RECONCILED, [id, generation, version]);
    if (count > 0) this.placer.begin();
    log.info(
      { paymentIntegrationId: id, found: count },
      'The charges of a payment integration were compared with the ledger.',
    );
    return null;
  }

  private needed(siteId: number): Promise<Needed[]> {
    return this.pool.execute<Needed>(UNRECONCILED, [siteId, this.generation]);
  }
}

/** The next listing finds the charges. */
const CHANGED: Blocked = {
  kind: 'postponed',
  message: 'The payment integration was changed while its charges were listed.',
  retryAfterMs: 0,
};

interface Needed {
  readonly id: number;
  /** The version of its row: credentials that were changed in the meantime may be another account's. */
  readonly version: string;
  readonly type: PaymentMethodType;
  readonly agoMs: number;
  readonly sureUntilUtc: Date;
  /** For how long no worker can have begun a request in another state of the database. */
  readonly quietForMs: number;
  /** How far a reading of its charges has come that did not end. */
  readonly cursor: string | null;
}
