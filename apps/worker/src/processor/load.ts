import type pg from 'pg';
import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import { compileRates, type CompiledRates, type ShippingRateRow, type TaxRateRow } from '#libs/rules';
import { SealedValueError, type Vault } from '#libs/vault';
import { numbers } from '../database/array-literal.js';
import { loadedOrder, type LoadedOrder, type OrderRow } from './loaded-order.js';
import { LOAD_INTEGRATIONS, LOAD_ORDERS, LOAD_RATES } from './load.sql.js';
import { LOAD_PINNED_INTEGRATIONS } from './sent.sql.js';

export interface Integration {
  readonly id: number;
  readonly siteId: number;
  readonly credentials: GatewayCredentials;
  /** Orders wait for it, or it did not know the latest cards: one charge goes first, and its success is to be told. */
  readonly isDoubtful: boolean;
}

/** An integration, or why this worker cannot read its credentials. */
export type LoadedIntegration = Integration | SealedValueError;

/** What a batch is priced with. */
export interface LoadedBatch {
  readonly orders: ReadonlyMap<number, LoadedOrder>;
  readonly rates: ReadonlyMap<number, CompiledRates>;
  /** By `integrationKey`. */
  readonly integrations: ReadonlyMap<string, LoadedIntegration>;
}

export const integrationKey = (siteId: number, type: PaymentMethodType | null): string => `${siteId}:${type}`;

export class Loader {
  constructor(
    private readonly pool: pg.Pool,
    private readonly vault: Vault,
  ) {}

  async load(scheduledOrderIds: readonly number[], siteIds: readonly number[]): Promise<LoadedBatch> {
    const [orders, rates, integrations] = await Promise.all([
      this.orders(scheduledOrderIds),
      this.rates(siteIds),
      this.integrations(siteIds),
    ]);
    return { orders, rates, integrations };
  }

  private async orders(ids: readonly number[]): Promise<Map<number, LoadedOrder>> {
    const { rows } = await this.pool.query<OrderRow>({
      text: LOAD_ORDERS,
      values: [numbers(ids)],
    });
    return new Map(rows.map((row) => [Number(row.id), loadedOrder(row)]));
  }

  private async rates(siteIds: readonly number[]): Promise<Map<number, CompiledRates>> {
    const { rows } = await this.pool.query<RatesRow>({
      text: LOAD_RATES,
      values: [numbers(siteIds)],
    });
    return new Map(
      rows.map((row) => [Number(row.site_id), compileRates(row.shipping_rates ?? [], row.tax_rates ?? [])]),
    );
  }

  /** The living integrations of sites, their credentials in clear. */
  async integrations(siteIds: readonly number[]): Promise<Map<string, LoadedIntegration>> {
    const { rows } = await this.pool.query<IntegrationRow>({
      text: LOAD_INTEGRATIONS,
      values: [numbers(siteIds)],
    });
    return new Map(rows.map((row) => [integrationKey(Number(row.site_id), row.payment_method_type), this.opened(row)]));
  }

  /** The integrations of these ids, also deleted ones, by id. */
  async pinnedIntegrations(ids: readonly string[]): Promise<Map<number, LoadedIntegration>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<IntegrationRow>({
      text: LOAD_PINNED_INTEGRATIONS,
      values: [`{${ids.join(',')}}`],
    });
    return new Map(rows.map((row) => [Number(row.id), this.opened(row)]));
  }

  /** One that cannot be opened must not hold up the others of its batch. */
  private opened(row: IntegrationRow): LoadedIntegration {
    try {
      return {
        id: Number(row.id),
        siteId: Number(row.site_id),
        isDoubtful: row.doubtful ?? false,
        credentials: {
          type: row.payment_method_type,
          apiAccount: this.vault.open(row.api_account),
          apiKey1: this.vault.open(row.api_key1),
          apiKey2: this.vault.open(row.api_key2),
          testMode: row.test_mode,
        },
      };
    } catch (error) {
      if (error instanceof SealedValueError) return error;
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
  doubtful?: boolean;
}

interface RatesRow {
  site_id: string;
  shipping_rates: ShippingRateRow[] | null;
  tax_rates: TaxRateRow[] | null;
}
