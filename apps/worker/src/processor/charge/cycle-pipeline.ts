import { Inject, Injectable } from '@nestjs/common';
import { isSandbox, type PaymentMethodType } from '#libs/gateways';
import type { Settings } from '#libs/platform';
import { Contention } from '../../database/contention.js';
import { reach } from '../../failpoints.js';
import { SETTINGS } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { type Blocked, blockedOutcome } from '../cycle/blocked.js';
import type { Attempt, LeasedCycle } from '../cycle/cycle.js';
import { isRefused, type Outcome, type Result, wasSent } from '../cycle/outcome.js';
import { NOTHING, type Recorded } from '../cycle/recorded.js';
import { tracedCharge, tracedStep, traceEnd } from '../cycle/traces.js';
import { Preparation } from '../prepare/preparation.js';
import { Recorder } from '../record/recorder.js';
import { ResultBuffer } from '../record/result-buffer.js';
import { WRONG_ACCOUNT } from '../record/wrong-account.js';
import { Charger } from './charger.js';
import { type InDoubtAttempt, InDoubtAttempts } from './in-doubt-attempts.js';
import { IntegrationHealth } from './integration-health.js';
import { IntegrationQueues } from './integration-queues.js';
import { LeasedCycles } from './leased-cycles.js';
import { TestedIntegrations } from './tested-integrations.js';
import { Wakes } from './wakes.js';

/**
 * Batches that are loaded and frozen at the same time. Cycles that may go on in the meantime form the next batch.
 * Without this limit, every few orders would cost a commit of their own.
 */
const PREPARED_AT_ONCE = 2;

/** For an in-doubt cycle when the worker stops before it could look it up: the next worker does so at once. */
const NOT_LOOKED_UP: Outcome = {
  kind: 'inDoubt',
  answer: { kind: 'postponed', message: 'The service is stopping.', retryAfterMs: 0 },
  mayRepeat: false,
};

/**
 * Takes claimed cycles through their steps: load → price → freeze → charge → record. Cycles that may have been sent
 * before go another way: load → resolve → record. Cycles that were frozen when they began (`AtOnce`) are charged at
 * once. A cycle is loaded and frozen only when its charge can be sent at once. So pausing an order that still waits in
 * its queue prevents the charge (docs/processing.md says until when exactly).
 */
@Injectable()
export class CyclePipeline {
  private readonly batch: number;
  private readonly results: ResultBuffer;
  private readonly health: IntegrationHealth;
  private isPumping = false;
  private isStopped = false;
  private preparing = 0;
  private readonly waiting: (() => void)[] = [];
  /** Batches between claim and record that keep the database busy. */
  busy = 0;

  constructor(
    @Inject(SETTINGS) { claimBatch }: Settings,
    private readonly leased: LeasedCycles,
    private readonly queues: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly preparation: Preparation,
    private readonly inDoubt: InDoubtAttempts,
    private readonly charger: Charger,
    private readonly recorder: Recorder,
    private readonly contention: Contention,
    wakes: Wakes,
    private readonly events: WorkerEvents,
  ) {
    this.batch = claimBatch;
    this.results = new ResultBuffer(claimBatch, (results) => this.record(results));
    this.health = new IntegrationHealth(queues, tested, this.results, wakes);
    for (const name of ['placesFree', 'compared'] as const) events.on(name, () => this.pump());
    events.on('blocked', (siteId, type, why) => this.block(siteId, type, why));
    // The queued cycles belong to the previous database.
    events.on('databaseChanged', () => this.releaseQueued());
  }

  /** Accepts claimed cycles in any state. @returns those that this worker did not have already. */
  take(claimed: readonly LeasedCycle[]): LeasedCycle[] {
    const cycles = this.leased.add(claimed);
    for (const cycle of cycles) {
      const { frozenAttempt } = cycle;
      if (frozenAttempt !== null) {
        cycle.frozenAttempt = null;
        void this.charge(frozenAttempt);
        continue;
      }
      const queue = this.queues.for(cycle);
      if (cycle.state === 'Claimed' && cycle.waitingSinceUtc !== null) queue.markRefused();
      queue.push(cycle);
    }
    if (this.isStopped) this.releaseQueued();
    else this.pump();
    return cycles;
  }

  /** Resolves when `condition` holds. It is checked whenever a step of a batch has ended. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Sends nothing more: the queued cycles are released, and so are those that come later. */
  stop(): void {
    this.isStopped = true;
    this.releaseQueued();
  }

  /** The cycles of this queue cannot go on for a while. */
  private block(siteId: number, paymentMethodType: PaymentMethodType, why: Blocked): void {
    const queue = this.queues.find(siteId, paymentMethodType);
    if (!queue) return;
    for (const cycle of queue.drainUnsent()) this.results.add({ cycle, outcome: blockedOutcome(cycle, why) });
    for (const cycle of queue.drainInDoubt())
      this.results.add({ cycle, outcome: { kind: 'inDoubt', answer: why, mayRepeat: false } });
  }

  private releaseQueued(): void {
    void this.release(this.queues.drainUnsent());
    for (const cycle of this.queues.drainInDoubt()) this.results.add({ cycle, outcome: NOT_LOOKED_UP });
  }

  private async release(cycles: readonly LeasedCycle[]): Promise<void> {
    await this.leased.release(cycles).catch(() => undefined);
    this.left(NOTHING, cycles);
  }

