import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import { DecryptionError, numbers, type SqlExecutor, type Transaction, type Vault } from '#libs/platform';
import { RateLoader, type RatesOfBatch, versionNumber } from '#libs/records';
import type { CompiledRates, ShippingAddress } from '#libs/rules';
import type { LeasedCycle } from '../cycle.js';
import { loadOrders, loadSmallOrders } from './load-orders.js';
import type { LoadedOrder } from './loaded-order.js';
import { LOAD_ACCOUNTS, LOAD_INTEGRATIONS, LOAD_PINNED_INTEGRATIONS } from './loader.sql.js';

export interface Integration {
  readonly id: number;
  readonly siteId: number;
  readonly credentials: GatewayCredentials;
  /**
   * Orders wait for it, or it did not know the latest cards: one charge goes first, and its success wakes the others.
   */
  readonly needsProbe: boolean;
  /** Its charges must be compared with the cycles before anything is charged through it. */
  readonly isUncompared: boolean;
}

/** An integration, or the reason why this worker cannot read its credentials. */
export type LoadedIntegration = Integration | DecryptionError;

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

export const integrationKey = (siteId: number, type: PaymentMethodType | null): string => `${siteId}:${type}`;

/** For an order that is gone. */
const NOWHERE: ShippingAddress = {
  shippingCountry: null,
  shippingState: null,
  shippingCity: null,
  shippingPostcode: null,
};

export class Loader {
  constructor(
    private readonly pool: SqlExecutor,
    private readonly vault: Vault,
    private readonly rates = new RateLoader(pool),
  ) {}

  /** The same, with the same cached rates, in a transaction. */
  within(tx: Transaction): Loader {
    return new Loader(tx, this.vault, this.rates.within(tx));
  }

  async load(scheduledOrderIds: readonly number[], siteIds: readonly number[]): Promise<UnratedBatch> {
    const [{ orders, left }, knownRates, integrations] = await Promise.all([
      loadOrders(this.pool, scheduledOrderIds, siteIds),
      this.rates.begin(siteIds),
      this.integrations(siteIds),
    ]);
    return { orders, left, knownRates, integrations };
  }

  /**
   * The same for a transaction, one statement after another. It leaves out orders with many items, which take long to
   * read.
   */
  async loadQuickly(scheduledOrderIds: readonly number[], siteIds: readonly number[]): Promise<UnratedBatch> {
    // The orders come last: a charge that the comparison of an integration has found is seen with them.
    const integrations = await this.integrations(siteIds);
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

  /** The integrations of sites that are not deleted, with decrypted credentials. */
  async integrations(siteIds: readonly number[]): Promise<Map<string, LoadedIntegration>> {
    const rows = await this.pool.execute<IntegrationRow>(LOAD_INTEGRATIONS, [numbers(siteIds)]);
    return new Map(
      rows.map((row) => [integrationKey(Number(row.site_id), row.payment_method_type), this.decrypted(row)]),
    );
  }

  /** The account of each of these sites. */
  async accounts(siteIds: readonly number[]): Promise<[siteId: number, accountId: number][]> {
    if (siteIds.length === 0) return [];
    const rows = await this.pool.execute<{ site_id: string; account_id: string }>(LOAD_ACCOUNTS, [numbers(siteIds)]);
    return rows.map(({ site_id, account_id }) => [Number(site_id), Number(account_id)]);
  }

  /** The integrations of these ids, also deleted ones, by id. */
  async pinnedIntegrations(ids: readonly string[]): Promise<Map<number, LoadedIntegration>> {
    if (ids.length === 0) return new Map();
    const rows = await this.pool.execute<IntegrationRow>(LOAD_PINNED_INTEGRATIONS, [`{${ids.join(',')}}`]);
    return new Map(rows.map((row) => [Number(row.id), this.decrypted(row)]));
  }

  /** Credentials that cannot be decrypted must not delay the others of the batch. */
  private decrypted(row: IntegrationRow): LoadedIntegration {
    const decrypt = (column: 'api_account' | 'api_key1' | 'api_key2') =>
      this.vault.decrypt(row[column], { table: 'payment_integrations', column, row: [row.id] });
    try {
      return {
        id: Number(row.id),
        siteId: Number(row.site_id),
        needsProbe: row.needs_probe ?? false,
        isUncompared: row.uncompared ?? false,
        credentials: {
          type: row.payment_method_type,
          apiAccount: decrypt('api_account'),
          apiKey1: decrypt('api_key1'),
          apiKey2: decrypt('api_key2'),
          testMode: row.test_mode,
        },
      };
    } catch (error) {
      if (error instanceof DecryptionError) return error;
      throw error;
    }
  }
}

interface IntegrationRow {
  id: string;
  site_id: string;
  payment_method_type: PaymentMethodType;
  api_account: string | null;
  api_key1: string | null;
  api_key2: string | null;
  test_mode: boolean;
  needs_probe?: boolean;
  uncompared?: boolean;
}
