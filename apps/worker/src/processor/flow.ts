import { isSandbox } from '#libs/gateways';
import { failure } from '#libs/rules';
import { reach } from '../failpoints.js';
import type { Charged, Charger } from './charger.js';
import type { HeldCycle } from './cycle.js';
import type { HeldCycles } from './held-cycles.js';
import { Lane } from './lane.js';
import { integrationKey } from './load.js';
import { INTEGRATION_RETRY_MS } from './next-step.js';
import type { Outcome, Result } from './outcome.js';
import type { Preparation } from './preparation.js';
import type { Attempt } from './prepare.js';
import type { Recorded, Recorder } from './recorder.js';
import { ResultBuffer } from './result-buffer.js';
import type { SentAttempts } from './sent.js';

/**
 * Batches that are loaded and frozen at once. What there is room for meanwhile makes up the next batch: one by one, as charges are answered,
 * every few orders would cost a commit of their own.
 */
const PREPARED_AT_ONCE = 2;

export interface FlowSettings {
  readonly batch: number;
  /** Charges under way at once per integration. */
  readonly concurrency: number;
}

export interface FlowParts {
  readonly held: HeldCycles;
  readonly preparation: Preparation;
  readonly sent: SentAttempts;
  readonly charger: Charger;
  readonly recorder: Recorder;
}

/** Told of what happens to cycles on their way. */
export interface FlowListener {
  /** Cycles have left this worker's hands. */
  finished(recorded: Recorded, cycles: readonly HeldCycle[]): void;
  /** A gateway has answered a charge. */
  charged(seconds: number): void;
  /** Charges of a site show that its integration works again. */
  mended(siteId: number, paymentMethodType: string): void;
}

/**
 * The way of claimed cycles: load → price → freeze → charge → record. A cycle is loaded and frozen only when its charge can go out at
 * once, so that whoever pauses an order that still waits in line is not charged.
 */
export class Flow {
  private readonly lanes = new Map<string, Lane>();
  private readonly results: ResultBuffer;
  private isPumping = false;
  private isStopped = false;
  private preparing = 0;
  private readonly waiting: (() => void)[] = [];
  /** Batches between claim and record that keep the database busy. */
  busy = 0;

  constructor(
    private readonly settings: FlowSettings,
    private readonly parts: FlowParts,
    private readonly listener: FlowListener,
  ) {
    this.results = new ResultBuffer(settings.batch, (results) => this.record(results));
  }

  /** Takes over claimed cycles, each from the state that it is in. @returns those that were not in hand already. */
  take(claimed: readonly HeldCycle[]): HeldCycle[] {
    const cycles = this.parts.held.add(claimed);
    const sent = cycles.filter(({ state }) => state !== 'Claimed');
    for (const cycle of cycles) if (cycle.state === 'Claimed') this.enqueue(cycle);
    if (sent.length > 0) void this.settle(sent);
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
    for (const lane of this.lanes.values()) void this.release(lane.drain());
  }

  private async release(cycles: readonly HeldCycle[]): Promise<void> {
    await this.parts.held.release(cycles).catch(() => undefined);
    this.listener.finished({ completed: [], confirmed: [], setbacks: [], lost: [] }, cycles);
    this.step(0);
  }

