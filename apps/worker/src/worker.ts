import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger, Settings } from '#libs/config';
import type { ConnectionPool } from '#libs/database';
import { Gateways } from '#libs/gateways';
import { LOOK_AHEAD_MS } from '#libs/cycles';
import { Vault } from '#libs/vault';
import { DatabaseClock } from './database/clock.js';
import { Alarm } from './operations/alarm.js';
import { tellBreaker } from './operations/breakers.js';
import { DeploymentGuard } from './operations/deployment-guard.js';
import { GatewayClocks } from './operations/gateway-clocks.js';
import { logResults } from './operations/log-results.js';
import { Housekeeping } from './operations/housekeeping.js';
import { Metrics } from './operations/metrics.js';
import { RequestSignal } from './operations/request-signal.js';
import { unusableBecause } from './operations/readiness.js';
import { VersionGuard } from './operations/version-guard.js';
import { within } from './operations/within.js';
import { Charger } from './processor/charge/charger.js';
import { Claims } from './processor/claim/claims.js';
import { Claimer } from './processor/claim/claimer.js';
import { dueAgainInMs } from './processor/due-again.js';
import { CyclePipeline } from './processor/charge/cycle-pipeline.js';
import { LeasedCycles } from './processor/claim/leased-cycles.js';
import { IntegrationWaits } from './processor/charge/integration-waits.js';
import { Loader } from './processor/prepare/loader.js';
import { Preparation } from './processor/prepare/preparation.js';
import { Processor } from './processor/processor.js';
import { Reconciliation } from './processor/reconcile/reconciliation.js';
import { RecordStatements } from './processor/record/record-statements.js';
import { Recorder } from './processor/record/recorder.js';
import { RecordingHealth } from './processor/record/recording-health.js';
import { SendGate } from './processor/charge/send-gate.js';
import { InDoubtAttempts } from './processor/charge/in-doubt-attempts.js';
import { SiteWindows } from './processor/claim/site-windows.js';
import { Wakes } from './processor/charge/wakes.js';

const HEARTBEATS_PER_LEASE = 6;
/** A request that timed out may still arrive: the gateways' adapters allow for the same. */
const UNDER_WAY_TIMEOUTS = 2;
/** A site's window begins at twice the gateway's concurrency: enough to keep its queue busy. */
const WINDOW_PER_CONCURRENCY = 2;
const LARGEST_WINDOW = 10_000;
/** Between a round, or a record, and the round that it asks for: what falls due one by one is claimed a few at a time. */
const SHORTEST_PAUSE_MS = 50;
/** The longest wait for the database after the grace period. */
const LONGEST_GIVING_BACK_MS = 1_000;

