import { type Gateways, isSandbox, listLagMs } from '#libs/gateways';
import { LOOK_AHEAD_MS } from '#libs/ledger';
import { type ConnectionPool, type Logger, type Settings, Vault } from '#libs/platform';
import { DatabaseClock } from './database/clock.js';
import { createDispatcher, type WorkerOptions } from './dispatcher/create-dispatcher.js';
import type { Dispatcher } from './dispatcher/dispatcher.js';
import { Alarm } from './operations/alarm.js';
import { ClockGuard } from './operations/clock-guard.js';
import { DeploymentGuard } from './operations/deployment-guard.js';
import { GatewayClocks } from './operations/gateway-clocks.js';
import { gatewaysOf } from './operations/gateways.js';
import { Housekeeping } from './operations/housekeeping.js';
import { logResults } from './operations/log-results.js';
import { Metrics } from './operations/metrics.js';
import { putBackChores } from './operations/put-back.js';
import { RequestSignal } from './operations/request-signal.js';
import { VersionGuard } from './operations/version-guard.js';
import { createNumbering } from './outbox/create-numbering.js';
import type { EventNumbering } from './outbox/event-numbering.js';
import { UpcomingNotices } from './outbox/upcoming-notices.js';
import { Audit } from './processor/audit/audit.js';
import { Charger } from './processor/charge/charger.js';
import { CyclePipeline, type PipelineListener } from './processor/charge/cycle-pipeline.js';
import { EarlierAttempts } from './processor/charge/earlier-attempts.js';
import { InDoubtAttempts } from './processor/charge/in-doubt-attempts.js';
import { IntegrationWaits } from './processor/charge/integration-waits.js';
import { SendGate } from './processor/charge/send-gate.js';
import { Wakes } from './processor/charge/wakes.js';
import { Claimer } from './processor/claim/claimer.js';
import { Claims } from './processor/claim/claims.js';
import { Contention } from './processor/claim/contention.js';
import { DueFloor } from './processor/claim/due-floor.js';
import { LeasedCycles } from './processor/claim/leased-cycles.js';
import { SiteWindows } from './processor/claim/site-windows.js';
import { dueAgainInMs } from './processor/due-again.js';
import { Loader } from './processor/prepare/loader.js';
import { Preparation } from './processor/prepare/preparation.js';
import { type ClaimingParts, Processor } from './processor/processor.js';
import { Reconciliation } from './processor/reconcile/reconciliation.js';
import { RecordStatements } from './processor/record/record-statements.js';
import { Recorder } from './processor/record/recorder.js';
import { RecordingHealth } from './processor/record/recording-health.js';
import { Simulation } from './processor/simulated/simulation.js';
import { traceEnd } from './processor/traces.js';

/** A request that timed out may still arrive: the gateways' adapters allow for the same. */
const UNDER_WAY_TIMEOUTS = 2;
/**
 * The pause between a round, or a record, and the round that it asks for. So orders that fall due one by one are
 * claimed a few at a time.
 */
const SHORTEST_PAUSE_MS = 50;

/** The parts of one worker, put together: who calls whom. Nothing runs yet (`Worker` starts and stops them). */
export class WorkerParts {
  readonly metrics: Metrics;
  readonly guard: DeploymentGuard;
  readonly versionGuard: VersionGuard;
  readonly gateways: Gateways;
  readonly leased: LeasedCycles;
  readonly reconciliation: Reconciliation;
  readonly pipeline: CyclePipeline;
  readonly processor: Processor;
  readonly simulation: Simulation;
  readonly signal: RequestSignal;
  readonly housekeeping: Housekeeping;
  readonly alarm = new Alarm(() => this.wake());
  /** For looks at nothing that is known: requests announce only orders that fall due within a minute. */
  readonly lookAhead = new Alarm(() => void this.processor.tick());
  readonly wakes: Wakes;
  /** Null without the role (WORKER_ROLES). */
  readonly dispatcher: Dispatcher | null;
  readonly numbering: EventNumbering;
  readonly upcoming: UpcomingNotices;
  readonly audit: Audit;
  private readonly floor = new DueFloor(() => this.signal.isListening);
  private readonly recording: RecordingHealth;
  private readonly gatewayClocks: GatewayClocks;
  private readonly clock = new DatabaseClock();
  readonly clockGuard: ClockGuard;
  private readonly vault: Vault;
  private readonly waits: IntegrationWaits;
  private readonly loader: Loader;
  private readonly windows: SiteWindows;
  private readonly contention: Contention;

