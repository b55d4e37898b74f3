import { Inject, Injectable } from '@nestjs/common';
import { Order } from '#libs/entities';
import { insertOutboxSql } from '#libs/events';
import { type Settings, Statement, type Transaction } from '#libs/platform';
import {
  assertReferences,
  type Caller,
  collectFaults,
  type Created,
  Database,
  type FilteredRecords,
  orderView,
  type RecordJson,
  recordJson,
  Rejected,
  type Searched,
  searchRowsOfCustomers,
  SiteScopedService,
  sortById,
  type Values,
} from '#libs/records';
import { BY_ID, type ListFilter } from '../http/query/index.js';
import { SETTINGS } from '../http/tokens.js';
import { type SentItem, writeOrderItems } from './order-items.js';
import { ofCreated, type OrderFilters } from './order-query.js';

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

  /** @throws Forbidden when the caller does not reach the site that it names. */
  filter(
    caller: Caller,
    { siteId, q, filters: { created }, sort = BY_ID }: ListFilter<OrderFilters>,
  ): Promise<FilteredRecords> {
    const filters = [q === null ? [] : [searchRowsOfCustomers(ORDERS, q)], ofCreated(created)].flat();
    return this.filtered(caller, { siteId, filters, sort: sortById(sort.isDescending) });
  }

  protected override async insert(tx: Transaction, caller: Caller, sent: SentOrder): Promise<Created> {
    const { orderItems, ...order } = sent;
    const made = await super.insert(tx, caller, order);
    const [json] = await collectFaults(
      () => (orderItems?.length ? this.writeItems(tx, caller, made.id, orderItems) : made.json),
      () => tx.execute(TELL_ORDER, [made.id]),
    );
    return { ...made, json };
  }

  protected override async change(tx: Transaction, caller: Caller, id: number, sent: SentOrder): Promise<RecordJson> {
    const { orderItems, ...order } = sent;
    const json = await super.change(tx, caller, id, order);
    return orderItems?.length ? this.writeItems(tx, caller, id, orderItems) : json;
  }

  /** Its customer's, which `validate` reads. */
  protected override siteOf(): Promise<null> {
    return Promise.resolve(null);
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
    await writeOrderItems(tx, caller, await this.load(tx, caller, id), items, this.settings);
    const [row] = await tx.execute<{ json: string | null }>(
      `SELECT ${orderView.whole('x')} AS json FROM orders x WHERE x.id = $1`,
      [id],
    );
    return recordJson(orderView, id, row!.json);
  }
}

/** Its event, where the site listens. pk_orders. $1 id. */
const TELL_ORDER = Statement.named(`WITH event AS (
  SELECT x.site_id, NULL::bigint AS scheduled_order_id, 'order.created' AS type, NULL::uuid AS log_id, jsonb_build_object('OrderId', x.id) AS facts
  FROM orders x WHERE x.id = $1
)${insertOutboxSql('event')}`);

const ORDERS: Searched = { table: 'orders', whole: ['external_id', 'order_number'], beginnings: [] };

const CUSTOMERS = { table: 'customers', name: 'Customer' };