  private step(change: 1 | 0 | -1): void {
    this.busy += change;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Starts batches with the cycles that may go on, once per turn of the event loop. */
  private pump(): void {
    if (this.isPumping || this.isStopped) return;
    this.isPumping = true;
    setImmediate(() => {
      this.isPumping = false;
      while (this.preparing < Math.min(PREPARED_AT_ONCE, this.contention.batches)) {
        const taken = this.queues.take(this.batch);
        if (taken.length === 0) break;
        void this.run(taken);
      }
    });
  }

  private async run(cycles: readonly LeasedCycle[]): Promise<void> {
    this.preparing += 1;
    this.step(1);
    const unsent = cycles.filter(({ state }) => state === 'Claimed');
    const inDoubt = cycles.filter(({ state }) => state !== 'Claimed');
    try {
      await Promise.all([unsent.length > 0 && this.send(unsent), inDoubt.length > 0 && this.resolve(inDoubt)]);
    } finally {
      this.preparation.turns.ended(cycles);
      this.preparing -= 1;
      this.step(-1);
      if (this.isStopped) this.releaseQueued();
      else this.pump();
    }
  }

  private async send(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results, gatewayChanged, left, gone } = await tracedStep('prepare', cycles, () =>
      this.preparation.ready(cycles, (priced) => this.tested.admit(priced, this.queues)),
    );
    for (const { cycle, outcome } of results) {
      if (outcome.kind === 'failure' && outcome.failure.name === 'PaymentIntegrationNotFound')
        this.health.refused(cycle, outcome.failure.message);
      else this.health.inconclusive(cycle, outcome);
      this.finish(cycle, outcome);
    }
    for (const { cycle, paymentMethodType } of gatewayChanged) {
      this.health.gatewayChanged(cycle);
      this.queues.for(cycle).leave();
      cycle.paymentMethodType = paymentMethodType;
      this.queues.for(cycle).push(cycle);
    }
    for (const cycle of left) {
      this.queues.for(cycle).leave();
      this.queues.for(cycle).push(cycle);
    }
    this.leave(gone);
    for (const attempt of attempts) {
      if (attempt.integration) this.queues.for(attempt.cycle).setLimited(!isSandbox(attempt.integration.credentials));
      void this.charge(attempt);
    }
  }

  private async charge(attempt: Attempt): Promise<void> {
    const { cycle } = attempt;
    const sentAt = performance.now();
    const charged = await tracedCharge('charge', cycle, () => this.charger.charge(attempt));
    reach('after-charge');
    const tookMs = performance.now() - sentAt;
    if (attempt.integration && wasSent(charged.outcome)) {
      this.queues.for(cycle).chargeTook(tookMs);
      this.results.chargeTook(tookMs);
      const { credentials } = attempt.integration;
      const gateway = isSandbox(credentials) ? 'Sandbox' : credentials.type;
      this.events.emit('charged', gateway, charged.outcome, tookMs / 1000);
      if (!isRefused(charged.outcome)) this.events.emit('sent', attempt.integration);
    }
    this.health.charged(attempt, charged);
    this.finish(cycle, charged.outcome);
  }

  private async resolve(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results } = await tracedStep('load in doubt', cycles, () => this.inDoubt.load(cycles));
    const found = new Set([...attempts, ...results].map(({ cycle }) => cycle));
    this.leave(cycles.filter((cycle) => !found.has(cycle)));
    for (const { cycle, outcome } of results) this.finish(cycle, outcome);
    for (const attempt of attempts) void this.resolveOne(attempt);
  }

  /** An integration that refuses a look-up refuses the next order as well. Only a charge shows that it works. */
  private async resolveOne(attempt: InDoubtAttempt): Promise<void> {
    const { cycle } = attempt;
    const { outcome, refused } = await tracedCharge('look up', cycle, () => this.charger.resolve(attempt));
    if (attempt.integration && !isRefused(outcome)) this.events.emit('sent', attempt.integration);
    if (refused) this.health.refused(cycle, refused);
    else this.health.resolved(cycle, outcome);
    this.finish(cycle, outcome);
  }

  /** For a cycle that was taken from its queue. */
  private finish(cycle: LeasedCycle, outcome: Outcome): void {
    this.queues.for(cycle).leave();
    this.results.add({ cycle, outcome });
    this.pump();
  }

  /** For cycles that were taken from their queues: another worker owns them now, so nothing is written. */
  private leave(cycles: readonly LeasedCycle[]): void {
    if (cycles.length === 0) return;
    for (const cycle of cycles) this.queues.for(cycle).leave();
    this.leased.drop(cycles);
    this.left({ ...NOTHING, lost: cycles }, cycles);
  }

  private async record(results: readonly Result[]): Promise<void> {
    this.step(1);
    try {
      await tracedStep('record', cyclesOf(results), () =>
        this.recorder.record(results, (recorded, cycles) => this.recorded(recorded, cycles)),
      );
      reach('after-record');
    } finally {
      this.step(-1);
    }
  }

  private recorded(recorded: Recorded, cycles: readonly LeasedCycle[]): void {
    for (const { cycle, wrongAccount } of recorded.failed) if (wrongAccount) this.health.refused(cycle, WRONG_ACCOUNT);
    this.leased.drop(cycles);
    this.left(recorded, cycles);
  }

  /** This worker no longer has these cycles. */
  private left(recorded: Recorded, cycles: readonly LeasedCycle[]): void {
    traceEnd(recorded, cycles);
    this.events.emit('left', recorded, cycles);
    this.step(0);
  }
}

const cyclesOf = (results: readonly Result[]) => results.map(({ cycle }) => cycle);