  constructor(
    private readonly workerId: string,
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly pool: ConnectionPool,
    options: WorkerOptions = {},
  ) {
    this.vault = Vault.fromSetting(settings.encryptionKeys);
    this.metrics = new Metrics(pool);
    this.contention = new Contention(pool, (batches) => this.metrics.setBatchLimit(batches));
    this.guard = this.createGuard();
    this.recording = new RecordingHealth(log, (isRecording) => {
      this.metrics.setRecording(isRecording);
      if (isRecording) this.wakeAll();
    });
    this.versionGuard = new VersionGuard(pool, log);
    this.gatewayClocks = new GatewayClocks(this.clock, this.metrics, log);
    this.gateways = gatewaysOf(settings, log, this.metrics, this.gatewayClocks);
    this.waits = new IntegrationWaits(pool);
    this.wakes = new Wakes(log, () => this.wake());
    this.leased = new LeasedCycles(pool, workerId, settings.claimLeaseMs, () => this.clock.now());
    this.windows = SiteWindows.fromSettings(settings);
    this.loader = new Loader(pool, this.vault);
    const putBack = putBackChores(pool, settings.claimLeaseMs, log);
    const clocks = [this.clock, this.loader, this.gateways, this.gatewayClocks] as const;
    this.clockGuard = new ClockGuard(pool, ...clocks, log, putBack);
    this.reconciliation = this.createReconciliation();
    this.pipeline = this.createPipeline();
    this.processor = this.createProcessor();
    this.housekeeping = new Housekeeping(pool, settings, putBack, () => this.clockGuard.isRight(), log);
    this.numbering = this.createNumbering();
    this.upcoming = new UpcomingNotices(pool, this.loader, this.mayWork, log);
    this.audit = this.createAudit();
    this.simulation = new Simulation(workerId, settings, this.upcoming, () => this.guard.known, this.claiming());
    this.signal = this.createSignal();
    const { vault, metrics, guard, mayWork: maySend, distrust: onTrouble } = this;
    this.dispatcher = createDispatcher({ settings, log, pool, guard, vault, metrics, maySend, onTrouble }, options);
  }

  private createGuard(): DeploymentGuard {
    return new DeploymentGuard(this.pool, this.settings.deploymentId, this.log, {
      isClockBelieved: () => this.clock.isBelieved,
      isClockRight: () => this.clockGuard.isRight(),
      mayCharge: (may) => this.metrics.setMayCharge(may),
      changed: () => {
        this.floor.reset();
        this.pipeline.clear();
      },
    });
  }

  private createReconciliation(): Reconciliation {
    const { pool, gateways, loader, clock, guard, log, settings } = this;
    return new Reconciliation({
      pool,
      gateways,
      loader,
      clock,
      database: guard,
      log,
      quietMs: UNDER_WAY_TIMEOUTS * settings.gatewayTimeoutMs,
      listLagMs: listLagMs(settings.gatewayListLagMs),
      onPlaced: () => this.wakeAll(),
      onDone: () => this.pipeline.resume(),
      onBlocked: (siteId, type, why) => this.pipeline.block(siteId, type, why),
    });
  }

  private createAudit(): Audit {
    const { pool, gateways, loader, log, mayWork, guard: database, workerId: worker } = this;
    const lagMs = listLagMs(this.settings.gatewayListLagMs);
    return new Audit({ pool, worker, gateways, loader, log, mayWork, database, listLagMs: lagMs });
  }

  private createPipeline(): CyclePipeline {
    const { pool, settings, log, workerId, leased, loader, recording, reconciliation, contention } = this;
    const { guard, gatewayClocks: clocks } = this;
    const gate = new SendGate(pool, workerId, leased, { guard, recording, clocks });
    const schedules = { payment: settings.paymentRetryScheduleMs, technical: settings.technicalRetryScheduleMs };
    const { mayCharge, earlier } = reconciliation;
    const attempts = new EarlierAttempts(pool, loader, this.gateways, this.clock);
    return new CyclePipeline(
      { batch: settings.claimBatch, concurrency: settings.gatewayConcurrency },
      {
        leased,
        preparation: this.createPreparation(),
        inDoubt: new InDoubtAttempts(pool, workerId, loader, log),
        charger: new Charger(this.gateways, gate, earlier, attempts, this.clock, clocks),
        recorder: new Recorder(pool, new RecordStatements(workerId), schedules, this.clock, recording, log),
        contention,
        mayCharge,
      },
      this.pipelineListener(),
    );
  }

  private createPreparation(): Preparation {
    const { pool, log, loader, guard, reconciliation } = this;
    const context = {
      worker: this.workerId,
      keyPrefix: () => guard.keyPrefix,
      known: () => guard.known,
      now: () => this.clock.now(),
      onUncompared: (siteId: number) => reconciliation.forget(siteId),
      onOtherDatabase: () => guard.distrust(),
    };
    return new Preparation(pool, loader, context, log);
  }

