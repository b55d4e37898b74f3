import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran } from '../../cli/run.js';
import type { TestDatabase } from '../database.js';
import type { AuthorizeNetStandIn, StripeStandIn } from '../gateways/index.js';
import { given } from '../given.js';
import { ENCRYPTION_KEY, vault } from '../worker.js';
import { type SubscriptionCells, subscriptionsCsv } from './subscriptions-csv.js';

export interface Gateways {
  readonly one: StripeStandIn;
  readonly two: AuthorizeNetStandIn;
}

export type RunCli = (args: readonly string[], options?: { env?: Readonly<Record<string, string>> }) => Promise<Ran>;

/** As the export writes an instant. */
export const shopDate = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** Customer and card of the subscription with this number, at its gateway. */
export const stripePayer = (number: number) => ({ customer: `cus_${number}`, card: `pm_${number}` });
export const authorizeNetPayer = (number: number) => ({
  customer: String(4_000_000 + number),
  card: String(9_500_000 + number),
});

export const paidByStripe = (number: number): SubscriptionCells => {
  const { customer, card } = stripePayer(number);
  return {
    customer_id: String(number),
    billing_email: `customer${number}@mail.example`,
    payment_method: 'stripe',
    payment_method_post_meta: `_stripe_customer_id:${customer}|_stripe_source_id:${card}`,
  };
};

export const paidByAuthorizeNet = (number: number): SubscriptionCells => {
  const { customer, card } = authorizeNetPayer(number);
  const prefix = '_wc_authorize_net_cim_credit_card';
  return {
    customer_id: String(number),
    billing_email: `customer${number}@mail.example`,
    payment_method: 'authorize_net_cim_credit_card',
    payment_method_post_meta: `${prefix}_customer_id:${customer}|${prefix}_payment_token:${card}`,
  };
};

/** What commands and workers need to reach the stand-ins. */
export const movingEnvironment = (database: { url: string }, { one, two }: Gateways) => ({
  DATABASE_URL: database.url,
  ENCRYPTION_KEY,
  GATEWAY_ONE_URL: one.url,
  GATEWAY_TWO_URL: two.url,
  GATEWAY_TIMEOUT: 'PT2S',
});

/** A site whose subscriptions were imported from another shop. */
export interface MovedShop {
  readonly siteId: number;
  readonly userId: number;
  readonly productId: number;
  /** Its accounts at the gateways: other sites have others. */
  readonly keyOfOne: string;
  readonly loginOfTwo: string;
  readonly imported: Ran;
  /** Of its scheduled orders, in the order of the rows. */
  readonly ids: readonly number[];
}

export interface MovedShopOptions {
  readonly rows: readonly SubscriptionCells[];
  readonly exportedUtc: Date;
  readonly gateways: Gateways;
  readonly run: RunCli;
}

/** A site with both gateways and the product 12, and the import of `rows`. */
export async function movedShop(database: TestDatabase, options: MovedShopOptions): Promise<MovedShop> {
  const make = given(database);
  const { siteId, userId } = await make.merchant({ currencyIso: 'EUR' });
  const productId = await make.product(siteId, { externalId: '12', title: 'Kaffee', price: '10' });
  const [keyOfOne, loginOfTwo] = [`sk_test_${siteId}`, `login${siteId}`];
  await make.integration(vault, siteId, { apiKey1: keyOfOne });
  const ofTwo = { paymentMethodType: 'GatewayTwo', apiAccount: loginOfTwo, apiKey1: 'key4567890123456' };
  await make.integration(vault, siteId, ofTwo);
  const imported = await importInto(database, siteId, options);
  const orders = await database.query<{ id: string }>(
    `SELECT id FROM scheduled_orders WHERE site_id = $1 ORDER BY id`,
    [siteId],
  );
  return { siteId, userId, productId, keyOfOne, loginOfTwo, imported, ids: orders.map(({ id }) => Number(id)) };
}

/** Imports `rows` into a site. */
export async function importInto(database: TestDatabase, siteId: number, options: MovedShopOptions): Promise<Ran> {
  const { rows, exportedUtc, gateways, run } = options;
  const folder = mkdtempSync(join(tmpdir(), 'moved-shop-'));
  try {
    const path = join(folder, 'subscriptions.csv');
    writeFileSync(path, subscriptionsCsv(rows));
    const args = ['import:subscriptions', path, '--site', String(siteId), '--exported-utc', exportedUtc.toISOString()];
    return await run(args, { env: movingEnvironment(database, gateways) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
