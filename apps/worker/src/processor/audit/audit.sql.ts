import { IS_UNCOMPARED } from '#libs/ledger';

const IS_ACTIVE = `a.sent_utc > now() - interval '24 hours'`;

/**
 * These integrations have sent something. The audit of one that has sent nothing for a day begins an hour before: a
 * worker that is dead by now may have sent something, too. What was charged before is not compared.
 * pk_integration_audits, pk_payment_integrations. $1 integration ids, $2 ms until its first audit.
 */
export const SENT = `INSERT INTO integration_audits AS a (payment_integration_id, checked_until_utc, next_audit_utc, audited_utc, sent_utc)
SELECT i.id, now() - interval '1 hour', now() + $2 * interval '1 millisecond', now(), now()
FROM payment_integrations i WHERE i.id = ANY ($1::bigint[]) ORDER BY i.id
ON CONFLICT (payment_integration_id) DO UPDATE SET sent_utc = now(), next_audit_utc = least(a.next_audit_utc, excluded.next_audit_utc),
  checked_until_utc = CASE WHEN a.audited_utc IS NULL THEN excluded.checked_until_utc ELSE a.checked_until_utc END,
  audited_utc = coalesce(a.audited_utc, now())
WHERE a.audited_utc IS NULL OR a.sent_utc IS NULL OR a.sent_utc < now() - interval '1 hour'`;

/**
 * Leases the integration that has waited longest for its audit, since the round began. One whose charges must be
 * reconciled first waits for that. ix_integration_audits_next_audit. $1 worker, $2 lease ms, $3 ms since the round
 * began.
 */
export const BEGIN_AUDIT = `WITH due AS (
  SELECT a.payment_integration_id AS id, i.site_id, i.payment_method_type
  FROM integration_audits a JOIN payment_integrations i ON i.id = a.payment_integration_id
  WHERE a.next_audit_utc <= now() - $3 * interval '1 millisecond' AND (a.lease_until_utc IS NULL OR a.lease_until_utc <= now()) AND NOT ${IS_UNCOMPARED}
  ORDER BY a.next_audit_utc LIMIT 1
  FOR UPDATE OF a SKIP LOCKED
)
UPDATE integration_audits a SET worker = $1, lease_until_utc = now() + $2 * interval '1 millisecond'
FROM due d WHERE a.payment_integration_id = d.id
RETURNING d.id, d.site_id, d.payment_method_type, a.checked_until_utc, a.open_charges, now() AS now_utc`;

/** pk_integration_audits. $1 integration id, $2 worker, $3 lease ms. */
export const GO_ON_AUDITING = `UPDATE integration_audits a SET lease_until_utc = now() + $3 * interval '1 millisecond'
WHERE a.payment_integration_id = $1 AND a.worker = $2 RETURNING 1`;

const GOES_ON = `(${IS_ACTIVE} OR $4::jsonb <> '[]')`;

/**
 * An integration that sends nothing any more, and has no open charges, has no further audit. $1 integration id, $2
 * worker, $3 checked until, $4 open charges, $5 next audit.
 */
export const END_AUDIT = `UPDATE integration_audits a SET checked_until_utc = $3, open_charges = $4, worker = NULL, lease_until_utc = NULL,
  audited_utc = CASE WHEN ${GOES_ON} THEN now() END, next_audit_utc = CASE WHEN ${GOES_ON} THEN $5::timestamptz ELSE 'infinity' END
WHERE a.payment_integration_id = $1 AND a.worker = $2`;

/**
 * One that refuses is asked no more when it sends nothing any more. $1 integration id, $2 worker, $3 ms until it is
 * tried again, $4 whether it refuses.
 */
export const PUT_OFF_AUDIT = `UPDATE integration_audits a SET worker = NULL, lease_until_utc = NULL,
  audited_utc = CASE WHEN ${IS_ACTIVE} OR NOT $4::boolean THEN a.audited_utc END,
  next_audit_utc = CASE WHEN ${IS_ACTIVE} OR NOT $4::boolean THEN now() + $3 * interval '1 millisecond' ELSE 'infinity' END
WHERE a.payment_integration_id = $1 AND a.worker = $2`;

/**
 * Charges that are not this site's to judge (`'Other'`: their order is another site's, whose account it shares), or not
 * yet (`'Unplaced'`: a reconciliation gives them their places). pk_found_charges, pk_scheduled_orders. $1 integration
 * id, $2 site, $3 transactions, $4 order ids.
 */
export const JUDGED_ELSEWHERE = `SELECT f.transaction_id, CASE WHEN u.transaction_id IS NULL THEN 'Other' ELSE 'Unplaced' END AS by
FROM unnest($3::text[], $4::bigint[]) AS f (transaction_id, order_id)
LEFT JOIN found_charges u ON u.payment_integration_id = $1 AND u.transaction_id = f.transaction_id AND u.state = 'Unplaced'
LEFT JOIN scheduled_orders s ON s.id = f.order_id AND s.site_id <> $2
WHERE u.transaction_id IS NOT NULL OR s.id IS NOT NULL`;
