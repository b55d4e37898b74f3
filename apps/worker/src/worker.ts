import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { schemaMetrics } from '#libs/entities';
import { type ConnectionPool, type Logger, poolMetrics, type Settings, WriteProbe } from '#libs/platform';
import type { WorkerOptions } from './dispatcher/create-dispatcher.js';
import type { Dispatcher } from './dispatcher/dispatcher.js';
import type { DeploymentGuard } from './operations/deployment-guard.js';
import type { Metrics } from './operations/metrics.js';
import { unusableBecause } from './operations/readiness.js';
import { within } from './operations/within.js';
import { WorkerParts } from './worker-parts.js';

const HEARTBEATS_PER_LEASE = 6;
/** The longest wait for the database after the grace period. */
const LONGEST_GIVING_BACK_MS = 1_000;

/** The life cycle of one worker: it starts, processes all that is due, and stops. */
export class Worker {
  /** New for every process, so that a restarted worker is never mistaken for its predecessor. */
  readonly id = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  private readonly log: Logger;
  private readonly parts: WorkerParts;
  private readonly writes: WriteProbe;
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(
    private readonly settings: Settings,
    log: Logger,
    private readonly pool: ConnectionPool,
    options: WorkerOptions = {},
  ) {
    this.log = log.child({ worker: this.id });
    this.parts = new WorkerParts(this.id, settings, this.log, pool, options);
    const { registry } = this.metrics;
    const { dispatchPool } = options;
    poolMetrics(registry, { main: pool, ...(dispatchPool && { dispatcher: dispatchPool }) });
    this.writes = new WriteProbe(pool, this.log);
    schemaMetrics(registry, pool, () => this.unreadyBecause());
    this.writes.show(registry);
    this.metrics.setRoles(settings.workerRoles);
  }

  get metrics(): Metrics {
    return this.parts.metrics;
  }

  /** Null without the role. */
  get dispatcher(): Dispatcher | null {
    return this.parts.dispatcher;
  }

  get guard(): DeploymentGuard {
    return this.parts.guard;
  }

  /** Processes until `stop`. */
  start(): void {
    const { alarm, lookAhead, housekeeping, signal, processor, numbering, upcoming, dispatcher } = this.parts;
    this.beat();
    housekeeping.start();
    numbering.start();
    void signal.open();
    dispatcher?.start();
    if (!this.isProcessor) return;
    alarm.start();
    lookAhead.start();
    upcoming.start();
    this.parts.audit.start();
    void processor.wake();
    this.parts.simulation.start();
  }

  /** The cron calls this. Overlapping calls are one. */
  async tick(): Promise<void> {
    if (!this.isProcessor) return;
    this.parts.simulation.wake();
    await this.parts.processor.tick();
  }

  private get isProcessor(): boolean {
    return this.settings.workerRoles.includes('processor');
  }

  /** A sentence, or null when all is well. */
  async unreadyBecause(): Promise<string | null> {
    const { numbering, dispatcher } = this.parts;
    const unusable = await unusableBecause(this.pool, () => this.writes.failBecause());
    return unusable ?? this.guard.refusal ?? dispatcher?.trouble ?? numbering.trouble;
  }

  /** Why the latest round could not claim due orders; null when it could. */
  get refusal(): string | null {
    return this.parts.versionGuard.refusal ?? this.guard.refusal;
  }

  /**
   * Processes all due orders, then sends all webhooks that are due (`--once`). @returns false when a last round met an
   * error, or a clock that may be wrong; the log says which.
   */
  async drain(): Promise<boolean> {
    const isDone = await this.drainAll();
    return isDone && !this.parts.clockGuard.isWaiting;
  }

  private async drainAll(): Promise<boolean> {
    if (this.isProcessor && !(await this.process())) return false;
    const { numbering, upcoming } = this.parts;
    await numbering.drain();
    // An order whose date has moved is found by its event.
    if (this.isProcessor) {
      await upcoming.round();
      await this.parts.audit.round();
    }
    await numbering.drain();
    let isSent = await this.send();
    // What became of a webhook may be an event itself.
    while (isSent && (await numbering.drain()) > 0) isSent = await this.send();
    return isSent;
  }

  private async send(): Promise<boolean> {
    const { dispatcher } = this.parts;
    return dispatcher === null || (await dispatcher.drain());
  }

  private async process(): Promise<boolean> {
    const { processor, simulation, pipeline, leased, reconciliation, wakes } = this.parts;
    this.beat();
    let [before, placed] = [-1, 0];
    while (before < processor.claimed || placed > 0) {
      before = processor.claimed;
      await processor.wake();
      await simulation.drain();
      await pipeline.until(() => leased.size === 0);
      const mayPlace = processor.trouble === null && this.refusal === null && this.guard.isTrusted;
      placed = mayPlace ? await reconciliation.finish() : 0;
      await wakes.end();
      // Cycles that ended may have made room, and so have begun a round of their own.
      if (before === processor.claimed && placed === 0) await processor.atRest();
    }
    this.endBeat();
    return processor.trouble === null;
  }

  /**
   * Sends nothing more, releases the cycles that were not sent, and waits for the others, but no longer than the grace
   * period. Another worker then looks up what is still unanswered.
   */
  async stop(): Promise<void> {
    const { gateways, reconciliation, leased, alarm, lookAhead } = this.parts;
    gateways.close();
    reconciliation.close();
    if (!(await within(this.settings.shutdownGraceMs, this.finish()))) {
      const cycles = leased.size;
      this.log.warn(
        { cycles },
        'Some charges have no answer at the end of the grace period: other workers look them up.',
      );
      const giving = leased.endLeases().catch(() => undefined);
      await within(LONGEST_GIVING_BACK_MS, giving);
    }
    alarm.stop();
    lookAhead.stop();
    this.endBeat();
  }

  private async finish(): Promise<void> {
    const { housekeeping, signal, processor, simulation, pipeline, leased, wakes, numbering, upcoming, dispatcher } =
      this.parts;
    const dispatched = dispatcher?.stop();
    const cleaned = housekeeping.stop();
    void signal.close();
    const audited = this.parts.audit.stop();
    await upcoming.stop();
    await processor.stop();
    const simulated = simulation.stop();
    pipeline.stop();
    await pipeline.until(() => leased.size === 0);
    await simulated;
    await wakes.end();
    await numbering.stop();
    await dispatched;
    await audited;
    await cleaned;
  }

  private beat(): void {
    this.endBeat();
    this.heartbeat = setInterval(() => {
      this.parts.leased
        .renew()
        .catch((error: unknown) => this.log.warn({ err: error }, 'Leases could not be renewed.'));
    }, this.settings.claimLeaseMs / HEARTBEATS_PER_LEASE);
  }

  private endBeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }
}
