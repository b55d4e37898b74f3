import { Inject, Injectable } from '@nestjs/common';
import { type ScheduledOrder, ScheduledOrderItem } from '#libs/entities';
import { type ActionType, logAction, snapshot } from '#libs/events';
import { judgePushableAnew, leaveWait } from '#libs/ledger';
import type { Settings, Transaction } from '#libs/platform';
import {
  assertReferences,
  type Caller,
  callerName,
  type Created,
  Database,
  deleteRow,
  NotFound,
  type RecordJson,
  Rejected,
  scheduledOrderItemView,
  SiteScopedService,
  updateRow,
} from '#libs/records';
import { SETTINGS } from '../../http/tokens.js';
import { pricingFor, totalsOf } from '../order-rates.js';
import { ScheduledOrdersService } from '../scheduled-orders.service.js';
import { assertItemBounds, type ItemInput, type ItemWithProduct } from './item-rules.js';
import { changesItems, itemsOf, planItems, writeItems } from './order-items.js';

interface ItemChange {
  readonly actionType: ActionType;
  readonly itemId: number;
}

const ITSELF = () => '';
const AS_BODY = { field: 'ScheduledOrderId', pathOf: ITSELF };

/** Items of scheduled orders. Each change also changes the order: its totals, its UpdatedUtc and its log. */
@Injectable()
export class ScheduledOrderItemsService extends SiteScopedService<ScheduledOrderItem, ItemInput> {
  constructor(
    database: Database,
    private readonly orders: ScheduledOrdersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    super(database, {
      entity: ScheduledOrderItem,
      view: scheduledOrderItemView,
      name: 'ScheduledOrderItem',
      ownedBy: (alias, customerId) =>
        `${alias}.scheduled_order_id IN (SELECT o.id FROM scheduled_orders o WHERE o.customer_id = ${customerId})`,
    });
  }

  override delete(caller: Caller, id: number): Promise<void> {
    return this.database.write(async (tx) => {
      const order = await this.lockOrderOf(tx, caller, id);
      const { json } = await snapshot(tx, order.id);
      await deleteRow(tx, 'scheduled_order_items', id);
      const items = await itemsOf(tx, order.id);
      await this.recalculate(tx, caller, order, items, { actionType: 'DeleteScheduledOrderItem', itemId: id }, json);
    });
  }

  protected override async insert(tx: Transaction, caller: Caller, sent: ItemInput): Promise<Created> {
    const order = await this.lockNamedOrder(tx, caller, sent.scheduledOrderId);
    const { json } = await snapshot(tx, order.id);
    const stored = await itemsOf(tx, order.id);
    assertItemBounds(this.settings, caller, stored, [sent], AS_BODY);
    const planned = await planItems(tx, caller, order.siteId, stored, [sent], ITSELF);
    const [id] = await writeItems(tx, order.siteId, order.id, planned);
    await this.recalculate(
      tx,
      caller,
      order,
      planned.items,
      { actionType: 'CreateScheduledOrderItem', itemId: id! },
      json,
    );
    return { id: id!, json: await itemJson(tx, id!) };
  }

  protected override async change(tx: Transaction, caller: Caller, id: number, sent: ItemInput): Promise<string> {
    const order = await this.lockOrderOf(tx, caller, id);
    const { json } = await snapshot(tx, order.id);
    const stored = await itemsOf(tx, order.id);
    assertItemBounds(this.settings, caller, stored, [{ ...sent, id }], AS_BODY);
    const planned = await planItems(tx, caller, order.siteId, stored, [{ ...sent, id }], ITSELF);
    if (changesItems(planned, stored)) {
      await writeItems(tx, order.siteId, order.id, planned);
      await this.recalculate(
        tx,
        caller,
        order,
        planned.items,
        { actionType: 'UpdateScheduledOrderItem', itemId: id },
        json,
      );
    }
    return itemJson(tx, id);
  }

  /**
   * Locks the order before the item, in the order that all code uses; then reads the item again, which may have been
   * deleted in the meantime.
   */
  private async lockOrderOf(tx: Transaction, caller: Caller, itemId: number): Promise<ScheduledOrder> {
    const [item] = await tx.execute<{ scheduledOrderId: number }>(
      `SELECT scheduled_order_id FROM scheduled_order_items WHERE id = $1`,
      [itemId],
    );
    await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`, [
      item?.scheduledOrderId ?? null,
    ]);
    const { scheduledOrderId } = await this.load(tx, caller, itemId);
    return this.orders.load(tx, caller, scheduledOrderId);
  }

  private async lockNamedOrder(
    tx: Transaction,
    caller: Caller,
    id: number | null | undefined,
  ): Promise<ScheduledOrder> {
    const field = 'ScheduledOrderId';
    if (id == null) throw new Rejected([{ field, message: 'is required.' }]);
    const orders = { table: 'scheduled_orders', name: 'ScheduledOrder' };
    const references = [{ field, id }];
    await assertReferences(tx, caller, orders, references);
    try {
      return await this.orders.load(tx, caller, id);
    } catch (error) {
      // The order was deleted in between: in a body this is a wrong reference, as before and afterwards.
      if (error instanceof NotFound) await assertReferences(tx, caller, orders, references);
      throw error;
    }
  }

  private async recalculate(
    tx: Transaction,
    caller: Caller,
    order: ScheduledOrder,
    items: readonly ItemWithProduct[],
    change: ItemChange,
    previous: RecordJson,
  ): Promise<void> {
    const totals = totalsOf(order, items, await pricingFor(tx, order));
    await updateRow(tx, 'scheduled_orders', order.id, totals, 'x.id');
    if (totals.total === 0) await leaveWait(tx, order.id);
    await judgePushableAnew(tx, order.siteId, order.id);
    const description = `${change.actionType} by ${callerName(caller)}.`;
    await logAction(tx, { ...change, scheduledOrderId: order.id, caller, previous, description });
  }
}

async function itemJson(tx: Transaction, id: number): Promise<string> {
  const [row] = await tx.execute<{ json: string }>(
    `SELECT ${scheduledOrderItemView.json('x')}::text AS json FROM scheduled_order_items x WHERE x.id = $1`,
    [id],
  );
  return row!.json;
}
