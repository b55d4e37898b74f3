import { IS_UNCOMPARED } from '#libs/ledger';

/**
 * The integrations of the sites of a batch: the one of each type that is not deleted. `needs_probe`: orders wait for
 * it, or it did not know the latest cards. `is_uncompared`: a reconciliation is required, and its charges have not been
 * compared with the ledger yet, or not with these credentials. uq_payment_integrations_type, pk_integration_waits. $1
 * site ids.
 */
export const LOAD_INTEGRATIONS = `SELECT i.id, i.site_id, i.payment_method_type AS type, i.api_account, i.api_key1, i.api_key2, i.test_mode,
  EXISTS (SELECT 1 FROM integration_waits w WHERE w.site_id = i.site_id AND w.payment_method_type = i.payment_method_type
    AND (w.waiting_since_utc IS NOT NULL OR w.missing <> '[]')) AS needs_probe, ${IS_UNCOMPARED} AS is_uncompared
FROM payment_integrations i
WHERE i.site_id = ANY ($1::bigint[]) AND i.deleted_utc IS NULL`;

/**
 * Integrations that charges were sent with, also deleted ones: a look-up still needs their account. $1 integration ids.
 */
export const LOAD_PINNED_INTEGRATIONS = `SELECT i.id, i.site_id, i.payment_method_type AS type, i.api_account, i.api_key1, i.api_key2, i.test_mode
FROM payment_integrations i
WHERE i.id = ANY ($1::bigint[])`;
