import { Inject, Injectable } from '@nestjs/common';
import { ScheduledOrder } from '#libs/entities';
import { type ActionType, logAction, logDeletions, snapshot } from '#libs/events';
import { deleteOrders, judgePushableAnew, leaveWait } from '#libs/ledger';
import type { Settings, Transaction } from '#libs/platform';
import {
  type Caller,
  callerName,
  collectFaults,
  type Created,
  Database,
  deletedScheduledOrderView,
  type FilteredRecords,
  Forbidden,
  insertRow,
  NEXT_UPDATED_UTC,
  ofOtherCustomer,
  type OwnedBy,
  type RecordJson,
  scheduledOrderView,
  SiteScopedService,
  updateRow,
} from '#libs/records';
import { BY_ID, type ListFilter } from '../http/query/index.js';
import { SETTINGS } from '../http/tokens.js';
import { deletedOrderFilters, deletedOrderSort } from './filters/deleted-orders.js';
import { orderFilters, orderSort } from './filters/order-filters.js';
import type { OrderFilters } from './filters/order-query.js';
import { assertItemBounds } from './items/item-rules.js';
import { inOrder, itemsOf, writeItems } from './items/order-items.js';
import { planOrder } from './order-creation.js';
import { type OrderInput, shopsOwn } from './order-rules.js';
import { planUpdate } from './order-update.js';

/** Recurring orders. Every change recalculates the totals, and is committed together with its log entry. */
@Injectable()
export class ScheduledOrdersService extends SiteScopedService<ScheduledOrder, OrderInput> {
  constructor(
    database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super(database, {
      entity: ScheduledOrder,
      view: scheduledOrderView,
      name: 'ScheduledOrder',
      ownedBy: OWNED_BY,
    });
  }

  /**
   * @throws Forbidden when the caller does not reach the site or customer that it names, or a Customer token asks for
   * problems or deleted orders: they are the shop's.
   */
  async filter(caller: Caller, filter: ListFilter<OrderFilters>): Promise<FilteredRecords> {
    const { siteId, filters: wanted, sort = BY_ID } = filter;
    assertMayFilter(caller, wanted);
    if (wanted.isDeleted) {
      const filters = deletedOrderFilters(filter, OWNED_BY, sort);
      const deleted = deletedScheduledOrderView;
      return this.filtered(caller, { siteId, filters, sort: deletedOrderSort(sort, wanted), deleted });
    }
    const filters = orderFilters(filter, OWNED_BY, sort);
    return this.filtered(caller, { siteId, filters, sort: orderSort(sort, wanted) });
  }

  override delete(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      await this.load(tx, caller, id);
      await this.deleteAll(tx, caller, [id], `DeleteScheduledOrder by ${callerName(caller)}.`);
    });
  }

  /** Deletes the orders of a deleted customer, in the transaction of the deletion (decisions.md §11). */
  async deleteOfCustomer(tx: Transaction, caller: Caller, customerId: number): Promise<void> {
    const rows = await tx.execute<{ id: number }>(
      `SELECT id FROM scheduled_orders WHERE customer_id = $1 AND deleted_utc IS NULL ORDER BY id FOR NO KEY UPDATE`,
      [customerId],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await this.deleteAll(tx, caller, ids, `Deleted with customer ${customerId} by ${callerName(caller)}.`);
  }

  protected override async insert(tx: Transaction, caller: Caller, sent: OrderInput): Promise<Created> {
    assertItemBounds(this.settings, caller, [], sent.scheduledOrderItems ?? [], ITEMS);
    if (sent.externalId != null && caller.scope === 'Customer') throw shopsOwn('External-Id');
    const { order, planned } = await planOrder(tx, caller, sent);
    const values = { ...order, externalId: sent.externalId ?? null };
    await this.assertExternalIdIsFree(tx, values, null);
    const row = await insertRow<{ id: number }>(tx, 'scheduled_orders', values, 'x.id');
    const id = row.id;
    const [, json] = await Promise.all([
      writeItems(tx, order.siteId, id, planned),
      this.logged(tx, caller, id, 'CreateScheduledOrder', null),
    ]);
    return { id, json };
  }

  protected override async change(tx: Transaction, caller: Caller, id: number, sent: OrderInput): Promise<RecordJson> {
    const [stored, previous, items] = await collectFaults(
      () => this.load(tx, caller, id),
      () => snapshot(tx, id),
      () => itemsOf(tx, id),
    );
    assertItemBounds(this.settings, caller, items, sent.scheduledOrderItems ?? [], ITEMS);
    const { changes, planned } = await planUpdate(tx, caller, { order: stored, items, now: previous.now }, sent);
    if (Object.keys(changes).length === 0 && planned === null) return previous.json;
    if (changes.paymentMethodType !== undefined || changes.total === 0) await leaveWait(tx, id);
    if (planned !== null) await judgePushableAnew(tx, stored.siteId, id);
    const [, , json] = await Promise.all([
      updateRow(tx, 'scheduled_orders', id, changes, 'x.id'),
      planned && writeItems(tx, stored.siteId, id, planned),
      this.logged(tx, caller, id, actionOf(stored, changes), previous.json),
    ]);
    return json;
  }

  private async deleteAll(tx: Transaction, caller: Caller, ids: readonly number[], why: string): Promise<void> {
    await logDeletions(tx, ids, caller, why);
    await deleteOrders(tx, ids);
    for (const [table, column] of [
      ['scheduled_orders', 'id'],
      ['scheduled_order_items', 'scheduled_order_id'],
    ]) {
      await tx.execute(
        `UPDATE ${table} AS x SET deleted_utc = now(), updated_utc = ${NEXT_UPDATED_UTC}
         WHERE x.${column} = ANY ($1::bigint[]) AND x.deleted_utc IS NULL`,
        [ids],
      );
    }
  }

  private logged(tx: Transaction, caller: Caller, id: number, actionType: ActionType, previous: RecordJson | null) {
    const description = `${actionType} by ${callerName(caller)}.`;
    return logAction(tx, { actionType, scheduledOrderId: id, caller, previous, description });
  }
}

const OWNED_BY: OwnedBy = (alias, customerId) => `${alias}.customer_id = ${customerId}`;

function assertMayFilter(caller: Caller, { customerId, problem, isDeleted }: OrderFilters): void {
  if (caller.customerId === null) return;
  if (problem !== null) throw new Forbidden('Problem takes a Merchant token, or an API key.');
  if (isDeleted) throw new Forbidden('Deleted=true takes a Merchant token, or an API key.');
  if (customerId !== null && customerId !== caller.customerId)
    throw ofOtherCustomer(caller.customerId, `Customer ${customerId}`);
}

const ITEMS = { field: 'ScheduledOrderItems', pathOf: inOrder };

function actionOf(stored: ScheduledOrder, { status }: Partial<ScheduledOrder>): ActionType {
  if (status === undefined || status === stored.status) return 'UpdateScheduledOrder';
  if (status === 'Paused') return 'PauseScheduledOrder';
  return status === 'Active' ? 'ActivateScheduledOrder' : 'UpdateScheduledOrder';
}
