import { Inject, Injectable } from '@nestjs/common';
import type { PaymentMethodType } from '#libs/gateways';
import type { Settings } from '#libs/platform';
import { Contention } from '../../database/contention.js';
import { SETTINGS } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import { type Blocked, blockedOutcome } from '../cycle/blocked.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { Outcome } from '../cycle/outcome.js';
import { PricingTurns } from '../prepare/pricing-turns.js';
import { BusyBatches } from './busy-batches.js';
import { CycleSteps } from './cycle-steps.js';
import { FinishedCycles } from './finished-cycles.js';
import { IntegrationQueues } from './integrations/integration-queues.js';
import { LeasedCycles } from './leased-cycles.js';

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
 * Takes claimed cycles into the queues of their integrations, and starts batches of those that may go on. Cycles that
 * were frozen when they began (`AtOnce`) are charged at once. A cycle is loaded and frozen only when its charge can be
 * sent at once. So pausing an order that still waits in its queue prevents the charge (docs/processing.md says until
 * when exactly).
 */
@Injectable()
export class CyclePipeline {
  private readonly batch: number;
  private isPumping = false;
  private isStopped = false;
  private preparing = 0;

  constructor(
    @Inject(SETTINGS) { claimBatch }: Settings,
    private readonly leased: LeasedCycles,
    private readonly queues: IntegrationQueues,
    private readonly turns: PricingTurns,
    private readonly steps: CycleSteps,
    private readonly finished: FinishedCycles,
    private readonly busy: BusyBatches,
    private readonly contention: Contention,
    events: WorkerEvents,
  ) {
    this.batch = claimBatch;
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
        void this.steps.charge(frozenAttempt);
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

  /** Sends nothing more: the queued cycles are released, and so are those that come later. */
  stop(): void {
    this.isStopped = true;
    this.releaseQueued();
  }

  /** The cycles of this queue cannot go on for a while. */
  private block(siteId: number, paymentMethodType: PaymentMethodType, why: Blocked): void {
    const queue = this.queues.find(siteId, paymentMethodType);
    if (!queue) return;
    for (const cycle of queue.drainUnsent()) this.finished.add({ cycle, outcome: blockedOutcome(cycle, why) });
    for (const cycle of queue.drainInDoubt())
      this.finished.add({ cycle, outcome: { kind: 'inDoubt', answer: why, mayRepeat: false } });
  }

  private releaseQueued(): void {
    void this.finished.release(this.queues.drainUnsent());
    for (const cycle of this.queues.drainInDoubt()) this.finished.add({ cycle, outcome: NOT_LOOKED_UP });
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
    const unsent = cycles.filter(({ state }) => state === 'Claimed');
    const inDoubt = cycles.filter(({ state }) => state !== 'Claimed');
    this.preparing += 1;
    try {
      await this.busy.add(async () => {
        await Promise.all([
          unsent.length > 0 && this.steps.send(unsent),
          inDoubt.length > 0 && this.steps.resolve(inDoubt),
        ]);
      });
    } finally {
      this.turns.ended(cycles);
      this.preparing -= 1;
      if (this.isStopped) this.releaseQueued();
      else this.pump();
    }
  }
}
