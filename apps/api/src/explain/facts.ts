import { businessNowSql, type CycleState, ScheduledOrder } from '#libs/entities';
import {
  type HoldingDifference,
  type LatestCycle,
  newestCyclesSql,
  nextAttemptSql,
  type PushStanding,
  readHolding,
  readLatestCycle,
  readPushStanding,
} from '#libs/ledger';
import { prepared, Statement, type Transaction } from '#libs/platform';
import { columnList, entityOf, NotFound } from '#libs/records';

/** A cycle as the ledger, or its archive, has it. */
export interface CycleFacts {
  readonly cycle: number;
  readonly state: CycleState;
  readonly dueUtc: Date;
  /** The regular occurrence that it stands for, when it was moved or processed at once; else null. */
  readonly replacedUtc: Date | null;
  readonly attempt: number;
  readonly paymentFailures: number;
  readonly technicalFailures: number;
  readonly retriesExhausted: boolean;
  readonly waitingSinceUtc: Date | null;
  readonly nextAttemptUtc: Date | null;
  readonly amount: number | null;
  readonly currencyIso: string | null;
  readonly failureCode: number | null;
  readonly failureMessage: string | null;
  readonly orderId: number | null;
  readonly startedUtc: Date | null;
  readonly createdUtc: Date;
  readonly updatedUtc: Date;
  /** When it was last recorded, by a test clock; null for a real site. */
  readonly occurredUtc: Date | null;
}

/** What an order would be charged with. */
export interface PaymentFacts {
  /** Null: the site has no integration of the order's type. */
  readonly integrationId: number | null;
  readonly testMode: boolean | null;
  readonly card: string | null;
}

/** What is known of an order at one instant. */
export interface Facts {
  readonly order: ScheduledOrder;
  readonly now: Date;
  /** As requests read it. */
  readonly newest: LatestCycle | null;
  /** The newest cycle, with everything that there is to say about it. */
  readonly cycle: CycleFacts | null;
  /** The newest cycle that has come to something: it ended, or was tried. */
  readonly last: CycleFacts | null;
  /** How the Order stands in the shop that it has written; null without one, and where nothing is pushed. */
  readonly push: PushStanding | null;
  /** The open differences that hold it, the oldest first. */
  readonly held: readonly HoldingDifference[];
  readonly payment: PaymentFacts;
}

/** pk_scheduled_orders, pk_test_clocks. $1 order id. */
const orderStatement = () =>
  prepared(
    'Explain.order',
    () => `SELECT ${columnList(ScheduledOrder, 'x')}, (${businessNowSql('x', 'clock_timestamp()')})::timestamptz(3) AS now
      FROM scheduled_orders x WHERE x.id = $1 AND x.deleted_utc IS NULL`,
  );

const MOST_CYCLES = Number.MAX_SAFE_INTEGER;

/**
 * The newest two: of these only the newest can be on its way. pk_processing_cycles, pk_archived_cycles,
 * pk_integration_waits. $1 order id.
 */
const NEWEST_CYCLES =
  Statement.named(`SELECT c.cycle, c.state, c.due_utc AS "dueUtc", c.replaced_utc AS "replacedUtc", c.attempt, c.payment_failures AS "paymentFailures",
    c.technical_failures AS "technicalFailures", c.retries_exhausted AS "retriesExhausted", c.waiting_since_utc AS "waitingSinceUtc",
    ${nextAttemptSql('c')} AS "nextAttemptUtc", c.amount, c.currency_iso AS "currencyIso", c.failure_code AS "failureCode",
    c.failure_message AS "failureMessage", c.order_id AS "orderId", c.started_utc AS "startedUtc", c.created_utc AS "createdUtc",
    c.updated_utc AS "updatedUtc", c.occurred_utc AS "occurredUtc"
  FROM scheduled_orders o CROSS JOIN LATERAL ${newestCyclesSql('o', `${MOST_CYCLES}::bigint`, '2')} c
  WHERE o.id = $1 ORDER BY c.cycle DESC LIMIT 2`);

/** uq_payment_integrations_type, uq_payment_methods_gateway_ids. $1 order id. */
const PAYMENT = Statement.named(`SELECT i.id AS "integrationId", i.test_mode AS "testMode",
    coalesce(m.description, o.payment_method_description) AS card
  FROM scheduled_orders o
  LEFT JOIN payment_integrations i ON i.site_id = o.site_id AND i.payment_method_type = o.payment_method_type AND i.deleted_utc IS NULL
  LEFT JOIN payment_methods m ON m.customer_id = o.customer_id AND m.type = o.payment_method_type
    AND m.gateway_customer_id = o.payment_method_customer_id AND m.gateway_payment_id = o.payment_method_id AND m.deleted_utc IS NULL
  WHERE o.id = $1`);

/** On its way, and nothing has failed yet: there is nothing to tell of it. */
const isFirstTry = ({ state, failureCode }: CycleFacts) =>
  (state === 'Claimed' || state === 'Charging') && failureCode === null;

/**
 * Reads without locks, and all as it was at one instant: an explanation must not delay the order, nor contradict
 * itself.
 */
export const ONE_INSTANT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';

/** @throws NotFound when the order was deleted in the meantime. */
export async function readFacts(tx: Transaction, id: number): Promise<Facts> {
  const [, [row], newest, cycles, [payment]] = await Promise.all([
    tx.execute(ONE_INSTANT),
    tx.execute<{ now: Date }>(orderStatement(), [id]),
    readLatestCycle(tx, id),
    tx.execute<CycleFacts>(NEWEST_CYCLES, [id]),
    tx.execute<PaymentFacts>(PAYMENT, [id]),
  ]);
  if (row === undefined) throw new NotFound(`There is no ScheduledOrder ${id}.`);
  const order = entityOf(ScheduledOrder, row);
  const last = cycles.find((cycle) => !isFirstTry(cycle)) ?? null;
  const isWritten = last?.state === 'Completed';
  return {
    order,
    now: row.now,
    newest,
    cycle: cycles[0] ?? null,
    last,
    push: isWritten ? await readPushStanding(tx, { scheduledOrderId: id, cycle: last.cycle }) : null,
    held: await readHolding(tx, order),
    payment: payment!,
  };
}
