import type pg from 'pg';
import type { GatewayCredentials, PaymentMethodType } from '#libs/gateways';
import {
  compileRates,
  type CompiledRates,
  type FrequencyType,
  type QuotableItem,
  type QuotableOrder,
  type ShippingRateRow,
  type Status,
  type TaxRateRow,
} from '#libs/rules';
import { SealedValueError, type Vault } from '#libs/vault';
import { numbers } from '../database/array-literal.js';
import { LOAD_INTEGRATIONS, LOAD_ORDERS, LOAD_RATES } from './load.sql.js';
import { LOAD_PINNED_INTEGRATIONS } from './sent.sql.js';

/** An item as it is priced, and as the Order will name it. */
export interface LoadedItem extends QuotableItem {
  readonly title: string | null;
}

/** A scheduled order as it is priced and charged. */
export interface LoadedOrder extends QuotableOrder {
  readonly id: number;
  /** Tells whether the row is still this one. */
  readonly version: string;
  readonly customerId: number;
  readonly status: Status;
  readonly deleted: boolean;
  readonly frequencyType: FrequencyType | null;
  readonly frequency: number | null;
  readonly scheduleAnchorUtc: Date;
  /** Nothing of a later cycle can have been charged before. */
  readonly settledUntilUtc: Date;
  readonly total: number;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
  /** The addresses as JSON arrays, as text. */
  readonly shipping: string;
  readonly billing: string;
  readonly items: readonly LoadedItem[];
}

export interface Integration {
  readonly id: number;
  readonly siteId: number;
  readonly credentials: GatewayCredentials;
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
}

interface RatesRow {
  site_id: string;
  shipping_rates: ShippingRateRow[] | null;
  tax_rates: TaxRateRow[] | null;
}

interface OrderRow {
  id: string;
  version: string;
  customer_id: string;
  status: Status;
  deleted: boolean;
  frequency_type: FrequencyType | null;
  frequency: string | null;
  schedule_anchor_utc: Date;
  settled_until_utc: Date;
  cycles: string;
  currency_iso: string;
  payment_method_type: PaymentMethodType | null;
  payment_method_customer_id: string | null;
  payment_method_id: string | null;
  shipping_total: string;
  tax_total: string;
  total: string;
  shipping_total_fixed: boolean;
  tax_total_fixed: boolean;
  shipping_country: string | null;
  shipping_state: string | null;
  shipping_city: string | null;
  shipping_postcode: string | null;
  shipping: string;
  billing: string;
  items: ItemRow[] | null;
}

type ItemRow = [
  id: number,
  productId: number,
  price: string,
  salePrice: string | null,
  quantity: number,
  title: string | null,
  availability: string | null,
  stockLevel: string | null,
  shippingClass: string | null,
  taxClass: string | null,
  deletedUtc: string | null,
];

function loadedOrder(row: OrderRow): LoadedOrder {
  return {
    id: Number(row.id),
    version: row.version,
    customerId: Number(row.customer_id),
    status: row.status,
    deleted: row.deleted,
    frequencyType: row.frequency_type,
    frequency: row.frequency === null ? null : Number(row.frequency),
    scheduleAnchorUtc: row.schedule_anchor_utc,
    settledUntilUtc: row.settled_until_utc,
    cycles: Number(row.cycles),
    currencyIso: row.currency_iso,
    paymentMethodType: row.payment_method_type,
    paymentMethodCustomerId: row.payment_method_customer_id,
    paymentMethodId: row.payment_method_id,
    shippingTotal: Number(row.shipping_total),
    taxTotal: Number(row.tax_total),
    total: Number(row.total),
    shippingTotalFixed: row.shipping_total_fixed,
    taxTotalFixed: row.tax_total_fixed,
    shippingCountry: row.shipping_country,
    shippingState: row.shipping_state,
    shippingCity: row.shipping_city,
    shippingPostcode: row.shipping_postcode,
    shipping: row.shipping,
    billing: row.billing,
    items: (row.items ?? []).map(loadedItem),
  };
}

function loadedItem(item: ItemRow): LoadedItem {
  const [
    id,
    productId,
    price,
    salePrice,
    quantity,
    title,
    availability,
    stockLevel,
    shippingClass,
    taxClass,
    deletedUtc,
  ] = item;
  return {
    id,
    productId,
    price,
    salePrice,
    quantity,
    title,
    product: { availability, stockLevel, shippingClass, taxClass, deletedUtc },
  };
}
