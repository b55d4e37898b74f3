import { NEWEST_MIGRATION } from '#libs/entities';
import { BREAKER_FAILURES, isFailingSql } from '#libs/events';
import { IS_UNCOMPARED } from '#libs/ledger';
import { Statement, WORKER_LISTENERS } from '#libs/platform';
import { eachSite, MOST_COUNTED } from '#libs/records';

/** One more shows that there are more. */
const BOUND = MOST_COUNTED + 1;

/** Of the installation: it says nothing of any account. Each worker has one session that listens. */
export const INSTALLATION = Statement.named(
  `SELECT clock_timestamp()::timestamptz(3) AS now, (SELECT d.seen_utc FROM deployment d) AS seen_utc,
      (SELECT m.schema_version FROM minimum_version m) AS minimum, (${NEWEST_MIGRATION}) AS schema,
      (SELECT coalesce(json_agg(a.application_name), '[]') FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name LIKE '${WORKER_LISTENERS} %') AS listeners,
      EXISTS (SELECT FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Enabled') AS has_endpoints,
      EXISTS (SELECT FROM site_shops h WHERE h.push) AS has_shops`,
);

/** SQL: the sites of the reach $1, one by one, so that each is an index's. */
const EACH_SITE = eachSite('$1::bigint[]');

/** ix_scheduled_orders_site_due. $1 reach, $2 the present. */
export const OLDEST_DUE = Statement.named(
  `SELECT min(x.next_occurrence_utc) AS oldest FROM ${EACH_SITE} CROSS JOIN LATERAL (SELECT o.next_occurrence_utc FROM scheduled_orders o
      WHERE o.site_id = site.id AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc < $2
      ORDER BY o.next_occurrence_utc LIMIT 1) x`,
);

/** pk_integration_waits. $1 reach, $2 how many. */
export const INTEGRATION_WAITS = Statement.named(
  `SELECT x.site_id, x.payment_method_type, x.waiting_since_utc, x.next_probe_utc, x.wrong_account
    FROM ${EACH_SITE} CROSS JOIN LATERAL (SELECT w.* FROM integration_waits w
      WHERE w.site_id = site.id AND w.waiting_since_utc IS NOT NULL OFFSET 0) x
    ORDER BY x.waiting_since_utc, x.site_id, x.payment_method_type LIMIT $2`,
);

/** uq_payment_integrations_type. $1 reach. */
export const UNCOMPARED = Statement.named(
  `SELECT count(*)::int AS count FROM ${EACH_SITE} CROSS JOIN LATERAL (SELECT FROM payment_integrations i
      WHERE i.site_id = site.id AND i.deleted_utc IS NULL AND ${IS_UNCOMPARED} OFFSET 0) x`,
);

/** SQL: what waits for the endpoint `e`: ix_webhook_deliveries_state, which is in the order in which they were made. */
const waitingOf = (what: string, some: string): string => `LATERAL (SELECT ${what} FROM webhook_deliveries d
        WHERE d.webhook_endpoint_id = e.id AND d.state = 'Waiting' ${some}) d`;

/** ix_webhook_endpoints_site. As workers count them (DispatchMetrics): of endpoints that may be sent to. $1 reach. */
export const WEBHOOKS = Statement.named(
  `WITH endpoints AS MATERIALIZED (SELECT x.* FROM ${EACH_SITE} CROSS JOIN LATERAL (
      SELECT e.id, e.status, e.failures, e.disabled_reason, ${isFailingSql('e')} AS is_failing FROM webhook_endpoints e
      WHERE e.site_id = site.id AND e.deleted_utc IS NULL OFFSET 0) x)
    SELECT count(*) FILTER (WHERE is_failing)::int AS failing,
      count(*) FILTER (WHERE status = 'Enabled' AND failures >= ${BREAKER_FAILURES})::int AS held,
      count(*) FILTER (WHERE status = 'Disabled' AND disabled_reason IS NOT NULL)::int AS disabled,
      (SELECT count(*)::int FROM (SELECT FROM endpoints e CROSS JOIN ${waitingOf('', `LIMIT ${BOUND}`)}
        WHERE e.status = 'Enabled' LIMIT ${BOUND}) n) AS waiting,
      (SELECT min(d.created_utc) FROM endpoints e CROSS JOIN ${waitingOf('d.created_utc', 'ORDER BY d.id LIMIT 1')}
        WHERE e.status = 'Enabled') AS oldest
    FROM endpoints`,
);

/**
 * ix_outbox_unnumbered, which has those of all sites: only the first are looked at, so that a long queue costs no more.
 * $1 reach.
 */
export const UNNUMBERED = Statement.named(
  `SELECT count(site.id)::int AS count, min(x.occurred_utc) FILTER (WHERE site.id IS NOT NULL) AS oldest, count(*) = ${BOUND} AS is_more
    FROM (SELECT o.site_id, o.occurred_utc FROM outbox o WHERE o.sequence IS NULL ORDER BY o.id LIMIT ${BOUND}) x
    LEFT JOIN ${EACH_SITE} ON site.id = x.site_id`,
);

/**
 * What the account has of what is limited; of what a site has, the fullest site. ix_sites_user, ix_api_keys_user,
 * pk_rate_versions, ix_webhook_endpoints_site. $1 reach, $2 account.
 */
export const USED = Statement.named(
  `SELECT 'Sites' AS quota, NULL::bigint AS site_id, count(*) AS used FROM sites s WHERE s.user_id = $2 AND NOT s.simulated
    UNION ALL SELECT 'TestClocks', NULL, count(*) FROM sites s WHERE s.user_id = $2 AND s.simulated
    UNION ALL SELECT 'ApiKeys', NULL, count(*) FROM api_keys k WHERE k.user_id = $2 AND k.revoked_utc IS NULL
    UNION ALL (SELECT 'Rates', v.site_id, v.rates FROM ${EACH_SITE} JOIN rate_versions v ON v.site_id = site.id
      ORDER BY v.rates DESC, v.site_id LIMIT 1)
    UNION ALL (SELECT 'WebhookEndpoints', e.site_id, count(*) FROM ${EACH_SITE} JOIN webhook_endpoints e ON e.site_id = site.id
      WHERE e.deleted_utc IS NULL GROUP BY e.site_id ORDER BY 3 DESC, 2 LIMIT 1)`,
);
