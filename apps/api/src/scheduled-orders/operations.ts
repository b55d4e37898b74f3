import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ScheduledOrder } from '#libs/entities';
import { type ActionType, logAction } from '#libs/journal';
import { assertGoesOn, type OrderChange, processNow, reschedule, skip } from '#libs/ledger';
import { type Answer, type Caller, Conflict, Database, type Once, updateRow } from '#libs/records';
import type { Sent } from '../http/parameters.js';
import type { Expected, NextOccurrence } from './operations.dto.js';
import { snapshot } from './order-snapshot.js';
import { ScheduledOrders } from './scheduled-orders.js';

type Operate = (tx: EntityManager, order: ScheduledOrder, now: Date) => Promise<OrderChange>;

/** What moves an order's next occurrence: behind the order's lock, with the ledger's consent, and logged (decisions.md §12). */
@Injectable()
export class Operations {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrders,
  ) {}

  reschedule(caller: Caller, id: number, { nextOccurrenceUtc }: Sent<NextOccurrence>): Promise<string> {
    const description = `Rescheduled to ${nextOccurrenceUtc.toISOString()} by a ${caller.scope} token.`;
    return this.database.write((tx) =>
      this.operate(tx, caller, id, { actionType: 'RescheduleScheduledOrder', description }, (_, order, now) =>
        reschedule(tx, order, nextOccurrenceUtc, now),
      ),
    );
  }

  skip(caller: Caller, id: number, expected: Sent<Expected>, once: Once): Promise<Answer> {
    const action = { actionType: 'SkipScheduledOrder', description: `Skipped by a ${caller.scope} token.` } as const;
    return this.database.once(once, async (tx) => ({
      id,
      json: await this.operate(tx, caller, id, action, whereExpected(expected, skip)),
    }));
  }

  process(caller: Caller, id: number, expected: Sent<Expected>, once: Once): Promise<Answer> {
    const description = `Called for at once by a ${caller.scope} token.`;
    const action = { actionType: 'RetryScheduledOrder', description } as const;
    const isExpected = expected.expectedNextOccurrenceUtc !== undefined;
    const work: Operate = (tx, order, now) => processNow(tx, order, now, isExpected);
    return this.database.once(once, async (tx) => ({
      id,
      json: await this.operate(tx, caller, id, action, whereExpected(expected, work)),
    }));
  }

  private async operate(
    tx: EntityManager,
    caller: Caller,
    id: number,
    action: { readonly actionType: ActionType; readonly description: string },
    work: Operate,
  ): Promise<string> {
    const order = await this.orders.load(tx, caller, id);
    const { json: previous, now } = await snapshot(tx, id);
    const change = await work(tx, order, now);
    assertGoesOn({ ...order, ...change }, now);
    await updateRow(tx, 'scheduled_orders', id, change, 'x.id');
    return logAction(tx, { ...action, scheduledOrderId: id, tokenId: caller.tokenId, previous });
  }
}

/** @throws Conflict when the next occurrence is not the one that the caller saw. */
const whereExpected =
  ({ expectedNextOccurrenceUtc: expected }: Sent<Expected>, work: Operate): Operate =>
  (tx, order, now) => {
    const stored = order.nextOccurrenceUtc;
    if (expected === undefined || expected?.getTime() === stored?.getTime()) return work(tx, order, now);
    const found =
      stored === null ? 'The order has no next occurrence' : `The next occurrence is ${stored.toISOString()}`;
    throw new Conflict(`${found}, not the one that was expected: read the order again and decide anew.`);
  };
