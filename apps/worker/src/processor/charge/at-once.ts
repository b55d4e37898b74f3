import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/platform';
import { WorkerEvents } from '../../worker-events.js';
import type { LeasedCycle } from '../cycle.js';
import { Preparation } from '../prepare/preparation.js';
import type { Attempt, PricedAttempt } from '../prepare/price.js';
import type { IntegrationQueue } from './integration-queue.js';
import { IntegrationQueues } from './integration-queues.js';
import { TestedIntegrations } from './tested-integrations.js';

/**
 * New cycles that are frozen in the transaction that begins them: those that would not wait in their queue anyway.
 * Their integration has answered, nothing is in its queue, and there is room for their charges. All other new cycles
 * are claimed first, and wait in their queue.
 */
@Injectable()
export class AtOnce {
  private readonly frozen = new Map<LeasedCycle, Attempt>();

  constructor(
    private readonly queues: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly preparation: Preparation,
    private readonly events: WorkerEvents,
  ) {}

  /**
   * Prices, in the transaction that has locked their orders, the cycles that may be frozen in it. Each takes its place
   * among the charges in flight.
   */
  async price(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<PricedAttempt[]> {
    const candidates = this.candidates(cycles);
    if (candidates.length === 0) return [];
    const priced = await this.preparation.atOnce(tx, candidates);
    return priced.filter((attempt) => this.tested.isTested(attempt) && this.queues.for(attempt.cycle).enter());
  }

  /** The transaction has ended. Those that it did not begin, or none if it failed, leave their places. */
  settle(attempts: readonly Attempt[], begun: ReadonlySet<LeasedCycle>): void {
    const left = attempts.filter(({ cycle }) => !begun.has(cycle));
    for (const attempt of attempts) if (begun.has(attempt.cycle)) this.frozen.set(attempt.cycle, attempt);
    for (const { cycle } of left) this.queues.for(cycle).leave();
    if (left.length > 0) this.events.emit('placesFree');
  }

  failed(error: unknown): void {
    this.preparation.failedAtOnce(error);
  }

  /** The frozen attempt of a new cycle, to be sent now. */
  take(cycle: LeasedCycle): Attempt | undefined {
    const attempt = this.frozen.get(cycle);
    this.frozen.delete(cycle);
    return attempt;
  }

  /**
   * No more of each queue than it has room for: pricing costs most of the time, and those that must wait are priced
   * later.
   */
  private candidates(cycles: readonly LeasedCycle[]): LeasedCycle[] {
    const rooms = new Map<IntegrationQueue, number>();
    return cycles.filter((cycle) => {
      const queue = this.queues.for(cycle);
      const room =
        rooms.get(queue) ?? Math.min(this.roomFor(cycle, queue), this.preparation.turns.roomAtOnce(cycle.siteId));
      rooms.set(queue, room - 1);
      return room > 0;
    });
  }

  private roomFor(cycle: LeasedCycle, queue: IntegrationQueue): number {
    if (cycle.paymentMethodType === null) return queue.roomAtOnce;
    const known = this.tested.known(cycle);
    if (known === undefined) return 0;
    queue.setLimited(!known.isSandbox);
    return queue.roomAtOnce;
  }
}
