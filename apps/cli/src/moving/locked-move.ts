import type { PaymentMethodType } from '#libs/gateways';
import type { OrderToChange } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import type { Candidate, Payer } from './candidate.js';
import { DECIDED_HERE, KEEPS_DATE, LIVE_ELSEWHERE } from './decisions.sql.js';
import { TYPES } from './payments-of-site.js';

/** A moved subscription and its scheduled order, both locked. */
export interface LockedMove
  extends
    Payer,
    Pick<
      Candidate,
      | 'exportedUtc'
      | 'accountedUtc'
      | 'keepsDate'
      | 'paymentMethodType'
      | 'currencyIso'
      | 'deleted'
      | 'cancelled'
      | 'isDecidedHere'
      | 'liveElsewhere'
    > {
  readonly order: OrderToChange;
  readonly checkedUtc: Date | null;
  readonly paidUtc: Date | null;
  readonly reason: string | null;
  /** The gateway of the old shop, and that of the order. */
  readonly types: readonly PaymentMethodType[];
  /** The order was changed after the check. */
  readonly isChanged: boolean;
}

/** First the rows of the move, then the orders, each by id: so two commands never wait for each other. */
const LOCK_MOVES = `SELECT scheduled_order_id FROM migrated_subscriptions
WHERE site_id = $1 AND state = $2 AND ($3::text IS NULL OR source_status = $3) AND ($4::bigint[] IS NULL OR scheduled_order_id = ANY ($4))
ORDER BY scheduled_order_id LIMIT $5 FOR UPDATE`;

/** pk_scheduled_orders. $1 order ids. */
const LOCK_ORDERS = `SELECT FROM scheduled_orders WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`;

/** Read again with their locks. pk_migrated_subscriptions, pk_scheduled_orders. $1 order ids. */
const READ = `SELECT o.id, o.site_id AS "siteId", o.status, o.frequency_type AS "frequencyType", o.frequency,
  o.schedule_anchor_utc AS "scheduleAnchorUtc", o.next_occurrence_utc AS "nextOccurrenceUtc",
  o.replaced_occurrence_utc AS "replacedOccurrenceUtc", o.archived_cycle AS "archivedCycle", o.simulated, o.cancelled_utc AS "cancelledUtc", o.cancelled_utc IS NOT NULL AS cancelled, o.deleted_utc IS NOT NULL AS deleted, ${DECIDED_HERE} AS "isDecidedHere", o.currency_iso AS "currencyIso",
  ${LIVE_ELSEWHERE} AS "liveElsewhere",
  o.payment_method_type AS "paymentMethodType", o.payment_method_customer_id AS "paymentMethodCustomerId",
  o.payment_method_id AS "paymentMethodId", m.gateway_customer_id AS "gatewayCustomerId", m.gateway_card_id AS "gatewayCardId",
  m.exported_utc AS "exportedUtc", m.accounted_utc AS "accountedUtc", ${KEEPS_DATE} AS "keepsDate", m.checked_utc AS "checkedUtc",
  m.paid_utc AS "paidUtc", m.reason, ${TYPES} AS types, o.updated_utc > m.checked_utc AS "isChanged"
FROM migrated_subscriptions m JOIN scheduled_orders o ON o.id = m.scheduled_order_id
WHERE m.scheduled_order_id = ANY ($1::bigint[]) ORDER BY m.scheduled_order_id`;

type Row = Omit<LockedMove, 'order'> & OrderToChange;

export interface Chosen {
  readonly siteId: number;
  readonly state: string;
  readonly sourceStatus?: string;
  readonly ids?: readonly number[];
  /** Rows that another command has locked are passed over: it deals with them. */
  readonly passesOverLocked?: boolean;
  readonly most: number;
}

/** Locks moved subscriptions and their orders. */
export async function lockMoves(tx: Transaction, chosen: Chosen): Promise<LockedMove[]> {
  const { siteId, state, sourceStatus = null, ids = null, most } = chosen;
  const lock = chosen.passesOverLocked === true ? `${LOCK_MOVES} SKIP LOCKED` : LOCK_MOVES;
  const locked = await tx.execute<{ scheduledOrderId: number }>(lock, [siteId, state, sourceStatus, ids, most]);
  const lockedIds = locked.map(({ scheduledOrderId }) => scheduledOrderId);
  await tx.execute(LOCK_ORDERS, [lockedIds]);
  const rows = await tx.execute<Row>(READ, [lockedIds]);
  return rows.map((row) => ({ order: row, ...row }));
}
