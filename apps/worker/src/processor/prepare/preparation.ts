import { Inject, Injectable } from '@nestjs/common';
import { heldFailure } from '#libs/ledger';
import { ConnectionPool, DecryptionError, isOtherDatabase, type Logger, type Transaction } from '#libs/platform';
import { DatabaseClock } from '../../database/clock.js';
import { unlessLost } from '../../database/unless-lost.js';
import { reach } from '../../failpoints.js';
import { logUnreadable } from '../../gateways/unreadable-credentials.js';
import { DeploymentGuard } from '../../guards/deployment-guard.js';
import { LOG, WORKER_ID } from '../../tokens.js';
import { WorkerEvents } from '../../worker-events.js';
import type { Attempt, LeasedCycle } from '../cycle/cycle.js';
import { type Result, technicalFault } from '../cycle/outcome.js';
import { tracedPart } from '../cycle/traces.js';
import { freeze } from './freeze.js';
import { type LoadedBatch, Loader, type UnratedBatch } from './loader.js';
import { prepare, type Prepared, type PricedAttempt } from './price.js';
import { PricingTime, PricingTurns } from './pricing-turns.js';

export type GatewayChanged = Extract<Prepared, { kind: 'gatewayChanged' }>;

/** The results of preparing claimed cycles. */
export interface Ready {
  /** Frozen: to be charged now. */
  readonly attempts: readonly Attempt[];
  /** Cycles that cannot be charged, and why. */
  readonly results: readonly Result[];
  /** Cycles whose order is now paid through another gateway: they are in the wrong queue. */
  readonly gatewayChanged: readonly GatewayChanged[];
  /** Unchanged: they have so many items, or take so long to price, that they wait for a later batch. */
  readonly left: readonly LeasedCycle[];
  /** Ended by a request, or owned by another worker: nothing is written for them. */
  readonly gone: readonly LeasedCycle[];
}

