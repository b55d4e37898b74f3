import { endedCyclesSql } from '#libs/ledger';

/** Days in UTC have 24 hours: this is faster than what knows about zones. */
const dayOf = (utc: string) => `date_bin('1 day', ${utc}, '2000-01-01T00:00:00Z')`;

/**
 * What happened on a site from one instant to before another, by day in UTC and currency: Orders that were written and
 * their totals, cycles that failed, and cycles that were skipped. Where no attempt had a currency, it is the scheduled
 * order's. ix_orders_processed or ix_orders_site, pk_processing_cycles, ix_processing_cycles_ended,
 * ix_archived_cycles_ended, pk_scheduled_orders. $1 site, $2 from, $3 to.
 */
export const PAST = `SELECT p.day, p.currency_iso AS "currencyIso", sum(p.processed)::float8 AS processed, sum(p.charged)::text AS charged,
  sum(p.failed)::float8 AS failed, sum(p.skipped)::float8 AS skipped
FROM (
  SELECT ${dayOf('w.date_created')} AS day, w.currency_iso, count(*) AS processed, sum(coalesce(w.total, 0)) AS charged,
    0 AS failed, 0 AS skipped
  FROM orders w
  WHERE w.site_id = $1::bigint AND w.date_created >= $2::timestamptz AND w.date_created < $3::timestamptz
    AND w.scheduled_order_id IS NOT NULL AND w.deleted_utc IS NULL
  GROUP BY 1, 2
  UNION ALL
  SELECT ${dayOf('e.ended_utc')}, coalesce(e.currency_iso, (SELECT o.currency_iso FROM scheduled_orders o WHERE o.id = e.scheduled_order_id)),
    0, 0, count(*) FILTER (WHERE e.state = 'Failed'),
    count(*) FILTER (WHERE e.state = 'Skipped')
  FROM ${endedCyclesSql('$1::bigint', '$2::timestamptz', '$3::timestamptz')} e
  GROUP BY 1, 2
) p
GROUP BY 1, 2`;