  private step(change: 1 | 0 | -1): void {
    this.busy += change;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private enqueue(cycle: HeldCycle): void {
    const lane = this.laneOf(cycle);
    if (cycle.waitingSinceUtc !== null) lane.inDoubt = true;
    lane.queue.push(cycle);
  }

  private laneOf({ siteId, paymentMethodType }: HeldCycle): Lane {
    const key = integrationKey(siteId, paymentMethodType);
    let lane = this.lanes.get(key);
    if (!lane) {
      lane = new Lane(this.settings.concurrency, { hasGateway: paymentMethodType !== null });
      this.lanes.set(key, lane);
    }
    return lane;
  }

  /** Sends on whatever there is room for, from all lanes together, once in this turn. */
  private pump(): void {
    if (this.isPumping || this.isStopped) return;
    this.isPumping = true;
    setImmediate(() => {
      this.isPumping = false;
      while (this.preparing < PREPARED_AT_ONCE) {
        const taken = this.takeBatch();
        if (taken.length === 0) break;
        void this.run(taken);
      }
    });
  }

  /** A lane that had its turn goes to the end: none waits for another's backlog. */
  private takeBatch(): HeldCycle[] {
    const taken: HeldCycle[] = [];
    for (const [key, lane] of [...this.lanes]) {
      const some = lane.take(this.settings.batch - taken.length);
      taken.push(...some);
      const isOver = lane.isIdle && !lane.inDoubt;
      if (isOver || some.length > 0) this.lanes.delete(key);
      if (!isOver && some.length > 0) this.lanes.set(key, lane);
    }
    return taken;
  }

  private async run(cycles: readonly HeldCycle[]): Promise<void> {
    this.preparing += 1;
    this.step(1);
    try {
      const { attempts, results, gone } = await this.parts.preparation.ready(cycles);
      for (const { cycle, outcome } of results) {
        if (outcome.kind === 'failure' && outcome.failure.code === 1003) this.refuse(cycle, outcome.failure.message);
        this.finish(cycle, outcome);
      }
      for (const cycle of gone) this.laneOf(cycle).underWay -= 1;
      this.leave(gone);
      for (const attempt of attempts) {
        if (attempt.integration && isSandbox(attempt.integration.credentials)) this.laneOf(attempt.cycle).unbind();
        void this.charge(attempt);
      }
    } finally {
      this.preparing -= 1;
      this.step(-1);
      this.pump();
    }
  }

  private async charge(attempt: Attempt): Promise<void> {
    const { cycle } = attempt;
    const sentAt = performance.now();
    const charged = await this.parts.charger.charge(attempt);
    reach('after-charge');
    const tookMs = performance.now() - sentAt;
    this.laneOf(cycle).answered(tookMs);
    if (attempt.integration) this.listener.charged(tookMs / 1000);
    this.learn(cycle, charged);
    this.finish(cycle, charged.outcome);
  }

  private async settle(cycles: readonly HeldCycle[]): Promise<void> {
    const { attempts, results } = await this.parts.sent.load(cycles);
    const found = new Set([...attempts, ...results].map(({ cycle }) => cycle));
    this.leave(cycles.filter((cycle) => !found.has(cycle)));
    this.results.add(...results);
    for (const attempt of attempts) {
      void this.parts.charger
        .settle(attempt)
        .then(({ outcome }) => this.results.add({ cycle: attempt.cycle, outcome }));
    }
  }

  /** What an answer says about the integration holds for all orders that wait for it. */
  private learn(cycle: HeldCycle, { outcome, refused }: Charged): void {
    const lane = this.laneOf(cycle);
    if (refused) this.refuse(cycle, refused);
    else if (refused === null && lane.inDoubt) {
      lane.inDoubt = false;
      if (cycle.paymentMethodType) this.listener.mended(cycle.siteId, cycle.paymentMethodType);
    }
    if (outcome.kind === 'charge' && outcome.outcome.kind === 'postponed')
      this.postpone(lane, outcome.outcome.retryAfterMs);
  }

  private refuse(cycle: HeldCycle, message: string): void {
    const lane = this.laneOf(cycle);
    lane.inDoubt = true;
    for (const queued of lane.drain()) {
      this.results.add({
        cycle: queued,
        outcome:
          queued.waitingSinceUtc === null
            ? { kind: 'failure', failure: failure('PaymentIntegrationNotFound', message) }
            : { kind: 'postponed', delayMs: INTEGRATION_RETRY_MS },
      });
    }
  }

  private postpone(lane: Lane, delayMs: number): void {
    for (const cycle of lane.drain()) this.results.add({ cycle, outcome: { kind: 'postponed', delayMs } });
  }

  /** Of a cycle that was taken from its lane. */
  private finish(cycle: HeldCycle, outcome: Outcome): void {
    this.laneOf(cycle).underWay -= 1;
    this.results.add({ cycle, outcome });
    this.pump();
  }

  /** Somebody else has these: nothing of theirs is ours to write. */
  private leave(cycles: readonly HeldCycle[]): void {
    if (cycles.length === 0) return;
    this.parts.held.drop(cycles);
    this.listener.finished({ completed: [], confirmed: [], setbacks: [], lost: cycles }, cycles);
    this.step(0);
  }

  private async record(results: readonly Result[]): Promise<void> {
    this.step(1);
    try {
      await this.parts.recorder.record(results, (recorded, cycles) => {
        this.parts.held.drop(cycles);
        this.listener.finished(recorded, cycles);
      });
      reach('after-record');
    } finally {
      this.step(-1);
    }
  }
}
