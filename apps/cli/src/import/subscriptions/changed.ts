import type { Transaction } from '#libs/platform';
import { shownAmount, shownInstant } from '#libs/rules';
import { SOURCE } from './references.js';

/** What the file says of subscriptions that an earlier run imported. */
export interface Changes {
  /** Orders that did not go live yet, and that the file says something else of: left to a person now. */
  readonly changed: readonly number[];
  /** Orders that are live, and whose subscriptions are not active in the shop any more. */
  readonly liveButEnded: readonly number[];
  /** Orders that did not go live yet, and whose subscriptions the file does not have. */
  readonly notInFile: readonly number[];
}

/** Takes rows that are not imported out of `staged` into `not_imported`. $1 their statuses. */
const TAKE_OUT = `WITH taken AS (DELETE FROM staged WHERE source_status = ANY ($1::text[]) RETURNING source_id, source_status)
INSERT INTO not_imported SELECT source_id, source_status FROM taken`;

/**
 * Moves the rows that are not imported from `staged` to the temporary table `not_imported`.
 * @param refused the ids of subscriptions whose rows could not be read.
 */
export async function takeOut(tx: Transaction, statuses: readonly string[], refused: readonly string[]): Promise<void> {
  await tx.execute('CREATE TEMPORARY TABLE not_imported (source_id text, source_status text) ON COMMIT DROP');
  await tx.execute(TAKE_OUT, [statuses]);
  await tx.execute('INSERT INTO not_imported SELECT unnest($1::text[]), NULL', [refused]);
  for (const table of ['staged', 'not_imported']) await tx.execute(`ANALYZE ${table}`);
}

/** Locked by id, as going live locks them. uq_migrated_subscriptions_source. $1 site id, $2 source. */
const DIFFERING = `SELECT m.scheduled_order_id AS id, m.state, o.currency_iso AS "currencyIso", f.is_read AS "isRead", m.reason AS "reasonBefore", f.reason,
  m.source_status AS "statusBefore", f.source_status AS status, m.next_payment_utc AS "nextBefore", f.next_utc AS next,
  m.source_total AS "totalBefore", f.file_total AS total,
  (m.payment_method_type, m.gateway_customer_id) IS DISTINCT FROM (f.payment_type, f.gateway_customer_id) AS "otherCustomer",
  m.gateway_card_id IS DISTINCT FROM f.gateway_card_id AS "otherCard"
FROM (SELECT source_id, source_status, next_utc, file_total, payment_type, gateway_customer_id, gateway_card_id, reason, true AS is_read
    FROM staged
  UNION ALL SELECT source_id, source_status, NULL, NULL, NULL, NULL, NULL, NULL, false FROM not_imported) AS f
JOIN migrated_subscriptions m ON m.site_id = $1 AND m.source = $2 AND m.source_id = f.source_id
JOIN scheduled_orders o ON o.id = m.scheduled_order_id AND o.deleted_utc IS NULL
WHERE CASE WHEN m.state = 'Live' THEN f.source_status <> m.source_status
  ELSE NOT f.is_read OR coalesce(strpos(coalesce(m.reason, ''), f.reason) = 0, false) OR coalesce(m.source_total <> f.file_total, false)
    OR (m.source_status, m.next_payment_utc, m.payment_method_type, m.gateway_customer_id, m.gateway_card_id)
      IS DISTINCT FROM (f.source_status, f.next_utc, f.payment_type, f.gateway_customer_id, f.gateway_card_id) END
ORDER BY m.scheduled_order_id FOR UPDATE OF m`;

/** pk_migrated_subscriptions. A run with the same file again adds nothing. $1 order ids, $2 what differs of each. */
const LEAVE_TO_PERSON = `UPDATE migrated_subscriptions m SET state = 'Manual',
  reason = left(CASE WHEN m.state = 'Manual' THEN m.reason || '; ' ELSE '' END || v.difference, 2000)
FROM unnest($1::bigint[], $2::text[]) AS v (id, difference)
WHERE m.scheduled_order_id = v.id AND (m.state <> 'Manual' OR strpos(m.reason, v.difference) = 0)`;

/** $1 site id, $2 source. */
const NOT_IN_FILE = `SELECT m.scheduled_order_id AS id FROM migrated_subscriptions m
JOIN scheduled_orders o ON o.id = m.scheduled_order_id AND o.deleted_utc IS NULL
WHERE m.site_id = $1 AND m.source = $2 AND m.state <> 'Live'
  AND NOT EXISTS (SELECT FROM staged s WHERE s.source_id = m.source_id)
  AND NOT EXISTS (SELECT FROM not_imported n WHERE n.source_id = m.source_id)
ORDER BY m.scheduled_order_id`;

interface Difference {
  readonly id: number;
  readonly state: string;
  readonly currencyIso: string;
  /** Whether the row could be read, and has a status that is imported. */
  readonly isRead: boolean;
  readonly reasonBefore: string | null;
  /** Why the file leaves it to a person; null when it does not. */
  readonly reason: string | null;
  readonly statusBefore: string;
  /** Null: the row was refused. */
  readonly status: string | null;
  readonly nextBefore: Date | null;
  readonly next: Date | null;
  readonly totalBefore: number | null;
  readonly total: number | null;
  readonly otherCustomer: boolean;
  readonly otherCard: boolean;
}

/**
 * Compares the file with what an earlier run imported. What differs is left to a person, unless it is live: the check
 * and going live pass over it, so that nobody is charged who has cancelled in the shop since then.
 */
export async function leaveChanged(tx: Transaction, siteId: number): Promise<Changes> {
  const differing = await tx.execute<Difference>(DIFFERING, [siteId, SOURCE]);
  const changed = differing.filter(({ state }) => state !== 'Live');
  const ids = changed.map(({ id }) => id);
  await tx.execute(LEAVE_TO_PERSON, [ids, changed.map(differenceOf)]);
  const missing = await tx.execute<{ id: number }>(NOT_IN_FILE, [siteId, SOURCE]);
  return {
    changed: ids,
    liveButEnded: differing.filter(({ state }) => state === 'Live').map(({ id }) => id),
    notInFile: missing.map(({ id }) => id),
  };
}

/** What a later file says otherwise, in words. */
function differenceOf(row: Difference): string {
  if (row.status === null) return 'changed in the shop since its import: the row of a later file was refused';
  const changes = row.status === row.statusBefore ? [] : [`it is ${row.status} now, and was ${row.statusBefore}`];
  if (row.isRead) changes.push(...readDifferences(row));
  return `changed in the shop since its import: ${changes.join('; ')}`;
}

function readDifferences(row: Difference): string[] {
  const { next, nextBefore, total, totalBefore, currencyIso, reason } = row;
  const changes: string[] = [];
  const date = (at: Date | null) => (at === null ? 'empty' : shownInstant(at));
  if (next?.getTime() !== nextBefore?.getTime()) {
    changes.push(`next_payment_date is ${date(next)} now, and was ${date(nextBefore)}`);
  }
  const amount = (minorUnits: number) => shownAmount(minorUnits, currencyIso);
  if (total !== null && totalBefore !== null && total !== totalBefore) {
    changes.push(`order_total is ${amount(total)} now, and was ${amount(totalBefore)}`);
  }
  if (row.otherCustomer) changes.push('it has another customer of the gateway');
  if (row.otherCard) changes.push('it has another card');
  if (reason !== null && row.reasonBefore?.includes(reason) !== true) changes.push(reason);
  return changes;
}
