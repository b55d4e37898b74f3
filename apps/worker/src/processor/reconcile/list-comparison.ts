import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gateways, isSandbox, listLagMs, Paging, type PaymentMethodType } from '#libs/gateways';
import { ConnectionPool, DecryptionError, type Logger, type Settings } from '#libs/platform';
import { integrationKey, Integrations } from '../../gateways/integrations.js';
import { unreadableFailure } from '../../gateways/unreadable-credentials.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { LOG, SETTINGS } from '../../tokens.js';
import type { Blocked } from '../cycle/blocked.js';
import type { Integration } from '../cycle/cycle.js';
import { FoundCharges } from './found-charges.js';
import { Placer } from './placer.js';
import { LISTED_TO, RECONCILED, UNRECONCILED } from './reconcile.sql.js';

/** A request that timed out may still arrive: the gateways' adapters allow for the same. */
const UNDER_WAY_TIMEOUTS = 2;

/** What the worker knows about its database (`DeploymentGuard`). */
export interface ReconciledDatabase {
  readonly known: { readonly generation: number };
  readonly needsReconciliation: boolean;
  readonly keyPrefix: string;
}

/** Lists the charges of integrations since the cut-off, and keeps those that no cycle has. */
@Injectable()
export class ListComparison {
  /** A request that another worker sent before the reconciliation began may be in flight for this long. */
  private readonly quietMs: number;
  /** After that, how much later the gateway's list may show its charge. */
  private readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly gateways: Gateways,
    private readonly integrations: Integrations,
    private readonly found: FoundCharges,
    @Inject(Placer) private readonly placer: Pick<Placer, 'begin'>,
    @Inject(DeploymentGuard) private readonly database: Pick<ReconciledDatabase, 'keyPrefix'>,
    @Inject(LOG) private readonly log: Logger,
    @Inject(SETTINGS) settings: Pick<Settings, 'gatewayTimeoutMs' | 'gatewayListLagMs'>,
  ) {
    this.quietMs = UNDER_WAY_TIMEOUTS * settings.gatewayTimeoutMs;
    this.listLagMs = listLagMs(settings.gatewayListLagMs);
  }

  /** Of all integrations of a site that are not compared yet. @returns why those of a type cannot be compared. */
  async ofSite(
    siteId: number,
    generation: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<PaymentMethodType, Blocked>> {
    const blocked = new Map<PaymentMethodType, Blocked>();
    const needed = await this.needed(siteId, generation);
    if (needed.length === 0) return blocked;
    const integrations = await this.integrations.ofSites([siteId]);
    // Each at its own pace: the slower list does not delay what the other one has to record.
    const lists = needed.map(async (one) => {
      const integration = integrations.get(integrationKey(siteId, one.type));
      if (integration === undefined) return;
      await pause(this.waitMs(one, integration), undefined, { signal });
      const why = await this.list(siteId, one, integration, generation, signal);
      if (why !== null) blocked.set(one.type, why);
    });
    const failed = (await Promise.allSettled(lists)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    for (const { type } of await this.needed(siteId, generation)) if (!blocked.has(type)) blocked.set(type, CHANGED);
    return blocked;
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
    signal: AbortSignal,
  ): Promise<Blocked | null> {
    const { gateways, found, log, database, pool } = this;
    if (integration instanceof DecryptionError) return { kind: 'refused', message: unreadableFailure().message };
    const origin = { paymentIntegrationId: id, paymentMethodType: type, siteId, sureUntilUtc };
    const query = { agoMs, installation: database.keyPrefix };
    let count = 0;
    const paging = new Paging(cursor, (ms) => this.pause(ms, signal));
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

  /** Between two readings of a page that met a fault. */
  protected pause(ms: number, signal: AbortSignal): Promise<unknown> {
    return pause(ms, undefined, { signal });
  }

  private needed(siteId: number, generation: number): Promise<Needed[]> {
    return this.pool.execute<Needed>(UNRECONCILED, [siteId, generation]);
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
