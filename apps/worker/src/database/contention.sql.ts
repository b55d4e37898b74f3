import { API_SESSIONS } from '#libs/platform';

/** How long the probe sleeps in the database, in seconds. */
const SLEEP_S = 0.002;

/**
 * How much too late PostgreSQL wakes a session that slept, in ms: about 0.1 while a processor is free, more while
 * sessions wait for one. It is measured in the database, so what this process does at the same time does not count.
 * `is_api_active`: whether a session of an API answered anything within the last second. Without the right to see other
 * roles' sessions it is false.
 */
export const PROBE = `WITH asleep AS MATERIALIZED (SELECT clock_timestamp() AS since),
  awake AS MATERIALIZED (SELECT since, pg_sleep(${SLEEP_S}) FROM asleep)
SELECT 1000 * (extract(epoch FROM clock_timestamp() - since) - ${SLEEP_S})::float8 AS late_ms,
  EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${API_SESSIONS}'
    AND state_change > clock_timestamp() - interval '1 s') AS is_api_active
FROM awake`;
