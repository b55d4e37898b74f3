import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Settings } from '#libs/config';
import { type ScheduledOrder, ScheduledOrderItem } from '#libs/entities';
import { type ActionType, logAction, snapshot } from '#libs/audit-log';
import { leaveWait } from '#libs/cycles';
import {
  assertReferences,
  type Caller,
  Database,
  deleteRow,
  type Created,
  NotFound,
  type RecordJson,
  Rejected,
  scheduledOrderItemView,
  SiteScopedService,
  updateRow,
} from '#libs/records';
import { SETTINGS } from '../http/tokens.js';
import { assertItemBounds } from './item-bounds.js';
import type { ItemInput, OrderItem } from './item-rules.js';
import { changesItems, itemsOf, planItems, writeItems } from './order-items.js';
import { pricingFor } from './order-rates.js';
import { totalsOf } from './order-totals.js';
import { ScheduledOrdersService } from './scheduled-orders.service.js';

const ITSELF = () => '';
const AS_BODY = { field: 'ScheduledOrderId', pathOf: ITSELF };

/** Lines of scheduled orders. Each change is a change of its order too: its totals, its UpdatedUtc, its log. */
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
      await this.reckon(tx, caller, order, await itemsOf(tx, order.id), 'DeleteScheduledOrderItem', json);
    });
  }

  protected override async insert(tx: EntityManager, caller: Caller, sent: ItemInput): Promise<Created> {
    const order = await this.lockNamedOrder(tx, caller, sent.scheduledOrderId);
    const { json } = await snapshot(tx, order.id);
    const stored = await itemsOf(tx, order.id);
    assertItemBounds(this.settings, caller, stored, [sent], AS_BODY);
    const planned = await planItems(tx, caller, order.siteId, stored, [sent], ITSELF);
    const [id] = await writeItems(tx, order.siteId, order.id, planned);
    await this.reckon(tx, caller, order, planned.items, 'CreateScheduledOrderItem', json);
    return { id: id!, json: await itemJson(tx, id!) };
  }

  protected override async change(tx: EntityManager, caller: Caller, id: number, sent: ItemInput): Promise<string> {
    const order = await this.lockOrderOf(tx, caller, id);
    const { json } = await snapshot(tx, order.id);
    const stored = await itemsOf(tx, order.id);
    assertItemBounds(this.settings, caller, stored, [{ ...sent, id }], AS_BODY);
    const planned = await planItems(tx, caller, order.siteId, stored, [{ ...sent, id }], ITSELF);
    if (changesItems(planned, stored)) {
      await writeItems(tx, order.siteId, order.id, planned);
      await this.reckon(tx, caller, order, planned.items, 'UpdateScheduledOrderItem', json);
    }
    return itemJson(tx, id);
  }

  /** The order before the item, as everybody locks them; then the item again, which may have gone meanwhile. */
  private async lockOrderOf(tx: EntityManager, caller: Caller, itemId: number): Promise<ScheduledOrder> {
    const [item] = await tx.query<{ scheduled_order_id: string }[]>(
      `SELECT scheduled_order_id FROM scheduled_order_items WHERE id = $1`,
      [itemId],
    );
    await tx.query(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`, [
      item?.scheduled_order_id ?? null,
    ]);
    const { scheduledOrderId } = await this.load(tx, caller, itemId);
    return this.orders.load(tx, caller, scheduledOrderId);
  }

  private async lockNamedOrder(
    tx: EntityManager,
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
      // Deleted in between: in a body that is a wrong reference, as it is before and afterwards.
      if (error instanceof NotFound) await assertReferences(tx, caller, orders, references);
      throw error;
    }
  }

  private async reckon(
    tx: EntityManager,
    caller: Caller,
    order: ScheduledOrder,
    items: readonly OrderItem[],
    actionType: ActionType,
    previous: RecordJson,
  ): Promise<void> {
    const totals = totalsOf(order, items, await pricingFor(tx, order));
    await updateRow(tx, 'scheduled_orders', order.id, totals, 'x.id');
    if (totals.total === 0) await leaveWait(tx, order.id);
    const description = `${actionType} by a ${caller.scope} token.`;
    await logAction(tx, { actionType, scheduledOrderId: order.id, tokenId: caller.tokenId, previous, description });
  }
}

async function itemJson(tx: EntityManager, id: number): Promise<string> {
  const [row] = await tx.query<{ json: string }[]>(
    `SELECT ${scheduledOrderItemView.json('x')}::text AS json FROM scheduled_order_items x WHERE x.id = $1`,
    [id],
  );
  return row!.json;
}