/** Loads, prices and freezes batches of claimed cycles. When one fails, the batch is halved until that one is alone. */
@Injectable()
export class Preparation {
  constructor(
    private readonly pool: ConnectionPool,
    @Inject(WORKER_ID) private readonly worker: string,
    private readonly loader: Loader,
    readonly turns: PricingTurns,
    private readonly guard: DeploymentGuard,
    private readonly clock: DatabaseClock,
    private readonly events: WorkerEvents,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** `admit`: chooses which of the priced attempts may be frozen, and takes care of the others. */
  async ready(
    cycles: readonly LeasedCycle[],
    admit: (attempts: readonly Attempt[]) => readonly Attempt[],
  ): Promise<Ready> {
    const results: Result[] = [];
    const gatewayChanged: GatewayChanged[] = [];
    const left: LeasedCycle[] = [];
    const sendable: PricedAttempt[] = [];
    const prepared = await this.loadAndPrice(cycles, results);
    reach('after-load');
    for (const one of prepared) {
      if (one.kind === 'attempt') sendable.push(one.attempt);
      else if (one.kind === 'gatewayChanged') gatewayChanged.push(one);
      else if (one.kind === 'left') left.push(one.cycle);
      else results.push(resultOf(one));
      if (one.kind === 'uncompared') this.events.emit('uncompared', one.cycle.siteId);
    }
    const all = new Map(sendable.map((attempt) => [attempt.cycle, attempt]));
    const priced = new Map(admit(sendable).map(({ cycle }) => [cycle, all.get(cycle)!]));
    const toFreeze = [...priced.keys()];
    const { pool, worker, guard } = this;
    const attempts = await this.halving(
      toFreeze,
      (some) =>
        freeze(
          pool,
          worker,
          guard.known,
          some.map((cycle) => priced.get(cycle)!),
        ),
      results,
    );
    if (toFreeze.length > 0) reach('after-freeze');
    for (const { cycle } of attempts) priced.delete(cycle);
    for (const { cycle } of results) priced.delete(cycle);
    return { attempts, results, gatewayChanged, left, gone: [...priced.keys()] };
  }

  /**
   * Prices new cycles in the transaction that begins them, which has locked their orders. Whatever is not a plain first
   * attempt is left out: it takes the way of `ready`.
   */
  async atOnce(tx: Transaction, cycles: readonly LeasedCycle[]): Promise<PricedAttempt[]> {
    const loader = this.loader.within(tx);
    const loaded = await loader.loadQuickly(...idsOf(cycles));
    const prepared = await tracedPart('price', () => this.price(cycles, loader, loaded));
    reach('after-load');
    return prepared.flatMap((one) => (one.kind === 'attempt' && !one.attempt.isOverdue ? one.attempt : []));
  }

  /** `results`: receives the failures of orders that cannot be loaded. */
  private async loadAndPrice(cycles: readonly LeasedCycle[], results: Result[]): Promise<Prepared[]> {
    const { loader } = this;
    const priceSome = async (some: readonly LeasedCycle[]) => {
      const loaded = await loader.load(...idsOf(some));
      const priced = await tracedPart('price', () => this.price(some, loader, loaded));
      for (const [siteId, accountId] of await loader.accounts(this.turns.withoutAccount))
        this.turns.belongs(siteId, accountId);
      return priced;
    };
    const prepared = await this.halving(cycles, priceSome, results);
    logUnreadable(
      this.log,
      prepared.flatMap((one) => (one.kind === 'failure' && one.thrown instanceof DecryptionError ? one.thrown : [])),
    );
    return prepared;
  }

  private async price(cycles: readonly LeasedCycle[], loader: Loader, loaded: UnratedBatch): Promise<Prepared[]> {
    const pricedOf = new Map<LeasedCycle, Prepared>();
    const time = new PricingTime();
    for await (const { cycles: some, batch } of loader.rated(cycles, loaded)) {
      for (const cycle of some) {
        if (time.isOver) break;
        const isUnplaced = batch.orders.get(cycle.scheduledOrderId)?.hasUnplaced === true;
        if (isUnplaced) pricedOf.set(cycle, { kind: 'unplaced', cycle });
        else if (batch.left.has(cycle.scheduledOrderId)) pricedOf.set(cycle, { kind: 'left', cycle });
        else
          pricedOf.set(
            cycle,
            time.measure(cycle.siteId, () => this.priceOne(cycle, batch)),
          );
      }
      if (time.isOver) break;
    }
    this.turns.learn(
      time,
      cycles.filter((cycle) => !pricedOf.has(cycle)),
    );
    return cycles.map((cycle) => pricedOf.get(cycle) ?? { kind: 'left', cycle });
  }

  private priceOne(cycle: LeasedCycle, batch: LoadedBatch): Prepared {
    try {
      return prepare(cycle, batch, this.guard.keyPrefix, cycle.presentUtc ?? this.clock.now());
    } catch (thrown) {
      return { kind: 'failure', cycle, failure: technicalFault(), thrown };
    }
  }

  private async halving<T>(
    cycles: readonly LeasedCycle[],
    work: (cycles: readonly LeasedCycle[]) => Promise<T[]>,
    results: Result[],
  ): Promise<T[]> {
    if (cycles.length === 0) return [];
    try {
      return await unlessLost(() => work(cycles));
    } catch (thrown) {
      if (isOtherDatabase(thrown)) {
        // These are not the rows that were claimed: they are left alone.
        this.guard.distrust();
        return [];
      }
      const [first] = cycles;
      if (cycles.length === 1 && first) {
        this.log.error({ err: thrown, scheduledOrderId: first.scheduledOrderId }, 'An order could not be prepared.');
        results.push({ cycle: first, outcome: { kind: 'failure', failure: technicalFault(), thrown } });
        return [];
      }
      const middle = cycles.length >> 1;
      return [
        ...(await this.halving(cycles.slice(0, middle), work, results)),
        ...(await this.halving(cycles.slice(middle), work, results)),
      ];
    }
  }
}

/** Of the orders and their sites. */
const idsOf = (cycles: readonly LeasedCycle[]): [orders: number[], sites: number[]] => [
  cycles.map(({ scheduledOrderId }) => scheduledOrderId),
  [...new Set(cycles.map(({ siteId }) => siteId))],
];

/** How soon to try again while a found charge has no cycle yet, or the gateway's list has not been compared. */
const AGAIN_MS = 1_000;

function resultOf(prepared: Exclude<Prepared, { kind: 'attempt' | 'gatewayChanged' | 'left' }>): Result {
  const { cycle } = prepared;
  // Normally the request has ended the cycle as well. If not, this ends it.
  if (prepared.kind === 'gone') return { cycle, outcome: { kind: 'postponed', delayMs: 0 } };
  if (prepared.kind === 'unplaced' || prepared.kind === 'uncompared')
    return { cycle, outcome: { kind: 'postponed', delayMs: AGAIN_MS } };
  if (prepared.kind === 'held') return { cycle, outcome: { kind: 'failure', failure: heldFailure(prepared.heldBy) } };
  return { cycle, outcome: { kind: 'failure', failure: prepared.failure, thrown: prepared.thrown } };
}
