import { FAILURE_CODES } from '#libs/rules';
/**
 * SQL for the time of the cycle's next try. A cycle that waits for its payment integration stores only the end of its
 * wait: its next try is the integration's next probe. One that is held is not tried by itself. pk_integration_waits.
 */
export const nextAttemptSql = (cycle: string): string => `CASE
  WHEN ${cycle}.held_for IS NOT NULL AND ${cycle}.state = 'Waiting' THEN NULL
  WHEN ${cycle}.open AND ${cycle}.next_attempt_utc IS NOT NULL AND ${cycle}.waiting_since_utc IS NOT NULL AND ${cycle}.failure_code = ${FAILURE_CODES.PaymentIntegrationNotFound.code}
  THEN least(${cycle}.next_attempt_utc, (SELECT w.next_probe_utc FROM integration_waits w
    WHERE w.site_id = ${cycle}.site_id AND w.payment_method_type = ${cycle}.payment_method_type))
  ELSE ${cycle}.next_attempt_utc END`;
