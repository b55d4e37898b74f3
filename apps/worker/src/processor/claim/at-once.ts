import { Inject, Injectable } from '@nestjs/common';
import type { Logger, Transaction } from '#libs/platform';
import { LOG } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import type { IntegrationQueue } from '../charge/integrations/integration-queue.js';
import { IntegrationQueues } from '../charge/integrations/integration-queues.js';
import { TestedIntegrations } from '../charge/integrations/tested-integrations.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import { Preparation } from '../prepare/preparation.js';
import type { PricedAttempt } from '../prepare/price.js';

/**
 * New cycles that are frozen in the transaction that begins them: those that would not wait in their queue anyway.
 * Their integration has answered, nothing is in its queue, and there is room for their charges. All other new cycles
 * are claimed first, and wait in their queue.
 */
@Injectable()
export class AtOnce {
  constructor(
    private readonly queues: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly preparation: Preparation,
    private readonly events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
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

  /** The transaction has ended without beginning these cycles: they leave their places. */
  leave(cycles: readonly LeasedCycle[]): void {
    for (const cycle of cycles) this.queues.for(cycle).leave();
    if (cycles.length > 0) this.events.emit('placesFree');
  }

  /**
   * One of the orders cannot be read or written, or the database cannot be reached. The cycles are only claimed, so
   * that their preparation finds out which, and says so.
   */
  failed(error: unknown): void {
    this.log.debug({ err: error }, 'New cycles could not be frozen when they began: they are claimed first.');
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