/** One worker: its parts, put together, and its life. */
export class Worker {
  /** Fresh per process: a successor is never taken for its predecessor. */
  readonly id = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(4).toString('hex')}`;
  readonly metrics: Metrics;
  readonly guard: DeploymentGuard;
  private readonly versionGuard: VersionGuard;
  private readonly log: Logger;
  private readonly gateways: Gateways;
  private readonly leased: LeasedCycles;
  private readonly recording: RecordingHealth;
  private readonly reconciliation: Reconciliation;
  private readonly gatewayClocks: GatewayClocks;
  private readonly pipeline: CyclePipeline;
  private readonly processor: Processor;
  private readonly signal: RequestSignal;
  private readonly housekeeping: Housekeeping;
  private readonly alarm = new Alarm(() => void this.processor.wake());
  private readonly clock = new DatabaseClock();
  private readonly waits: IntegrationWaits;
  private readonly wakes: Wakes;
  private heartbeat: NodeJS.Timeout | null = null;
  private isStarted = false;

  constructor(
    private readonly settings: Settings,
    log: Logger,
    private readonly pool: ConnectionPool,
  ) {
    this.log = log.child({ worker: this.id });
    this.metrics = new Metrics(pool);
    this.guard = new DeploymentGuard(pool, settings.deploymentId, this.log, {
      mayCharge: (may) => this.metrics.setMayCharge(may),
      changed: () => this.pipeline.clear(),
    });
    this.recording = new RecordingHealth(this.log, (isRecording) => this.recordingChanged(isRecording));
    this.versionGuard = new VersionGuard(pool, this.log);
    this.gatewayClocks = new GatewayClocks(this.clock, this.metrics, this.log);
    this.gateways = new Gateways({
      gatewayOneUrl: settings.gatewayOneUrl,
      gatewayTwoUrl: settings.gatewayTwoUrl,
      timeoutMs: settings.gatewayTimeoutMs,
      concurrency: settings.gatewayConcurrency,
      onBreaker: (integrationId, state) => tellBreaker(this.log, this.metrics, integrationId, state),
      onDate: (integrationId, gatewayUtc) => this.gatewayClocks.saw(integrationId, gatewayUtc),
    });
    this.waits = new IntegrationWaits(pool);
    this.wakes = new Wakes(this.log, () => void this.processor.wake());
    this.leased = new LeasedCycles(pool, this.id, settings.claimLeaseMs);
    const windows = new SiteWindows(
      Math.max(settings.gatewayConcurrency * WINDOW_PER_CONCURRENCY, Math.min(settings.claimBatch, 50)),
      LARGEST_WINDOW,
    );
    const loader = new Loader(pool, Vault.fromSetting(settings.encryptionKeys));
    this.reconciliation = new Reconciliation({
      pool,
      gateways: this.gateways,
      loader,
      clock: this.clock,
      database: this.guard,
      log: this.log,
      quietMs: UNDER_WAY_TIMEOUTS * settings.gatewayTimeoutMs,
      onPlaced: () => void this.processor.wake(),
      onDone: () => this.pipeline.resume(),
      onBlocked: (siteId, type, why) => this.pipeline.block(siteId, type, why),
    });
    this.pipeline = this.createPipeline(windows, loader);
    this.processor = this.createProcessor(windows);
    this.housekeeping = new Housekeeping(pool, settings.logRetentionMonths, this.log);
    this.signal = new RequestSignal(settings, this.log, {
      due: (atMs) => this.alarm.setIn(Math.max(0, atMs - this.clock.now().getTime())),
      stopped: (scheduledOrderId) => this.leased.stop([scheduledOrderId]),
      listening: () => {
        this.alarm.setIn(0);
        this.leased.stopInactive().catch((error: unknown) => {
          this.log.debug({ err: error }, 'Orders paused meanwhile could not be looked for.');
        });
      },
    });
  }

  private createPipeline(windows: SiteWindows, loader: Loader): CyclePipeline {
    const { pool, settings, log, leased, metrics, guard, recording, reconciliation } = this;
    const gate = new SendGate(pool, this.id, leased, guard, recording);
    const schedules = { payment: settings.paymentRetryScheduleMs, technical: settings.technicalRetryScheduleMs };
    const { mayCharge, earlier } = reconciliation;
    const preparation = {
      worker: this.id,
      keyPrefix: () => guard.keyPrefix,
      known: () => guard.known,
      now: () => this.clock.now(),
      onUncompared: (siteId: number) => reconciliation.forget(siteId),
      onOtherDatabase: () => guard.distrust(),
    };
    return new CyclePipeline(
      { batch: settings.claimBatch, concurrency: settings.gatewayConcurrency },
      {
        leased,
        preparation: new Preparation(pool, loader, preparation, log),
        inDoubt: new InDoubtAttempts(pool, this.id, loader, log),
        charger: new Charger(this.gateways, gate, earlier, this.clock, (id) => this.gatewayClocks.isTooFar(id)),
        recorder: new Recorder(pool, new RecordStatements(this.id), schedules, this.clock, recording, log),
        mayCharge,
      },
      {
        finished: (recorded, cycles) => {
          logResults(log, metrics, recorded);
          const hasRoom = windows.remove(cycles, performance.now()) || this.processor.hasRoomAgain;
          if (hasRoom) void this.processor.wake();
          this.lookAgainIn(dueAgainInMs(recorded, this.clock.now()));
        },
        charged: (seconds) => metrics.chargeSeconds.observe(seconds),
        proved: (integration, fingerprint) => this.wakes.begin(() => this.waits.wake(integration, fingerprint)),
        inconclusive: (integration, isMissing) => this.wakes.begin(() => this.waits.probeSoon(integration, isMissing)),
        answered: (integration) => this.wakes.begin(() => this.waits.wakeUnknown(integration)),
      },
    );
  }

  private recordingChanged(isRecording: boolean): void {
    this.metrics.setRecording(isRecording);
    if (isRecording) void this.processor.wake();
  }

  /** At the latest after a minute: only what falls due sooner is announced. With `--once` nothing is waited for. */
  private lookAgainIn(ms: number): void {
    if (this.isStarted) this.alarm.setIn(Math.min(Math.max(ms, SHORTEST_PAUSE_MS), LOOK_AHEAD_MS));
  }

  private createProcessor(windows: SiteWindows): Processor {
    const { pool, clock, leased, pipeline, log, metrics } = this;
    const claims = new Claims(pool, this.id, this.settings.claimLeaseMs, () => this.guard.known);
    return new Processor(this.settings.claimBatch, this.settings.claimLeaseMs, {
      pool,
      clock,
      claims,
      claimer: new Claimer(claims, windows),
      windows,
      leased,
      pipeline,
      log,
      mayCharge: async () => {
        const mayCharge = (await this.versionGuard.mayWork()) && (await this.guard.mayCharge());
        if (mayCharge) this.reconciliation.begin();
        return mayCharge;
      },
      mayClaimDue: () => this.recording.mayClaim,
      onTrouble: (isOther) => (isOther ? this.guard.distrust() : this.guard.lookAgain()),
      onClaimed: ({ length }) => {
        metrics.claimed.inc(length);
        metrics.batchSize.observe(length);
      },
      onRound: (nextLookMs) => this.lookAgainIn(nextLookMs),
    });
  }

  /** Processes until `stop`. */
  start(): void {
    this.isStarted = true;
    this.beat();
    this.housekeeping.start();
    void this.signal.open();
    void this.processor.wake();
  }

  /** What the cron calls: overlapping calls are one. */
  tick(): Promise<void> {
    return this.processor.wake();
  }

  /** A sentence, or null when all is well. */
  async unreadyBecause(): Promise<string | null> {
    return (await unusableBecause(this.pool)) ?? this.guard.refusal;
  }

  /** Why the latest round claimed nothing, whatever was due; null when it did. */
  get refusal(): string | null {
    return this.versionGuard.refusal ?? this.guard.refusal;
  }

  /** Processes all that is due (`--once`). @returns whether it was done: false when the last round met an error, which is logged. */
  async drain(): Promise<boolean> {
    this.beat();
    let [before, placed] = [-1, 0];
    while (before < this.processor.claimed || placed > 0) {
      before = this.processor.claimed;
      await this.processor.wake();
      await this.pipeline.until(() => this.leased.size === 0);
      placed = this.processor.trouble === null && this.refusal === null ? await this.reconciliation.finish() : 0;
      await this.wakes.end();
    }
    this.endBeat();
    return this.processor.trouble === null;
  }

  /**
   * Sends nothing more, gives back what was not sent, and waits for what was, as long as the grace allows, whatever hangs. What is
   * still unanswered then is another worker's to find out.
   */
  async stop(): Promise<void> {
    this.gateways.close();
    this.reconciliation.close();
    if (!(await within(this.settings.shutdownGraceMs, this.finish()))) {
      const cycles = this.leased.size;
      this.log.warn({ cycles }, 'Not everything was answered within the grace: other workers go on with it.');
      const giving = this.leased.endLeases().catch(() => undefined);
      await within(LONGEST_GIVING_BACK_MS, giving);
    }
    this.isStarted = false;
    this.alarm.clear();
    this.endBeat();
  }

  private async finish(): Promise<void> {
    this.housekeeping.stop();
    void this.signal.close();
    await this.processor.stop();
    this.pipeline.stop();
    await this.pipeline.until(() => this.leased.size === 0);
    await this.wakes.end();
  }

  private beat(): void {
    this.heartbeat = setInterval(() => {
      this.leased.renew().catch((error: unknown) => this.log.warn({ err: error }, 'Leases could not be renewed.'));
    }, this.settings.claimLeaseMs / HEARTBEATS_PER_LEASE);
  }

  private endBeat(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }
}
