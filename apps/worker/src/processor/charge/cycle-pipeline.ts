import { isSandbox, type PaymentMethodType } from '#libs/gateways';
import { reach } from '../../failpoints.js';
import type { Charger } from './charger.js';
import type { LeasedCycle } from '../cycle.js';
import type { LeasedCycles } from '../claim/leased-cycles.js';
import { IntegrationHealth, type WaitListener } from './integration-health.js';
import { IntegrationQueues } from './integration-queues.js';
import { type Outcome, type Result, wasSent } from '../outcome.js';
import type { Preparation } from '../prepare/preparation.js';
import type { Attempt } from '../prepare/price.js';
import { type Blocked, blockedOutcome } from '../reconcile/blocked.js';
import type { Recorded, Recorder } from '../record/recorder.js';
import { ResultBuffer } from '../record/result-buffer.js';
import type { InDoubtAttempt, InDoubtAttempts } from './in-doubt-attempts.js';
import { TestedIntegrations } from './tested-integrations.js';
import { WRONG_ACCOUNT } from '../record/wrong-account.js';

/**
 * Batches that are loaded and frozen at once. What there is room for meanwhile makes up the next batch: one by one, as charges are answered,
 * every few orders would cost a commit of their own.
 */
const PREPARED_AT_ONCE = 2;

/** Of a cycle that may have been sent, when the worker stops before it could ask: the next one asks at once. */
const NOT_ASKED: Outcome = {
  kind: 'inDoubt',
  outcome: { kind: 'postponed', message: 'The service is stopping.', retryAfterMs: 0 },
  mayRepeat: false,
};

export interface PipelineSettings {
  readonly batch: number;
  /** Charges under way at once per integration. */
  readonly concurrency: number;
}

export interface PipelineParts {
  readonly held: LeasedCycles;
  readonly preparation: Preparation;
  readonly sent: InDoubtAttempts;
  readonly charger: Charger;
  readonly recorder: Recorder;
  /** Whether cycles of a site may go to this type of gateway now. */
  readonly mayGo: (siteId: number, type: PaymentMethodType | null) => boolean;
}

/** Told of what happens to cycles on their way. */
export interface PipelineListener extends WaitListener {
  /** Cycles have left this worker's hands. */
  finished(recorded: Recorded, cycles: readonly LeasedCycle[]): void;
  /** A gateway has answered a charge. */
  charged(seconds: number): void;
}

/**
 * The way of claimed cycles: load → price → freeze → charge → record; of what may have been sent before: load → settle → record. A cycle is
 * loaded and frozen only when its charge can go out at once, so that whoever pauses an order that still waits in line is not charged
 * (docs/processing.md says exactly until when).
 */
export class CyclePipeline {
  private readonly lanes: IntegrationQueues;
  private readonly tested = new TestedIntegrations();
  private readonly results: ResultBuffer;
  private readonly news: IntegrationHealth;
  private isPumping = false;
  private isStopped = false;
  private preparing = 0;
  private readonly waiting: (() => void)[] = [];
  /** Batches between claim and record that keep the database busy. */
  busy = 0;

  constructor(
    private readonly settings: PipelineSettings,
    private readonly parts: PipelineParts,
    private readonly listener: PipelineListener,
  ) {
    this.lanes = new IntegrationQueues(settings.concurrency, parts.mayGo);
    this.results = new ResultBuffer(settings.batch, (results) => this.record(results));
    this.news = new IntegrationHealth(this.lanes, this.tested, this.results, listener);
  }

  /** Takes over claimed cycles, each from the state that it is in. @returns those that were not in hand already. */
  take(claimed: readonly LeasedCycle[]): LeasedCycle[] {
    const cycles = this.parts.held.add(claimed);
    for (const cycle of cycles) {
      const lane = this.lanes.of(cycle);
      if (cycle.state === 'Claimed' && cycle.waitingSinceUtc !== null) lane.doubt();
      lane.push(cycle);
    }
    this.pump();
    return cycles;
  }

  /** Resolves when `condition` holds; looked at whenever a step of a batch has ended. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Nothing more is sent: what waits in line goes back, what comes is given back at once. */
  stop(): void {
    this.isStopped = true;
    this.giveBack();
  }

  /** The database is another one, or went back in time: what waits in line belongs to the one before, and goes back. */
  clear(): void {
    this.giveBack();
  }

  /** Cycles may go on that were kept in line. */
  goOn(): void {
    this.pump();
  }

  /** What waits in this line cannot go on for a while. */
  block(siteId: number, paymentMethodType: PaymentMethodType, why: Blocked): void {
    const lane = this.lanes.find(siteId, paymentMethodType);
    if (!lane) return;
    for (const cycle of lane.drainUnsent()) this.results.add({ cycle, outcome: blockedOutcome(cycle, why) });
    for (const cycle of lane.drainSent())
      this.results.add({ cycle, outcome: { kind: 'inDoubt', outcome: why, mayRepeat: false } });
  }

