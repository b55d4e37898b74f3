import { businessNowSql } from '#libs/entities';
import { insertErrorsSql } from '#libs/events';
import { NamedValues, type SqlExecutor } from '#libs/platform';
import { Conflict, NotFound } from '#libs/records';
import { notifySql } from '../notify.js';
import { allCyclesSql } from '../reading/archive.js';
import { paidElsewhere } from './paid-by.js';

/** What a person has found at the gateway. */
export interface Resolution {
  readonly scheduledOrderId: number;
  readonly cycle: number;
  /** The gateway's transaction when it was charged; null when it was not. */
  readonly transactionId: string | null;
  /** The person who says so. */
  readonly by: string;
}

const SETTLED = new NamedValues({
  scheduledOrderId: 'bigint',
  cycle: 'bigint',
  transactionId: 'text',
  by: 'text',
  resolved: 'text',
  sentence: 'text',
});
const { $ } = SETTLED;

/**
 * The error log, which the shop reads, gets the occurrence, the decision and the person's name. The difference of the
 * transaction that the decision names is settled by it; where it names none, that of the found charge which the cycle
 * is held for; and a payment that stands for this cycle too. What else differs about the order stays open. A
 * transaction that a list has named was charged with the list's integration. After "not charged" no look-up of the
 * attempts up to now has to conclude any more (EarlierAttempts). pk_processing_cycles, ix_payment_differences_holding,
 * pk_found_charges.
 */
const RESOLVE = `WITH named AS (
  SELECT i.id, i.payment_method_type FROM found_charges f JOIN payment_integrations i ON i.id = f.payment_integration_id
  WHERE f.scheduled_order_id = ${$.scheduledOrderId} AND f.transaction_id = ${$.transactionId} AND f.is_charged ORDER BY i.id DESC LIMIT 1
), resolved AS (
  UPDATE processing_cycles c
  SET resolution = ${$.resolved}, gateway_transaction_id = coalesce(${$.transactionId}, c.gateway_transaction_id),
    payment_integration_id = coalesce((SELECT n.id FROM named n), c.payment_integration_id),
    payment_method_type = coalesce((SELECT n.payment_method_type FROM named n), c.payment_method_type),
    past_attempts = CASE WHEN ${$.transactionId}::text IS NULL THEN coalesce(c.past_attempts, '[]') || jsonb_build_object('Attempt', c.attempt, 'SettledUtc', now()) ELSE c.past_attempts END, next_attempt_utc = ${businessNowSql('c')}, updated_utc = now()
  WHERE c.scheduled_order_id = ${$.scheduledOrderId} AND c.cycle = ${$.cycle} AND c.state = 'Unknown' AND c.worker IS NULL
  RETURNING c.site_id, c.scheduled_order_id, c.cycle, c.simulated, 'The occurrence of ' || to_char(c.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC ' || ${$.sentence}::text AS description
), e AS (
  SELECT o.*, r.description AS error_description, json_build_object('Message', r.description, 'InnerExceptionInfo', null) AS exception_info
  FROM resolved r JOIN scheduled_orders o ON o.id = r.scheduled_order_id
), logged AS (${insertErrorsSql('e')}
), settled AS (
  UPDATE payment_differences d
  SET state = 'Settled', holds = false, settled_as = 'Resolved', settled_by = left(${$.by}, 255), note = left(r.description, 1000), settled_utc = now()
  FROM resolved r
  WHERE d.site_id = r.site_id AND d.scheduled_order_id = r.scheduled_order_id AND d.holds
    AND (d.gateway_transaction_id = ${$.transactionId} OR d.cycle = r.cycle AND (d.kind = 'TransactionTwice' OR ${$.transactionId}::text IS NULL AND EXISTS (SELECT FROM found_charges f
      WHERE f.payment_integration_id = d.payment_integration_id AND f.transaction_id = d.gateway_transaction_id AND f.state = 'Placed')))
)
SELECT ${notifySql('resolved.simulated')} FROM resolved`;

/**
 * Stores a person's decision whether a cycle was charged. A worker acts on it at once: it records the Order, or goes on
 * as after a charge that was not carried out.
 * @throws NotFound. Conflict when its outcome is known, or a worker is looking it up, or the transaction has paid
 * another Order of the site.
 */
export async function resolveCycle(database: SqlExecutor, resolution: Resolution): Promise<void> {
  const { scheduledOrderId, cycle, transactionId, by } = resolution;
  const elsewhere =
    transactionId === null ? null : await paidElsewhere(database, scheduledOrderId, cycle, transactionId);
  if (elsewhere !== null) throw new Conflict(elsewhere.message);
  const found = transactionId === null ? 'not charged' : `charged as ${transactionId}`;
  const resolved = transactionId === null ? 'NotCharged' : 'Charged';
  const sentence = `was settled by hand by ${by}: ${found}.`;
  const rows = await database.execute(RESOLVE, SETTLED.values({ resolved, sentence, ...resolution }));
  if (rows.length > 0) return;
  const [stands] = await database.execute<{ state: string }>(
    `SELECT c.state FROM scheduled_orders o CROSS JOIN LATERAL ${allCyclesSql('o')} c WHERE o.id = $1 AND c.cycle = $2`,
    [scheduledOrderId, cycle],
  );
  if (!stands) throw new NotFound(`Scheduled order ${scheduledOrderId} has no cycle ${cycle}.`);
  if (stands.state !== 'Unknown') {
    throw new Conflict(
      `Cycle ${cycle} of scheduled order ${scheduledOrderId} is ${stands.state}: there is nothing to settle.`,
    );
  }
  throw new Conflict('A worker is looking it up at this moment: try again in a minute.');
}
