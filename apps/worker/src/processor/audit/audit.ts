import { setTimeout as pause } from 'node:timers/promises';
import { type ChargeList, credentialsFingerprint, type Gateways, Paging, type PaymentMethodType } from '#libs/gateways';
import { type ConnectionPool, isLost, type Logger, numbers } from '#libs/platform';
import type { Integration, Loader } from '../prepare/loader.js';
import { SENT } from './audit.sql.js';
import { AuditLost, AuditTurn, PERIOD_MS } from './audit-turn.js';
import { Comparison, NotLookedUp } from './comparison.js';

const ROUND_MS = 60_000;
/** The gateway's `Date` has whole seconds, and an answer takes a moment. */
const MARGIN_MS = 120_000;

/** What the worker knows about its database (`DeploymentGuard`). */
export interface AuditedDatabase {
  readonly keyPrefix: string;
  readonly known: { readonly generation: number };
  /** Whether it may be charged with, looked at anew. */
  checkAnew(): Promise<boolean>;
}

/** The database is another one, or has lost commits, since the audit began. A reconciliation comes first. */
class DatabaseInDoubt extends Error {
  override readonly name = 'DatabaseInDoubt';
}

export interface AuditParts {
  readonly pool: ConnectionPool;
  readonly worker: string;
  readonly gateways: Gateways;
  readonly loader: Loader;
  readonly log: Logger;
  readonly database: AuditedDatabase;
  /** How much later than a charge the gateway's list may show it. */
  readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;
  /** Whether this worker may work with this database; false for a copy. */
  readonly mayWork: () => Promise<boolean>;
}

/**
 * Compares the books of the gateways with the ledger, all the time (docs/processing.md, The audit). Each worker
 * compares one integration at a time, with one call after another. It writes differences down, and nothing else.
 */
export class Audit {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private readonly closing = new AbortController();
  private readonly unsaved = new Set<number>();

  constructor(private readonly parts: AuditParts) {}

  start(): void {
    this.timer = setInterval(() => void this.round(), ROUND_MS);
  }

  /** Something was sent with this integration. */
  sent(integrationId: number): void {
    this.unsaved.add(integrationId);
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.closing.abort();
    await this.running;
  }

  /** Audits every integration whose turn has come, once. Overlapping calls are one. */
  round(): Promise<void> {
    this.running ??= this.auditAll()
      .catch((error: unknown) => {
        if (!isLost(error))
          this.parts.log.warn({ err: error }, 'Payments could not be audited: the worker tries again.');
      })
      .finally(() => (this.running = null));
    return this.running;
  }

  private async auditAll(): Promise<void> {
    if (!(await this.parts.mayWork())) return;
    const { pool, worker } = this.parts;
    await this.saveSent();
    const began = performance.now();
    while (!this.closing.signal.aborted) {
      const turn = await AuditTurn.begin(pool, worker, performance.now() - began);
      if (turn === null) return;
      await this.take(turn);
    }
  }

  private async saveSent(): Promise<void> {
    const ids = [...this.unsaved];
    if (ids.length === 0) return;
    await this.parts.pool.execute(SENT, [numbers(ids), PERIOD_MS]);
    for (const id of ids) this.unsaved.delete(id);
  }

  private async take(turn: AuditTurn): Promise<void> {
    const { log } = this.parts;
    const { integrationId: paymentIntegrationId, siteId } = turn;
    try {
      const said = await this.audit(turn);
      if (said === null) return;
      log.warn({ paymentIntegrationId, siteId, kind: said.kind }, `Payments could not be audited: ${said.message}`);
      await turn.putOff(said.kind === 'refused');
    } catch (error) {
      if (error instanceof AuditLost) return;
      log.warn({ err: error, paymentIntegrationId, siteId }, 'Payments could not be audited: the worker tries again.');
      await turn.putOff(error instanceof NotLookedUp && error.isRefused);
    }
  }

  /** @returns why it could not be done; null: it is done. */
  private async audit(turn: AuditTurn): Promise<Exclude<ChargeList, { kind: 'listed' }> | null> {
    const integration = await this.integrationOf(turn);
    if (integration === null) return UNREADABLE;
    const { gateways, pool, database, log, listLagMs } = this.parts;
    const { generation } = database.known;
    const assertKnown = async () => {
      if (!(await database.checkAnew()) || database.known.generation !== generation) throw new DatabaseInDoubt();
    };
    const gateway = gateways.for(integration.id, integration.credentials);
    const { id, siteId } = integration;
    const { type } = turn;
    const installation = database.keyPrefix;
    const fingerprint = credentialsFingerprint(integration.credentials);
    const comparison = new Comparison(pool, { id, siteId, type, fingerprint, installation }, turn.open, assertKnown);
    const agoMs = turn.beganUtc.getTime() - turn.checkedUntilUtc.getTime();
    const paging = new Paging(null, (ms) => pause(ms, undefined, { signal: this.closing.signal }));
    const query = { agoMs, marginMs: MARGIN_MS, installation, paging, givenBack: true } as const;
    const said = await gateway.listCharges(query, async (page) => {
      await turn.goOn();
      await comparison.of(page);
    });
    if (said.kind !== 'listed') return said;
    const untilUtc = new Date(Math.max(turn.beganUtc.getTime() - listLagMs[type], turn.checkedUntilUtc.getTime()));
    await comparison.end(turn.checkedUntilUtc, untilUtc, async (charge, transactionId) => {
      await turn.goOn();
      return gateway.lookUp(charge, transactionId);
    });
    await turn.end(untilUtc, comparison.open);
    for (const { id: differenceId, kind, scheduledOrderId } of comparison.reported)
      log.warn({ differenceId, kind, scheduledOrderId, siteId }, 'The gateway and the ledger differ about a payment.');
    return null;
  }

  private async integrationOf({ integrationId }: AuditTurn): Promise<Integration | null> {
    const loaded = (await this.parts.loader.pinnedIntegrations([String(integrationId)])).get(integrationId);
    return loaded === undefined || loaded instanceof Error ? null : loaded;
  }
}

const UNREADABLE = { kind: 'refused', message: 'The credentials of the payment integration cannot be read.' } as const;
