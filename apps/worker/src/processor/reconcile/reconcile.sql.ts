import { CONCERNS, IS_UNCOMPARED } from '#libs/ledger';

/**
 * The integrations of a site that still have to be reconciled (deleted ones do not): from which instant on, for how
 * long no other worker can have begun a request in another state of the database, and how far its charges were listed
 * already. uq_payment_integrations_type. $1 site id, $2 generation.
 */
export const UNRECONCILED = `SELECT i.id, i.payment_method_type AS type, i.xmin::text AS version, min(d.cut_off_utc) AS sure_until_utc,
  (extract(epoch FROM now() - min(d.cut_off_utc)) * 1000)::bigint AS ago_ms,
  (extract(epoch FROM now() - max(CASE d.cause WHEN 'gap' THEN pg_postmaster_start_time() ELSE d.began_utc END)) * 1000)::bigint AS quiet_for_ms,
  min(r.list_cursor) FILTER (WHERE r.list_generation = $2) AS cursor
FROM payment_integrations i
LEFT JOIN integration_reconciliations r ON r.payment_integration_id = i.id
JOIN required_reconciliations d ON d.generation > coalesce(r.generation, 0) AND ${CONCERNS}
WHERE i.site_id = $1 AND i.deleted_utc IS NULL
GROUP BY i.id`;

/** Some sites with an integration that still has to be reconciled, by id. $1 the last site of the batch before. */
export const UNRECONCILED_SITES = `SELECT DISTINCT ON (i.site_id) i.site_id, i.payment_method_type
FROM payment_integrations i
WHERE i.site_id > $1 AND i.deleted_utc IS NULL AND ${IS_UNCOMPARED}
ORDER BY i.site_id
LIMIT 50`;

/**
 * Does nothing when its credentials have changed since: they may be another account's, whose charges were not listed.
 * The lock waits for a request that is changing them now. $1 integration id, $2 the generation and $3 the version of
 * its row that were read before its charges were listed.
 */
export const RECONCILED = `INSERT INTO integration_reconciliations (payment_integration_id, generation)
SELECT i.id, $2 FROM payment_integrations i WHERE i.id = $1 AND i.xmin = $3::xid FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE
SET generation = excluded.generation, list_generation = NULL, list_cursor = NULL, done_utc = now()
WHERE integration_reconciliations.generation < excluded.generation`;

/**
 * Everything before the cursor is kept. Under the condition of RECONCILED, because another account's list has other
 * cursors. $1 integration id, $2 generation, $3 version of its row, $4 cursor.
 */
export const LISTED_TO = `INSERT INTO integration_reconciliations (payment_integration_id, generation, list_generation, list_cursor)
SELECT i.id, 0, $2, $4 FROM payment_integrations i WHERE i.id = $1 AND i.xmin = $3::xid FOR SHARE
ON CONFLICT (payment_integration_id) DO UPDATE SET list_generation = excluded.list_generation, list_cursor = excluded.list_cursor
WHERE integration_reconciliations.generation < excluded.list_generation`;
