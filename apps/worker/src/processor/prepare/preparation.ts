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

/** A cycle of a batch, and what became of it: null until it is priced. */
interface PricedRow extends Pick<LeasedCycle, 'siteId' | 'scheduledOrderId'> {
  readonly cycle: LeasedCycle;
  prepared: Prepared | null;
}

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
    admit: (attempts: readonly PricedAttempt[]) => readonly PricedAttempt[],
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
    const admitted = admit(sendable);
    const { pool, worker, guard } = this;
    const attempts = await this.halving(
      admitted,
      ({ cycle }) => cycle,
      (some) => freeze(pool, worker, guard.known, some),
      results,
    );
    if (admitted.length > 0) reach('after-freeze');
    const kept = new Set([...attempts, ...results].map(({ cycle }) => cycle));
    const gone = admitted.map(({ cycle }) => cycle).filter((cycle) => !kept.has(cycle));
    return { attempts, results, gatewayChanged, left, gone };
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
    const prepared = await this.halving(cycles, (cycle) => cycle, priceSome, results);
    logUnreadable(
      this.log,
      prepared.flatMap((one) => (one.kind === 'failure' && one.thrown instanceof DecryptionError ? one.thrown : [])),
    );
    return prepared;
  }

  private async price(cycles: readonly LeasedCycle[], loader: Loader, loaded: UnratedBatch): Promise<Prepared[]> {
    const rows = cycles.map((cycle): PricedRow => {
      const { siteId, scheduledOrderId } = cycle;
      return { siteId, scheduledOrderId, cycle, prepared: null };
    });
    const time = new PricingTime();
    for await (const { cycles: some, batch } of loader.rated(rows, loaded)) {
      for (const row of some) {
        if (time.isOver) break;
        row.prepared = this.priceOne(row.cycle, batch, time);
      }
      if (time.isOver) break;
    }
    this.turns.learn(
      time,
      rows.flatMap(({ cycle, prepared }) => (prepared === null ? cycle : [])),
    );
    return rows.map(({ cycle, prepared }) => prepared ?? { kind: 'left', cycle });
  }

  private priceOne(cycle: LeasedCycle, batch: LoadedBatch, time: PricingTime): Prepared {
    const { scheduledOrderId, siteId } = cycle;
    if (batch.orders.get(scheduledOrderId)?.hasUnplaced === true) return { kind: 'unplaced', cycle };
    if (batch.left.has(scheduledOrderId)) return { kind: 'left', cycle };
    return time.measure(siteId, () => this.prepareOne(cycle, batch));
  }

  private prepareOne(cycle: LeasedCycle, batch: LoadedBatch): Prepared {
    try {
      return prepare(cycle, batch, this.guard.keyPrefix, cycle.presentUtc ?? this.clock.now());
    } catch (thrown) {
      return { kind: 'failure', cycle, failure: technicalFault(), thrown };
    }
  }

  private async halving<Row, T>(
    rows: readonly Row[],
    cycleOf: (row: Row) => LeasedCycle,
    work: (rows: readonly Row[]) => Promise<T[]>,
    results: Result[],
  ): Promise<T[]> {
    if (rows.length === 0) return [];
    try {
      return await unlessLost(() => work(rows));
    } catch (thrown) {
      if (isOtherDatabase(thrown)) {
        // These are not the rows that were claimed: they are left alone.
        this.guard.distrust();
        return [];
      }
      if (rows.length === 1) {
        const cycle = cycleOf(rows[0]!);
        const { scheduledOrderId } = cycle;
        this.log.error({ err: thrown, scheduledOrderId }, 'An order could not be prepared.');
        results.push({ cycle, outcome: { kind: 'failure', failure: technicalFault(), thrown } });
        return [];
      }
      const middle = rows.length >> 1;
      return [
        ...(await this.halving(rows.slice(0, middle), cycleOf, work, results)),
        ...(await this.halving(rows.slice(middle), cycleOf, work, results)),
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
