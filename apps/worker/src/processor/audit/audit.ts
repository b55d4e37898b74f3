import { Inject, Injectable } from '@nestjs/common';
import { isSandbox } from '#libs/gateways';
import { ConnectionPool, isLost, type Logger, numbers } from '#libs/platform';
import { WorkGuard } from '../../guards/work-guard.js';
import { LOG, WORKER_ID } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { SENT } from './audit.sql.js';
import { AuditLost, AuditTurn, PERIOD_MS } from './audit-turn.js';
import { NotLookedUp } from './comparison.js';
import { IntegrationAudit } from './integration-audit.js';

const ROUND_MS = 60_000;

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

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly integrations: IntegrationAudit,
    private readonly guard: WorkGuard,
    @Inject(LOG) private readonly log: Logger,
    events: WorkerEvents,
  ) {
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
      const why = await this.integrations.compare(turn, this.closing.signal);
      if (why === null) return;
      log.warn({ paymentIntegrationId, siteId, kind: why.kind }, `Payments could not be audited: ${why.message}`);
      await turn.putOff(why.kind === 'refused');
    } catch (error) {
      if (error instanceof AuditLost) return;
      log.warn({ err: error, paymentIntegrationId, siteId }, 'Payments could not be audited: the worker tries again.');
      await turn.putOff(error instanceof NotLookedUp && error.isRefused);
    }
  }
}
