import { Injectable } from '@nestjs/common';
import type { ScheduledOrder } from '#libs/entities';
import { type Action, logAction, snapshot } from '#libs/events';
import { cancel, reactivate } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import {
  type Answer,
  type Caller,
  callerName,
  Database,
  type Idempotency,
  type RecordJson,
  updateRow,
  wireName,
} from '#libs/records';
import type { OrderTermsDto } from '../../contract/orders/order-terms.dto.js';
import type { Input } from '../../http/parameters/parameters.js';
import { shopsOwn } from '../order-rules.js';
import { ScheduledOrdersService } from '../scheduled-orders.service.js';

type Terms = Pick<ScheduledOrder, 'externalId' | 'cancelledUtc' | 'cancelReason' | 'note'>;

/** What a request may set. */
const SETTABLE = ['externalId', 'note'] as const;

/** What an order has beyond the contract, and its end by request. Every change moves the order's UpdatedUtc. */
@Injectable()
export class OrderTermsService {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
  ) {}

  async get(caller: Caller, id: number): Promise<string> {
    const columns = 'x.external_id, x.cancelled_utc, x.cancel_reason, x.note';
    return json(await this.orders.selectOne<Terms>(caller, id, { name: 'terms', columns }), caller);
  }

  /** @throws Forbidden where a Customer token would change what is the shop's. Rejected for a reference in use. */
  update(caller: Caller, id: number, sent: Input<OrderTermsDto>): Promise<string> {
    return this.database.write(async (tx) => {
      const order = await this.orders.load(tx, caller, id);
      const shown = readBy(order, caller);
      const changed = SETTABLE.filter((field) => sent[field] !== undefined && sent[field] !== shown[field]);
      if (changed.length === 0) return json(order, caller);
      if (caller.scope === 'Customer') throw shopsOwn(wireName(changed[0]!));
      const change = Object.fromEntries(changed.map((field) => [field, sent[field]]));
      const terms = { ...order, ...change };
      await this.orders.assertExternalIdIsFree(tx, terms, id);
      // Customers read the log: it does not have the note's words.
      const names = changed.map(wireName).join(' and ');
      const description = `${names} of the terms changed by ${callerName(caller)}.`;
      await this.write(tx, caller, id, () => change, { actionType: 'UpdateScheduledOrder', description });
      return json(terms, caller);
    });
  }

  /** A second cancellation changes nothing. */
  cancel(caller: Caller, id: number, reason: string | null, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const order = await this.orders.load(tx, caller, id);
      if (order.cancelledUtc !== null) return { id, json: (await snapshot(tx, id)).json };
      const because = reason === null ? '.' : `: ${reason}`;
      const description = `Cancelled by ${callerName(caller)}${because}`;
      const action = {
        actionType: 'PauseScheduledOrder',
        publishedAs: 'scheduled_order.cancelled',
        description,
      } as const;
      return { id, json: await this.write(tx, caller, id, (now) => cancel(tx, order, reason, now), action) };
    });
  }

  reactivate(caller: Caller, id: number, once: Idempotency): Promise<Answer> {
    return this.database.once(once, async (tx) => {
      const order = await this.orders.load(tx, caller, id);
      if (order.cancelledUtc === null) return { id, json: (await snapshot(tx, id)).json };
      const description = `Reactivated by ${callerName(caller)}.`;
      const action = { actionType: 'UpdateScheduledOrder', description } as const;
      return { id, json: await this.write(tx, caller, id, reactivate, action) };
    });
  }

  private async write(
    tx: Transaction,
    caller: Caller,
    id: number,
    plan: (now: Date) => object | Promise<object>,
    action: Pick<Action, 'actionType' | 'description' | 'publishedAs'>,
  ): Promise<RecordJson> {
    const { json: previous, now } = await snapshot(tx, id);
    await updateRow(tx, 'scheduled_orders', id, await plan(now), 'x.id');
    return logAction(tx, { scheduledOrderId: id, caller, previous, ...action });
  }
}

/** The note is for the shop's people. */
const readBy = (terms: Terms, { scope }: Caller): Terms => (scope === 'Merchant' ? terms : { ...terms, note: null });

function json(terms: Terms, caller: Caller): string {
  const { externalId, cancelledUtc, cancelReason, note } = readBy(terms, caller);
  return JSON.stringify({
    ExternalId: externalId,
    CancelledUtc: cancelledUtc,
    CancelReason: cancelReason,
    Note: note,
  });
}
