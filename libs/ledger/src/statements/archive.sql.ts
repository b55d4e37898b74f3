/** The fewest months of cycles that the ledger keeps: what a reconciliation places is of a later time. */
export const FEWEST_LEDGER_MONTHS = 3;
/** Together so many take less than half of their space in the ledger. A single one would take more than there. */
const BLOCK = 12;
/** Of an order that has no newer cycles, so few are worth a row. */
const SMALLEST_BLOCK = 3;
/** The newest cycles of an order stay in the ledger: they show the next number, and what requests may do. */
const NEWEST_KEPT = 2;

/** SQL: when the cycle called `c` failed or was skipped: exactly the expression of ix_processing_cycles_ended. */
export const endedUtcSql = (c: string): string => `coalesce(${c}.ended_utc, ${c}.due_utc)`;

const ENDED_UNCHARGED = `FILTER (WHERE m.state IN ('Failed', 'Skipped'))`;

/**
 * SQL: whether a required reconciliation `d` (a row of `required_reconciliations`) still concerns anything. It ends
 * after 60 days.
 */
export const CONCERNS_STILL = `d.began_utc > now() - interval '60 days'`;

/**
 * Moves the old cycles of the next orders to the archive. Of each order it takes the oldest ones, up to the first that
 * is open, too new, or among its newest two; orders that a worker or a request has locked are left for the next run.
 * What is archived is what is deleted, in one statement. Nothing is moved that ended in the three months before a
 * reconciliation's cut-off, or before the last sign of life of a worker. pk_scheduled_orders, pk_processing_cycles. $1
 * the last order of the statement before, $2 limit, $3 months that the ledger keeps.
 */
export const ARCHIVE = `WITH until AS (
  SELECT least(now() - $3::int * interval '1 month', known.utc - interval '${FEWEST_LEDGER_MONTHS} months') AS utc
  FROM (SELECT least((SELECT min(d.seen_utc) FROM deployment d), (SELECT min(d.cut_off_utc) FROM required_reconciliations d WHERE ${CONCERNS_STILL})) AS utc) known
), page AS (
  SELECT o.id FROM scheduled_orders o WHERE o.id > $1 ORDER BY o.id LIMIT $2
), old AS MATERIALIZED (
  SELECT page.id, kept.from_cycle
  FROM page CROSS JOIN until CROSS JOIN LATERAL (
    SELECT min(c.cycle) FILTER (WHERE c.open OR c.updated_utc >= until.utc OR c.place <= ${NEWEST_KEPT}) AS from_cycle, max(c.updated_utc) < until.utc AS has_ended
    FROM (SELECT c.cycle, c.open, c.updated_utc, row_number() OVER (ORDER BY c.cycle DESC) AS place
      FROM processing_cycles c WHERE c.scheduled_order_id = page.id) c
  ) kept
  WHERE (SELECT count(*) FROM processing_cycles c WHERE c.scheduled_order_id = page.id AND c.cycle < kept.from_cycle)
    >= CASE WHEN kept.has_ended THEN ${SMALLEST_BLOCK} ELSE ${BLOCK} END
), locked AS (
  SELECT o.id, old.from_cycle FROM old JOIN scheduled_orders o ON o.id = old.id FOR NO KEY UPDATE OF o SKIP LOCKED
), moved AS (
  DELETE FROM processing_cycles c USING locked WHERE c.scheduled_order_id = locked.id AND c.cycle < locked.from_cycle AND NOT c.open
  RETURNING c.*
), archived AS (
  INSERT INTO archived_cycles (scheduled_order_id, last_cycle, site_id, cycles, first_ended_utc, last_ended_utc)
  SELECT m.scheduled_order_id, max(m.cycle), min(m.site_id),
    jsonb_agg((SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each(to_jsonb(m)) f WHERE f.value <> 'null') ORDER BY m.cycle),
    min(${endedUtcSql('m')}) ${ENDED_UNCHARGED}, max(${endedUtcSql('m')}) ${ENDED_UNCHARGED}
  FROM moved m GROUP BY m.scheduled_order_id
  RETURNING scheduled_order_id, last_cycle, jsonb_array_length(cycles) AS count
), marked AS (
  UPDATE scheduled_orders o SET archived_cycle = a.last_cycle FROM archived a WHERE o.id = a.scheduled_order_id
)
SELECT (SELECT max(page.id) FROM page)::float8 AS last, coalesce(sum(a.count), 0)::float8 AS cycles, count(*)::float8 AS orders FROM archived a`;
