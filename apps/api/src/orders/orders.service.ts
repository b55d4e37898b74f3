import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '#libs/config';
import type { Transaction } from '#libs/database';
import { Order } from '#libs/entities';
import {
  assertReferences,
  type Caller,
  type Created,
  Database,
  orderView,
  type RecordJson,
  recordJson,
  Rejected,
  SiteScopedService,
  type Values,
} from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { type SentItem, writeOrderItems } from './order-items.js';

type SentOrder = Values<Order> & { readonly orderItems?: readonly SentItem[] | null };

/** Completed orders: history, with their items (decisions.md §2, §11). */
@Injectable()
export class OrdersService extends SiteScopedService<Order> {
  constructor(
    database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super(database, {
      entity: Order,
      view: orderView,
      name: 'Order',
      ownedBy: (alias, customerId) => `${alias}.customer_id = ${customerId}`,
    });
  }

  protected override async insert(tx: Transaction, caller: Caller, sent: SentOrder): Promise<Created> {
    const { orderItems, ...order } = sent;
    const made = await super.insert(tx, caller, order);
    return orderItems?.length ? { ...made, json: await this.writeItems(tx, caller, made.id, orderItems) } : made;
  }

  protected override async change(tx: Transaction, caller: Caller, id: number, sent: SentOrder): Promise<RecordJson> {
    const { orderItems, ...order } = sent;
    const json = await super.change(tx, caller, id, order);
    return orderItems?.length ? this.writeItems(tx, caller, id, orderItems) : json;
  }

  /** An order is on the site of its customer and stays there. A new customer must be on the same site. */
  protected override async validate(tx: Transaction, caller: Caller, sent: Values<Order>, stored: Order | null) {
    const { customerId } = sent;
    if (customerId === undefined) {
      if (stored === null) throw new Rejected([{ field: 'CustomerId', message: 'is required.' }]);
      return sent;
    }
    if (customerId === stored?.customerId) return sent;
    const reference = { field: 'CustomerId', id: customerId };
    const sites = await assertReferences(tx, caller, CUSTOMERS, [reference], stored?.siteId);
    return { ...sent, siteId: sites.get(customerId)! };
  }

  private async writeItems(tx: Transaction, caller: Caller, id: number, items: readonly SentItem[]) {
    const { metadata } = this.database;
    const { maxItemsPerOrder: maxItems } = this.settings;
    await writeOrderItems(tx, caller, await this.load(tx, caller, id), items, { metadata, maxItems });
    const [row] = await tx.execute<{ json: string | null }>(
      `SELECT ${orderView.whole('x')} AS json FROM orders x WHERE x.id = $1`,
      [id],
    );
    return recordJson(orderView, id, row!.json);
  }
}

const CUSTOMERS = { table: 'customers', name: 'Customer' };
