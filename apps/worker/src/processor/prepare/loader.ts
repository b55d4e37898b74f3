import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPool, numbers, type SqlExecutor, type Transaction } from '#libs/platform';
import { RateLoader, type RatesOfBatch, versionNumber } from '#libs/records';
import type { CompiledRates, ShippingAddress } from '#libs/rules';
import { Integrations, type LoadedIntegration } from '../../gateways/integrations.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { LoadedOrder } from '../cycle/loaded-order.js';
import { loadOrders, loadSmallOrders } from './load-orders.js';
import { LOAD_ACCOUNTS } from './loader.sql.js';

/** What a batch is priced with, except its rates. */
export interface UnratedBatch {
  readonly orders: ReadonlyMap<number, LoadedOrder>;
  /** Orders that did not fit into memory with all their items. */
  readonly left: ReadonlySet<number>;
  readonly knownRates: RatesOfBatch;
  /** By `integrationKey`. */
  readonly integrations: ReadonlyMap<string, LoadedIntegration>;
}

/** What a batch, or a part of it, is priced with. */
export interface LoadedBatch extends UnratedBatch {
  /** By site: the rates that can match its orders' addresses. */
  readonly rates: ReadonlyMap<number, CompiledRates>;
  /** By site: the version of its rates. */
  readonly versions: ReadonlyMap<number, number>;
  /** The sum of the versions of the batch's sites when it began. */
  readonly pricesVersion: number;
}

/** A cycle whose order is priced. */
type OfOrder = Pick<LeasedCycle, 'siteId' | 'scheduledOrderId'>;

/** Cycles of a batch that are priced together. */
export interface RatedPart<Cycle extends OfOrder> {
  readonly cycles: readonly Cycle[];
  readonly batch: LoadedBatch;
}

/** For an order that is gone. */
const NOWHERE: ShippingAddress = {
  shippingCountry: null,
  shippingState: null,
  shippingCity: null,
  shippingPostcode: null,
};

@Injectable()
export class Loader {
  constructor(
    @Inject(ConnectionPool) private readonly pool: SqlExecutor,
    private readonly integrations: Integrations,
    private readonly rates: RateLoader,
  ) {}

  /** The same, with the same cached rates, in a transaction. */
  within(tx: Transaction): Loader {
    return new Loader(tx, this.integrations.within(tx), this.rates.within(tx));
  }

  async load(scheduledOrderIds: readonly number[], siteIds: readonly number[]): Promise<UnratedBatch> {
    const [{ orders, left }, knownRates, integrations] = await Promise.all([
      loadOrders(this.pool, scheduledOrderIds, siteIds),
      this.rates.begin(siteIds),
      this.integrations.ofSites(siteIds),
    ]);
    return { orders, left, knownRates, integrations };
  }

  /**
   * The same for a transaction, one statement after another. It leaves out orders with many items, which take long to
   * read.
   */
  async loadQuickly(scheduledOrderIds: readonly number[], siteIds: readonly number[]): Promise<UnratedBatch> {
    // The orders come last: a charge that the comparison of an integration has found is seen with them.
    const integrations = await this.integrations.ofSites(siteIds);
    const knownRates = await this.rates.begin(siteIds);
    const { orders, left } = await loadSmallOrders(this.pool, scheduledOrderIds, siteIds);
    return { orders, left, knownRates, integrations };
  }

  /** All of `cycles`, in parts whose rates fit into memory. The caller prices each part before it asks for the next. */
  async *rated<Cycle extends OfOrder>(cycles: readonly Cycle[], batch: UnratedBatch): AsyncGenerator<RatedPart<Cycle>> {
    const shipped = cycles.map((cycle) => ({
      cycle,
      siteId: cycle.siteId,
      to: batch.orders.get(cycle.scheduledOrderId) ?? NOWHERE,
    }));
    const known = [...batch.knownRates.values()].map(({ version }) => versionNumber(version));
    const pricesVersion = known.reduce((sum, version) => sum + version, 0);
    for await (const { orders, rates, versions } of this.rates.portions(shipped, batch.knownRates)) {
      const bySite = new Map([...versions].map(([siteId, version]) => [siteId, versionNumber(version)]));
      yield { cycles: orders.map(({ cycle }) => cycle), batch: { ...batch, rates, versions: bySite, pricesVersion } };
    }
  }

  /** The account of each of these sites. */
  async accounts(siteIds: readonly number[]): Promise<[siteId: number, accountId: number][]> {
    if (siteIds.length === 0) return [];
    const rows = await this.pool.execute<{ siteId: number; accountId: number }>(LOAD_ACCOUNTS, [numbers(siteIds)]);
    return rows.map(({ siteId, accountId }) => [siteId, accountId]);
  }
}
