import { AddressRule, OutboundClient, type Vault } from '#libs/platform';
import { type Push, pushName, shopReceiver } from '#libs/shops';
import type { TestDatabase } from '../database.js';
import { given as givenIn, type GivenMerchant } from '../given.js';
import { knownDatabase } from '../worker.js';
import { givenPush, givenShop } from './given-push.js';
import { pushesOf } from './pushes.js';
import { WooCommerceStandIn } from './woocommerce-stand-in.js';

const ACCEPT = { taxDifference: 'Accept', pushAnyway: false } as const;
const outbound = new OutboundClient(new AddressRule(['127.0.0.0/8']));

/** An Order that has arrived in the shop. */
export interface Arrived {
  readonly orderId: number;
  readonly scheduledOrderId: number;
  /** In the shop. */
  readonly id: number;
  readonly push: Push;
}

/** A site whose Orders go to a WooCommerce, as Verify leaves it. */
export class ConnectedShop {
  private readonly given: ReturnType<typeof givenIn>;

  private constructor(
    private readonly database: TestDatabase,
    readonly woo: WooCommerceStandIn,
    readonly merchant: GivenMerchant,
  ) {
    this.given = givenIn(database);
  }

  /** `values`: of its row of `site_shops`. */
  static async start(
    database: TestDatabase,
    vault: Vault,
    values: Record<string, unknown> = {},
  ): Promise<ConnectedShop> {
    const woo = await WooCommerceStandIn.start();
    woo.products.set(10, { id: 10, name: 'Coffee', price: '9.99' });
    woo.customers.set(2, { billing: {}, shipping: {} });
    const merchant = await givenIn(database).merchant();
    await pushesOf(database, vault).connect(merchant.siteId, 'WooCommerceRest', woo.url, values);
    return new ConnectedShop(database, woo, merchant);
  }

  get siteId(): number {
    return this.merchant.siteId;
  }

  /** An Order that was charged and has arrived, as the pushes worker leaves it. */
  async arrived(): Promise<Arrived> {
    const { given, siteId, woo } = this;
    const customerId = await given.customer(siteId);
    const scheduledOrderId = await given.scheduledOrder(siteId, customerId);
    const push = givenPush({ scheduledOrderId, name: await this.nameOf(scheduledOrderId) });
    const receiver = shopReceiver(outbound, givenShop('WooCommerceRest', woo.url));
    const created = await receiver.create(push, { pushAnyway: false });
    if (created.kind !== 'created') throw new Error(JSON.stringify(created));
    await receiver.settle(push, created.order, ACCEPT);
    const { id, number } = created.order;
    const cycle = { scheduledOrderId, cycle: 1 };
    const orderId = await given.order(siteId, customerId, {
      ...{ externalId: id, orderNumber: number, currencyIso: 'USD' },
      ...cycle,
    });
    await given.insert('order_pushes', {
      ...{ ...cycle, siteId, orderId, pushName: push.name, state: 'Pushed' },
      ...{ shopOrderId: id, shopOrderNumber: number, shopTotal: created.order.total, sentUtc: new Date() },
    });
    return { orderId, scheduledOrderId, id: Number(id), push };
  }

  /** Another order of the same push in the shop; unpaid unless said otherwise. */
  async twin(push: Push, { isPaid = false } = {}): Promise<number> {
    const receiver = shopReceiver(outbound, givenShop('WooCommerceRest', this.woo.url));
    const created = await receiver.create(push, { pushAnyway: false });
    if (created.kind !== 'created') throw new Error(JSON.stringify(created));
    if (isPaid) await receiver.settle(push, created.order, ACCEPT);
    return Number(created.order.id);
  }

  async nameOf(scheduledOrderId: number): Promise<string> {
    const { keyPrefix: installation } = await knownDatabase(this.database);
    return pushName({ installation, scheduledOrderId, dueUtc: new Date('2026-11-24T10:30:00Z') });
  }

  /** Its lists are to be read again now. */
  async comesDue(): Promise<void> {
    await this.database.query(`UPDATE shop_reads SET next_read_utc = now() WHERE site_id = $1`, [this.siteId]);
  }

  async order({ orderId }: Pick<Arrived, 'orderId'>) {
    const [row] = await this.database.query<{
      order_number: string | null;
      date_completed: Date | null;
      ended_in_shop: string | null;
      looks_again: boolean;
    }>(
      `SELECT o.order_number, o.date_completed, p.ended_in_shop, p.next_attempt_utc <= now() IS TRUE AS looks_again
       FROM orders o JOIN order_pushes p ON p.order_id = o.id WHERE o.id = $1`,
      [orderId],
    );
    return row!;
  }

  stop(): Promise<void> {
    return this.woo.stop();
  }
}
