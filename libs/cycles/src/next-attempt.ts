import { FAILURE_CODES } from '#libs/rules';
/**
 * SQL of the time at which something happens with the cycle next. One that waits for its payment integration carries only the end of its
 * wait: what happens next is the integration's next probe. pk_integration_waits.
 */
export const nextAttemptSql = (cycle: string): string => `CASE
  WHEN ${cycle}.open AND ${cycle}.next_attempt_utc IS NOT NULL AND ${cycle}.waiting_since_utc IS NOT NULL AND ${cycle}.failure_code = ${FAILURE_CODES.PaymentIntegrationNotFound.code}
  THEN least(${cycle}.next_attempt_utc, (SELECT w.next_probe_utc FROM integration_waits w
    WHERE w.site_id = ${cycle}.site_id AND w.payment_method_type = ${cycle}.payment_method_type))
  ELSE ${cycle}.next_attempt_utc END`;
