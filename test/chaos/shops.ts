import type { TestDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { SEED } from '../support/random.js';
import { givenShop } from '../support/worker.js';
import type { ChaosOptions } from './options.js';

export interface Shop {
  readonly siteId: number;
  readonly tokenAuth: string;
  readonly type: 'GatewayOne' | 'GatewayTwo';
  readonly account: string;
  /** GatewayTwo: of the account. */
  readonly key: string;
  /** Another one when it was deleted and made again. */
  integrationId: number;
  readonly orderIds: number[];
  readonly productId: number;
  readonly rates: readonly Rate[];
  /** Of each order, as they are at first. */
  readonly items: Map<number, Item[]>;
}

export interface Item {
  readonly id: number;
  readonly price: string;
  readonly quantity: number;
}

/** All that a rate has ever been, or may have been. */
export interface Rate {
  readonly id: number;
  readonly type: 'shipping' | 'tax';
  readonly values: Set<string>;
}

/** One of the shops has a gateway that takes long. */
export const SLOW_ACCOUNT = 'sk_test_shop0';

/**
 * Shops at both gateways, with rates and without, in several currencies; their orders fall due one after the other over
 * the whole time, and some cards decline.
 */
export async function openShops(
  database: TestDatabase,
  { sites, orders, seconds, lateListSeconds }: ChaosOptions,
): Promise<Shop[]> {
  const make = given(database);
  const shops: Shop[] = [];
  for (let index = 0; index < sites; index++) {
    const type = index % 3 === 2 ? 'GatewayTwo' : 'GatewayOne';
    const account = type === 'GatewayOne' ? `sk_test_shop${index}` : `login${index}`;
    const key = `key${index}`;
    const shop = await givenShop(database, {
      type,
      apiAccount: type === 'GatewayTwo' ? account : null,
      apiKey1: type === 'GatewayOne' ? account : key,
    });
    const rates: Rate[] = [];
    if (index % 2 === 1) {
      const shipping = await make.shippingRate(shop.siteId, { basePrice: '4.95', pricePerUnit: '0.35' });
      const vat = await make.taxRate(shop.siteId, { name: 'VAT', rate: '20', country: 'FR' });
      rates.push({ id: shipping, type: 'shipping', values: new Set(['4.95']) });
      rates.push({ id: vat, type: 'tax', values: new Set(['20']) });
      await make.taxRate(shop.siteId, { name: 'Levy', rate: '1.375', country: 'France', isCompound: true });
    }
    const orderIds = await shop.dueOrders(Math.ceil(orders / sites), {
      currencyIso: type === 'GatewayOne' && index % 4 === 1 ? 'JPY' : 'USD',
      frequencyType: ['Days', 'Weeks', 'Months', 'DayOfTheWeek', 'DayOfTheMonth'][index % 5],
      frequency: 1 + (index % 6),
    });
    const { siteId, tokenAuth, integrationId, productId } = shop;
    const items = new Map<number, Item[]>();
    shops.push({ siteId, tokenAuth, integrationId, productId, type, account, key, orderIds, rates, items });
  }
  await database.query(`SELECT setseed($1)`, [SEED / 2 ** 31]);
  await vary(database, (seconds + lateListSeconds) * 0.85);
  await readItems(database, shops);
  return shops;
}

async function readItems(database: TestDatabase, shops: readonly Shop[]): Promise<void> {
  const bySite = new Map(shops.map((shop) => [shop.siteId, shop]));
  const rows = await database.query<Record<'site_id' | 'scheduled_order_id' | 'id' | 'price' | 'quantity', string>>(
    `SELECT site_id, scheduled_order_id, id, price, quantity FROM scheduled_order_items`,
  );
  for (const { site_id, scheduled_order_id, id, price, quantity } of rows) {
    const { items } = bySite.get(Number(site_id))!;
    const ofOrder = items.get(Number(scheduled_order_id)) ?? [];
    ofOrder.push({ id: Number(id), price, quantity: Number(quantity) });
    items.set(Number(scheduled_order_id), ofOrder);
  }
}

/**
 * Due times, prices, second items, and customers of the gateways; of each hundred cards three are declined, one for
 * good.
 */
async function vary(database: TestDatabase, seconds: number): Promise<void> {
  await database.query(
    `UPDATE scheduled_orders SET next_occurrence_utc = t.due, schedule_anchor_utc = t.due,
       payment_method_customer_id = CASE payment_method_type WHEN 'GatewayOne' THEN 'cus_' || id ELSE (100000 + id)::text END,
       payment_method_id = CASE payment_method_type
         WHEN 'GatewayOne' THEN CASE id % 100 WHEN 13 THEN 'pm_lost_card' WHEN 37 THEN 'pm_declined' WHEN 71 THEN 'pm_insufficient_funds'
           ELSE 'pm_' || id END
         ELSE CASE id % 100 WHEN 13 THEN '9001004' WHEN 37 THEN '9001002' WHEN 71 THEN '9001002' ELSE (500000 + id)::text END END
     FROM (SELECT id AS of, date_trunc('second', now() + random() * $1 * interval '1 second') AS due FROM scheduled_orders) t
     WHERE id = t.of`,
    [seconds],
  );
  await database.query(
    `UPDATE scheduled_order_items SET price = round((1 + random() * 200)::numeric, 2), quantity = 1 + floor(random() * 4)
     WHERE scheduled_order_id % 3 <> 0`,
  );
  await database.query(
    `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
     SELECT site_id, scheduled_order_id, product_id, 3.335, 3 FROM scheduled_order_items WHERE scheduled_order_id % 2 = 0`,
  );
}

/** An order as it was at first: what the check compares charges with. */
export interface FirstState {
  readonly customer: string;
  readonly card: string;
  readonly currencyIso: string;
  /** Its first occurrence. */
  readonly dueMs: number;
}

export async function readFirst(database: TestDatabase): Promise<Map<number, FirstState>> {
  const rows = await database.query<{ id: string; due: Date } & Omit<FirstState, 'dueMs'>>(
    `SELECT id, payment_method_customer_id AS customer, payment_method_id AS card, currency_iso AS "currencyIso", next_occurrence_utc AS due
     FROM scheduled_orders`,
  );
  return new Map(rows.map(({ id, due, ...order }) => [Number(id), { ...order, dueMs: due.getTime() }]));
}
