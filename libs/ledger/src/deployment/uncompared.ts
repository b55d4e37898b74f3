import { CONCERNS_STILL } from '../statements/archive.sql.js';

/**
 * Whether a required reconciliation `d` concerns an integration `i`. It does not concern integrations that were made
 * long after it, it ends after 60 days, and no money moves on simulated sites.
 */
export const CONCERNS = `i.created_utc < d.began_utc + interval '7 days' AND ${CONCERNS_STILL}
  AND NOT (SELECT s.simulated FROM sites s WHERE s.id = i.site_id)`;

/**
 * Whether an integration `i` still has to be reconciled, for the first time or because its credentials have changed
 * since. pk_integration_reconciliations.
 */
export const IS_UNCOMPARED = `EXISTS (SELECT 1 FROM required_reconciliations d WHERE ${CONCERNS} AND d.generation > coalesce(
    (SELECT r.generation FROM integration_reconciliations r WHERE r.payment_integration_id = i.id), 0))`;
