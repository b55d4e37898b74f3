import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ChargeList,
  credentialsFingerprint,
  Gateways,
  isSandbox,
  listLagMs,
  Paging,
  type PaymentMethodType,
} from '#libs/gateways';
import { ConnectionPool, isLost, type Logger, numbers, type Settings } from '#libs/platform';
import { Integrations } from '../../gateways/integrations.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { WorkGuard } from '../../guards/work-guard.js';
import { LOG, SETTINGS, WORKER_ID } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import type { Integration } from '../cycle/cycle.js';
import { SENT } from './audit.sql.js';
import { AuditLost, AuditTurn, PERIOD_MS } from './audit-turn.js';
import { Comparison, NotLookedUp } from './comparison.js';

const ROUND_MS = 60_000;
/** The gateway's `Date` has whole seconds, and an answer takes a moment. */
const MARGIN_MS = 120_000;

/** The database is another one, or has lost commits, since the audit began. A reconciliation comes first. */
class DatabaseInDoubt extends Error {
  override readonly name = 'DatabaseInDoubt';
}

/**
 * Compares the books of the gateways with the ledger, all the time (docs/processing.md, The audit). Each worker
 * compares one integration at a time, with one call after another. It writes differences down, and nothing else.
 */
@Injectable()
export class Audit {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private readonly closing = new AbortController();
  /** Integrations that something was sent with. */
  private readonly unsaved = new Set<number>();

  /** How much later than a charge the gateway's list may show it. */
  private readonly listLagMs: Readonly<Record<PaymentMethodType, number>>;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly gateways: Gateways,
    private readonly integrations: Integrations,
    private readonly database: DeploymentGuard,
    private readonly guard: WorkGuard,
    @Inject(LOG) private readonly log: Logger,
    @Inject(SETTINGS) { gatewayListLagMs }: Settings,
    events: WorkerEvents,
  ) {
    this.listLagMs = listLagMs(gatewayListLagMs);
    events.on('sent', ({ id, credentials }) => {
      if (!isSandbox(credentials)) this.unsaved.add(id);
    });
  }

  start(): void {
    this.timer = setInterval(() => void this.round(), ROUND_MS);
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
        if (!isLost(error)) this.log.warn({ err: error }, 'Payments could not be audited: the worker tries again.');
      })
      .finally(() => (this.running = null));
    return this.running;
  }

  private async auditAll(): Promise<void> {
    if (!(await this.guard.mayWork())) return;
    const { pool, worker } = this;
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
    await this.pool.execute(SENT, [numbers(ids), PERIOD_MS]);
    for (const id of ids) this.unsaved.delete(id);
  }

  private async take(turn: AuditTurn): Promise<void> {
    const { log } = this;
    const { integrationId: paymentIntegrationId, siteId } = turn;
    try {
      const why = await this.audit(turn);
      if (why === null) return;
      log.warn({ paymentIntegrationId, siteId, kind: why.kind }, `Payments could not be audited: ${why.message}`);
      await turn.putOff(why.kind === 'refused');
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
    const { gateways, pool, database, log, listLagMs } = this;
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
    const answer = await gateway.listCharges(query, async (page) => {
      await turn.goOn();
      await comparison.addPage(page);
    });
    if (answer.kind !== 'listed') return answer;
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
    const loaded = (await this.integrations.pinned([integrationId])).get(integrationId);
    return loaded === undefined || loaded instanceof Error ? null : loaded;
  }
}

const UNREADABLE = { kind: 'refused', message: 'The credentials of the payment integration cannot be read.' } as const;