  private giveBack(): void {
    void this.release(this.lanes.drainUnsent());
    for (const cycle of this.lanes.drainSent()) this.results.add({ cycle, outcome: NOT_ASKED });
  }

  private async release(cycles: readonly LeasedCycle[]): Promise<void> {
    await this.parts.held.release(cycles).catch(() => undefined);
    this.listener.finished({ completed: [], confirmed: [], failed: [], lost: [] }, cycles);
    this.step(0);
  }

  private step(change: 1 | 0 | -1): void {
    this.busy += change;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Sends on whatever there is room for, from all lanes together, once in this turn. */
  private pump(): void {
    if (this.isPumping || this.isStopped) return;
    this.isPumping = true;
    setImmediate(() => {
      this.isPumping = false;
      while (this.preparing < PREPARED_AT_ONCE) {
        const taken = this.lanes.take(this.settings.batch);
        if (taken.length === 0) break;
        void this.run(taken);
      }
    });
  }

  private async run(cycles: readonly LeasedCycle[]): Promise<void> {
    this.preparing += 1;
    this.step(1);
    const unsent = cycles.filter(({ state }) => state === 'Claimed');
    const sent = cycles.filter(({ state }) => state !== 'Claimed');
    try {
      await Promise.all([unsent.length > 0 && this.send(unsent), sent.length > 0 && this.ask(sent)]);
    } finally {
      this.preparing -= 1;
      this.step(-1);
      if (this.isStopped) this.giveBack();
      else this.pump();
    }
  }

  private async send(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results, moved, left, gone } = await this.parts.preparation.ready(cycles, (priced) =>
      this.tested.admit(priced, this.lanes),
    );
    for (const { cycle, outcome } of results) {
      if (outcome.kind === 'failure' && outcome.failure.code === 1003)
        this.news.refused(cycle, outcome.failure.message);
      else this.news.untold(cycle, outcome);
      this.finish(cycle, outcome);
    }
    for (const { cycle, paymentMethodType } of moved) {
      this.news.moved(cycle);
      this.lanes.of(cycle).leave();
      cycle.paymentMethodType = paymentMethodType;
      this.lanes.of(cycle).push(cycle);
    }
    for (const cycle of left) {
      this.lanes.of(cycle).leave();
      this.lanes.of(cycle).push(cycle);
    }
    this.leave(gone);
    for (const attempt of attempts) {
      if (attempt.integration && isSandbox(attempt.integration.credentials)) this.lanes.of(attempt.cycle).unbind();
      void this.charge(attempt);
    }
  }

  private async charge(attempt: Attempt): Promise<void> {
    const { cycle } = attempt;
    const sentAt = performance.now();
    const charged = await this.parts.charger.charge(attempt);
    reach('after-charge');
    const tookMs = performance.now() - sentAt;
    if (attempt.integration && wasSent(charged.outcome)) {
      this.lanes.of(cycle).tookMs(tookMs);
      this.listener.charged(tookMs / 1000);
    }
    this.news.charged(attempt, charged);
    this.finish(cycle, charged.outcome);
  }

  private async ask(cycles: readonly LeasedCycle[]): Promise<void> {
    const { attempts, results } = await this.parts.sent.load(cycles);
    const found = new Set([...attempts, ...results].map(({ cycle }) => cycle));
    this.leave(cycles.filter((cycle) => !found.has(cycle)));
    for (const { cycle, outcome } of results) this.finish(cycle, outcome);
    for (const attempt of attempts) void this.resolve(attempt);
  }

  /** An integration that refuses it will refuse the next order as well; that it works only a charge shows. */
  private async resolve(attempt: InDoubtAttempt): Promise<void> {
    const { outcome, refused } = await this.parts.charger.resolve(attempt);
    if (refused) this.news.refused(attempt.cycle, refused);
    else this.news.settled(attempt.cycle, outcome);
    this.finish(attempt.cycle, outcome);
  }

  /** Of a cycle that was taken from its lane. */
  private finish(cycle: LeasedCycle, outcome: Outcome): void {
    this.lanes.of(cycle).leave();
    this.results.add({ cycle, outcome });
    this.pump();
  }

  /** Of cycles that were taken from their lanes: somebody else has these, and nothing of theirs is ours to write. */
  private leave(cycles: readonly LeasedCycle[]): void {
    if (cycles.length === 0) return;
    for (const cycle of cycles) this.lanes.of(cycle).leave();
    this.parts.held.drop(cycles);
    this.listener.finished({ completed: [], confirmed: [], failed: [], lost: cycles }, cycles);
    this.step(0);
  }

  private async record(results: readonly Result[]): Promise<void> {
    this.step(1);
    try {
      await this.parts.recorder.record(results, (recorded, cycles) => {
        for (const { cycle, wrongAccount } of recorded.failed)
          if (wrongAccount) this.news.refused(cycle, WRONG_ACCOUNT);
        this.parts.held.drop(cycles);
        this.listener.finished(recorded, cycles);
        this.step(0);
      });
      reach('after-record');
    } finally {
      this.step(-1);
    }
  }
}
