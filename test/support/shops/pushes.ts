import type { PushState } from '#libs/entities';
import type { Vault } from '#libs/platform';
import type { Receiver } from '#libs/shops';
import type { TestDatabase } from '../database.js';
import { encryptedValues } from '../encrypted.js';
import { eventsOf, keepEvents } from '../events/events.js';
import { given } from '../given.js';
import { createWorker, type GivenShop, givenShop, type TestWorker, vault, type WorkerEnvironment } from '../worker.js';
import type { WooCommerceStandIn } from './index.js';

/** Of every WooCommerce here. */
export const CONSUMER_SECRET = 'cs_shop_secret';

/** Shops of tests are on the loopback. */
export const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };

export interface PushRow {
  readonly scheduled_order_id: string;
  readonly cycle: string;
  readonly order_id: string;
  readonly push_name: string;
  readonly state: PushState;
  readonly attempts: string;
  readonly found_nothing: string;
  readonly shop_order_id: string | null;
  readonly shop_order_number: string | null;
  readonly ended_in_shop: string | null;
  readonly shop_total: string | null;
  readonly lines_that_differ: object[] | null;
  readonly message: string | null;
  /** Seconds; null: never. */
  readonly next_in: number | null;
  /** Of the Order. */
  readonly external_id: string | null;
  readonly order_number: string | null;
}

/** What tests of pushes need of a database. `own`: of the keys of shops that it connects; the worker's unless given. */
export function pushesOf(database: TestDatabase, own: Vault = vault) {
  /** From now on a site's Orders go into the shop at `url`. */
  async function connect(siteId: number, receiver: Receiver, url: string, values: Record<string, unknown> = {}) {
    const keys = encryptedValues(own, 'sites', siteId, { apiKey1: 'ck_shop', apiKey2: CONSUMER_SECRET });
    await database.query(`UPDATE sites SET url = $2, api_key1 = $3, api_key2 = $4 WHERE id = $1`, [
      ...[siteId, url],
      ...(receiver === 'Http' ? [null, null] : [keys.apiKey1, keys.apiKey2]),
    ]);
    await database.query(`UPDATE products SET external_id = '10' WHERE site_id = $1`, [siteId]);
    await database.query(`UPDATE customers SET external_id = '2' WHERE site_id = $1`, [siteId]);
    await given(database).shop(own, siteId, { receiver, push: true, ...values });
  }

  return {
    connect,

    /** A site with due orders, whose Orders go into the shop at `url`. Nothing is taxed in France. */
    async site(
      receiver: Receiver,
      url: string,
      values: Record<string, unknown> = {},
      apiKey1 = 'sandbox',
    ): Promise<GivenShop> {
      const shop = await givenShop(database, { apiKey1 });
      await connect(shop.siteId, receiver, url, values);
      await keepEvents(database, shop.siteId);
      return shop;
    },

    rows: (siteId: number) =>
      database.query<PushRow>(
        `SELECT p.*, extract(epoch FROM p.next_attempt_utc - now())::float8 AS next_in, o.external_id, o.order_number
         FROM order_pushes p JOIN orders o ON o.id = p.order_id WHERE p.site_id = $1 ORDER BY p.scheduled_order_id, p.cycle`,
        [siteId],
      ),

    /** The types of the events about pushes, with their facts. */
    async published(siteId: number): Promise<[string, Record<string, unknown>][]> {
      const events = await eventsOf(database, siteId);
      const ours = events.filter(({ Type }) =>
        /^(order\.(pushed|push_failed|total_differs|twin_removed)|shop\.)/.test(Type),
      );
      return ours.map(({ Type, Data: { Sequence: _, SiteId: __, ...facts } }) => [
        Type,
        Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null && fact !== false)),
      ]);
    },

    /** So much time passes for all pushes and shops. */
    async passes(interval: string): Promise<void> {
      const back = (columns: readonly string[]) => columns.map((one) => `${one} = ${one} - $1::interval`).join(', ');
      const times = ['created_utc', 'sent_utc', 'next_attempt_utc', 'lease_until_utc'];
      await database.query(`UPDATE order_pushes SET ${back(times)}`, [interval]);
      await database.query(`UPDATE site_shops SET ${back(['not_before_utc', 'failing_since_utc'])}`, [interval]);
      await database.query(`UPDATE required_reconciliations SET ${back(['began_utc'])}`, [interval]);
    },

    /** As when something under their names was seen in the shop. */
    looksAgain: (siteId: number) =>
      database.query(`UPDATE order_pushes SET next_attempt_utc = now() WHERE site_id = $1`, [siteId]),

    shop: async (siteId: number) =>
      (
        await database.query<{ state: string; state_because: string | null; failures: string; held: number | null }>(
          `SELECT state, state_because, failures, extract(epoch FROM not_before_utc - now())::float8 AS held FROM site_shops WHERE site_id = $1`,
          [siteId],
        )
      )[0]!,

    /** Nothing of the shops so far falls due in the tests that follow. */
    leave: () => database.query(`UPDATE site_shops SET state = 'Unverified'`),

    verified: (siteId: number) =>
      database.query(
        `UPDATE site_shops SET state = 'Ready', state_because = NULL, failures = 0, failing_since_utc = NULL, not_before_utc = NULL WHERE site_id = $1`,
        [siteId],
      ),
  };
}

/** `wholeMs`: an answer of a shop is awaited so long; short only where a shop sleeps. */
export const createPusher = (database: { url: string }, env: WorkerEnvironment = {}, wholeMs = 60_000): TestWorker =>
  createWorker(database, { ...OPEN, ...env }, {}, { outbound: { wholeMs } });

/** It sells what orders of `pushesOf` have. */
export function stock(shop: WooCommerceStandIn): WooCommerceStandIn {
  shop.products.set(10, { id: 10, name: 'Coffee', price: '12.50', stock: 100 });
  shop.customers.set(2, { billing: {}, shipping: {} });
  return shop;
}
