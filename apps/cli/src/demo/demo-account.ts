import { join } from 'node:path';
import { type ConnectionPool, packageRoot } from '#libs/platform';
import { verifyPassword } from '#libs/records';
import { createMerchant } from '../accounts/accounts.js';
import { importProducts } from '../import/products/import-products.js';
import { importTaxRates } from '../import/tax-rates/import-tax-rates.js';
import { findYear, type Year } from './year/find-year.js';

export const DEMO_EMAIL = 'demo@shop.example';
export const DEMO_PASSWORD = 'demo-password';

/** Shipping class of the catalogue's downloads, which have a shipping rate of 0. */
export const DOWNLOADS = 'download';

const SITE = { name: 'Demo Shop', url: 'https://demo.shop.example', type: 'WooCommerce', currencyIso: 'USD' };

interface DemoAccount {
  readonly userId: number;
  readonly passwordHash: string;
  /** The payment integration is made last. If it exists, or was deleted since, the demo is complete. */
  readonly isComplete: boolean;
}

async function findDemo(database: ConnectionPool): Promise<DemoAccount | undefined> {
  const [demo] = await database.execute<DemoAccount>(
    `SELECT users.id::integer AS "userId", password_hash AS "passwordHash",
            EXISTS (SELECT FROM payment_integrations WHERE site_id = sites.id) AS "isComplete"
     FROM users JOIN sites ON sites.user_id = users.id WHERE users.email = $1 ORDER BY sites.id LIMIT 1`,
    [DEMO_EMAIL],
  );
  return demo;
}

/** A refused row of the demo's own files is a bug. */
const neverRefused = (line: number, reason: string) => {
  throw new Error(`A row of the demo's catalogue is refused: line ${line}: ${reason}.`);
};

async function createDemo(database: ConnectionPool, now: Date): Promise<void> {
  const { SiteId: siteId } = await database.transaction((tx) => createMerchant(tx, DEMO_EMAIL, DEMO_PASSWORD, SITE));
  const file = (name: string) => join(packageRoot(), 'data', name);
  await importProducts(database, {
    path: file('woocommerce-products.csv'),
    siteId,
    virtualShippingClass: DOWNLOADS,
    now,
    onRefused: neverRefused,
  });
  await importTaxRates(database, { path: file('woocommerce-tax-rates.csv'), siteId, onRefused: neverRefused });
}

export interface Demo {
  /** Whether customers, rates and orders are still to be created, through the API. */
  readonly isToBeFilled: boolean;
  /** Whether the public demo password still works. */
  readonly hasKnownLogin: boolean;
  /** That of the simulated shop; undefined where there is none, or none yet. */
  readonly year: Year | undefined;
}

/**
 * The demo merchant with its catalogue, created in a database that has no account yet.
 * @returns undefined where there are accounts, but no demo.
 */
export async function prepareDemo(database: ConnectionPool, now: Date): Promise<Demo | undefined> {
  const [account] = await database.execute('SELECT FROM users LIMIT 1');
  if (account === undefined) await createDemo(database, now);
  const demo = await findDemo(database);
  if (demo === undefined) return undefined;
  return {
    isToBeFilled: !demo.isComplete,
    hasKnownLogin: await verifyPassword(demo.passwordHash, DEMO_PASSWORD),
    year: await findYear(database, demo.userId),
  };
}
