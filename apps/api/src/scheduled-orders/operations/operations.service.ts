import { Injectable } from '@nestjs/common';
import type { ScheduledOrder } from '#libs/entities';
import { type ActionType, logAction, snapshot } from '#libs/events';
import {
  acceptHolding,
  assertExpected,
  assertGoesOn,
  type OrderChange,
  processNow,
  reschedule,
  skip,
} from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import {
  type Answer,
  type Caller,
  callerName,
  Database,
  type Idempotency,
  type RecordJson,
  updateRow,
} from '#libs/records';
import type { ExpectedDto, NextOccurrenceDto } from '../../contract/orders/operations.dto.js';
import { CallLimits } from '../../http/load/call-limits.js';
import type { Input } from '../../http/parameters/parameters.js';
import { assertPushable } from '../quotes/push-problems.js';
import { ScheduledOrdersService } from '../scheduled-orders.service.js';
import { type LimitedOperation, moveTo, operationLimits } from './operation-limits.js';

/** How a request is logged, and the limit that it counts against; null without a limit. */
interface Action {
  readonly actionType: ActionType;
  readonly description: (change: OrderChange) => string;
  readonly countsAs: (now: Date) => LimitedOperation | null;
}

type Operate = (tx: Transaction, order: ScheduledOrder, now: Date) => Promise<OrderChange>;

/**
 * The operations that change an order's next occurrence: with the order locked, only if its cycles allow it, and logged
 * (decisions.md §12).
 */
@Injectable()
export class OperationsService {
  constructor(
    private readonly database: Database,
    private readonly orders: ScheduledOrdersService,
    private readonly limits: CallLimits,
  ) {}

  reschedule(caller: Caller, id: number, sent: Input<NextOccurrenceDto>): Promise<RecordJson> {
    const { nextOccurrenceUtc: instant, expectedNextOccurrenceUtc: expected } = sent;
    const action: Action = {
      actionType: 'RescheduleScheduledOrder',
      description: ({ nextOccurrenceUtc: moved }) =>
        `Rescheduled to ${(moved ?? instant).toISOString()} by ${callerName(caller)}.`,
      countsAs: (now) => moveTo(instant, now),
    };
    const work: Operate = (tx, order, now) => reschedule(tx, order, instant, now, expected);
    return this.database.write((tx) => this.operate(tx, caller, id, action, work));
  }

  skip(caller: Caller, id: number, expected: Input<ExpectedDto>, once: Idempotency): Promise<Answer> {
    const description = () => `Skipped by ${callerName(caller)}.`;
    const action: Action = { actionType: 'SkipScheduledOrder', description, countsAs: () => 'Skip' };
    return this.database.once(once, async (tx) => ({
      id,
      json: await this.operate(tx, caller, id, action, whereExpected(expected, skip)),
    }));
  }

  process(caller: Caller, id: number, expected: Input<ExpectedDto>, once: Idempotency): Promise<Answer> {
    const description = () => `Made due at once by ${callerName(caller)}.`;
    const action: Action = { actionType: 'RetryScheduledOrder', description, countsAs: () => 'Process' };
    const isExpected = expected.expectedNextOccurrenceUtc !== undefined;
    const work: Operate = async (tx, order, now) => {
      await acceptHolding(tx, order, caller.scope === 'Merchant' ? callerName(caller) : null);
      await assertPushable(tx, order, caller);
      return processNow(tx, order, now, isExpected);
    };
    return this.database.once(once, async (tx) => ({
      id,
      json: await this.operate(tx, caller, id, action, whereExpected(expected, work)),
    }));
  }

  private async operate(
    tx: Transaction,
    caller: Caller,
    id: number,
    { actionType, description, countsAs }: Action,
    work: Operate,
  ): Promise<RecordJson> {
    const order = await this.orders.load(tx, caller, id);
    const { json: previous, now } = await snapshot(tx, id);
    const operation = countsAs(now);
    if (operation !== null) await this.limits.take(tx, operationLimits(caller, id, operation));
    const change = await work(tx, order, now);
    assertGoesOn({ ...order, ...change }, now);
    await updateRow(tx, 'scheduled_orders', id, change, 'x.id');
    return logAction(tx, { actionType, description: description(change), scheduledOrderId: id, caller, previous });
  }
}

/** @throws Conflict when the next occurrence is not the one that the caller expects. */
const whereExpected =
  ({ expectedNextOccurrenceUtc: expected }: Input<ExpectedDto>, work: Operate): Operate =>
  (tx, order, now) => {
    if (expected !== undefined) assertExpected(order.nextOccurrenceUtc, expected);
    return work(tx, order, now);
  };