  private pipelineListener(): PipelineListener {
    const { log, metrics, windows, wakes, waits } = this;
    return {
      finished: (all, allCycles) => {
        traceEnd(all, allCycles);
        logResults(log, metrics, all);
        const { recorded, cycles } = this.simulation.finished(all, allCycles);
        const hasRoom = windows.remove(cycles, performance.now());
        if (hasRoom || this.processor.hasRoomAgain) this.wake();
        if (cycles.length === 0) return;
        const dueAgainMs = dueAgainInMs(recorded, this.clock.now());
        if (dueAgainMs === 0) this.floor.reset();
        this.lookAgainIn(dueAgainMs);
      },
      charged: (gateway, outcome, seconds) => metrics.gateways.charged(gateway, outcome, seconds),
      sent: ({ id, credentials }) => {
        if (!isSandbox(credentials)) this.audit.sent(id);
      },
      proved: (key, fingerprint) => wakes.begin(key.siteId, () => waits.wake(key, fingerprint)),
      inconclusive: (key, isMissing) => wakes.begin(key.siteId, () => waits.probeSoon(key, isMissing)),
      answered: (key) => wakes.begin(key.siteId, () => waits.wakeUnknown(key)),
    };
  }

  /** What claims of real and of simulated sites have in common. */
  private claiming(): ClaimingParts & { readonly wakes: Wakes } {
    const { pool, pipeline, log, metrics, workerId, settings, guard, wakes } = this;
    return {
      pool,
      claims: new Claims(
        pool,
        workerId,
        settings.claimLeaseMs,
        () => guard.known,
        pipeline.atOnce,
        () => this.clock.now(),
      ),
      ...{ pipeline, log, wakes },
      mayCharge: async () => {
        const mayCharge = await this.mayWork();
        if (mayCharge) this.reconciliation.begin();
        return mayCharge;
      },
      mayClaimDue: () => this.recording.mayClaim,
      onTrouble: this.distrust,
      onClaimed: ({ length }) => metrics.countClaimed(length),
      batches: () => this.contention.batches,
    };
  }

  private createProcessor(): Processor {
    const claiming = this.claiming();
    const { clock, leased, windows, contention, settings, floor } = this;
    return new Processor(settings.claimBatch, settings.claimLeaseMs, {
      ...claiming,
      ...{ clock, floor, windows, contention, leased },
      claimer: new Claimer(claiming.claims, windows, floor, () => clock.now()),
      onRound: (nextLookMs) => this.lookAgainIn(nextLookMs),
    });
  }

  private createNumbering(): EventNumbering {
    const { pool, log, mayWork: mayNumber, distrust: onTrouble } = this;
    const known = () => this.guard.known;
    return createNumbering(this.metrics, {
      ...{ pool, log, mayNumber, known, onTrouble },
      onNumbered: () => this.dispatcher?.wakeSoon(),
    });
  }

  private mayWork = async (): Promise<boolean> => (await this.versionGuard.mayWork()) && (await this.guard.mayCharge());

  private distrust = (isOther: boolean): void => (isOther ? this.guard.distrust() : this.guard.lookAgain());

  private createSignal(): RequestSignal {
    return new RequestSignal(this.settings, this.log, {
      due: (atMs) => this.dueIn(atMs - this.clock.now().getTime()),
      clocks: () => this.simulation.wake(),
      stopped: (scheduledOrderId) => this.leased.stop([scheduledOrderId]),
      events: () => {
        this.numbering.wake();
        this.dispatcher?.wakeSoon();
      },
      listening: () => {
        this.dueIn(0);
        this.simulation.wake();
        void this.dispatcher?.wake();
        this.leased.stopInactive().catch((error: unknown) => {
          this.log.debug({ err: error }, 'Orders that were paused in the meantime could not be looked up.');
        });
      },
    });
  }

  private wake(): void {
    void this.processor.wake();
  }

  private wakeAll(): void {
    this.wake();
    this.simulation.wake();
  }

  /** An order falls due in so many milliseconds. One that is due already may be so behind the floor. */
  private dueIn(ms: number): void {
    if (ms <= 0) this.floor.reset();
    this.alarm.setIn(Math.max(0, ms));
  }

  private lookAgainIn(ms: number): void {
    if (ms < LOOK_AHEAD_MS) this.alarm.setIn(Math.max(ms, SHORTEST_PAUSE_MS));
    this.lookAhead.setIn(LOOK_AHEAD_MS);
  }
}
