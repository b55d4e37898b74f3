import { Inject, Injectable } from '@nestjs/common';
import type { KnownDatabase } from '#libs/entities';
import { type Deployment, readDeployment } from '#libs/ledger';
import { ConnectionPool, type Logger, type Settings } from '#libs/platform';
import { DatabaseClock } from '../database/clock.js';
import { Metrics } from '../metrics/metrics.js';
import { LOG, SETTINGS } from '../tokens.js';
import { WorkerEvents } from '../worker-events.js';
import { ClockGuard } from './clock-guard.js';

/** The time between two checks. Every claim and freeze also checks by itself (`assert_same_database`). */
const RECHECK_MS = 10_000;

const WHY = {
  timeline: 'The database was restored or promoted: it may lack charges that were made.',
  memory: 'The database went back in time: it may lack charges that were made.',
  gap: 'No worker was running for hours: the database may have been restored in the meantime.',
  adopted: 'The database was adopted: it may lack charges that were made.',
} as const;

/** Checks before every round whether this worker may charge with this database (docs/processing.md). */
@Injectable()
export class DeploymentGuard {
  private deployment: Deployment | null = null;
  private checkedAt = -Infinity;
  private checking: Promise<boolean> | null = null;
  private loggedRefusal: string | null = null;
  /** False after a statement met another database. Nothing is sent then. */
  isTrusted = false;

  constructor(
    private readonly pool: ConnectionPool,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly clock: DatabaseClock,
    private readonly clockGuard: ClockGuard,
    private readonly metrics: Metrics,
    private readonly events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Processor and dispatcher ask at the same time: they share one check. */
  mayCharge(): Promise<boolean> {
    if (!this.clock.isBelieved) this.isTrusted = false;
    if (this.isTrusted && performance.now() - this.checkedAt < RECHECK_MS) return Promise.resolve(true);
    this.checking ??= this.check().finally(() => (this.checking = null));
    return this.checking;
  }

  /** The same, by a check that begins now: what was read a moment ago may be of another database. */
  async checkAnew(): Promise<boolean> {
    await this.checking;
    this.lookAgain();
    return this.mayCharge();
  }

  private async check(): Promise<boolean> {
    // With a wrong clock not even a sign of life is written: it would be seen as the last one for as long as the clock
    // was ahead.
    if (!(await this.clockGuard.isRight())) {
      this.isTrusted = false;
      this.metrics.setMayCharge(false);
      return false;
    }
    const before = this.deployment;
    const now = await readDeployment(this.pool, this.settings.deploymentId, before);
    this.deployment = now;
    this.checkedAt = performance.now();
    this.isTrusted = now.refusal === null;
    this.logDoubts(now);
    if (before !== null && (before.generation !== now.generation || before.refusal !== now.refusal))
      this.events.emit('databaseChanged');
    this.metrics.setMayCharge(this.isTrusted);
    return this.isTrusted;
  }

  /** A statement met another database, or a connection was lost: nothing is claimed before the next check. */
  lookAgain(): void {
    this.checkedAt = -Infinity;
  }

  /** As `lookAgain`, and nothing is sent any more, not even frozen attempts. */
  distrust(): void {
    this.isTrusted = false;
    this.lookAgain();
  }

  get refusal(): string | null {
    return this.deployment?.refusal ?? null;
  }

  get keyPrefix(): string {
    return this.deployment!.keyPrefix;
  }

  get known(): KnownDatabase {
    return this.deployment!;
  }

  get needsReconciliation(): boolean {
    return this.deployment!.needsReconciliation;
  }

  private logDoubts({ refusal, reconciliationCause }: Deployment): void {
    if (reconciliationCause !== null)
      this.log.warn(
        `${WHY[reconciliationCause]} Charges at the gateways are compared with the ledger before anything is charged.`,
      );
    if (refusal !== null && refusal !== this.loggedRefusal) this.log.error(refusal);
    if (refusal === null && this.loggedRefusal !== null) this.log.info('Charging with this database is allowed again.');
    this.loggedRefusal = refusal;
  }
}
