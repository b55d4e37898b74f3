/**
 * SQL: the newest cycles of an order up to a number, at most so many, a row type like `processing_cycles` (see
 * `allCyclesSql`). The archive is read only when the ledger has too few of them, and of it no more blocks than needed:
 * what it has is older than all that the ledger has. `order`: alias of its row of `scheduled_orders`; `upTo`, `most`:
 * SQL. pk_processing_cycles, pk_archived_cycles, backwards.
 */
export const newestCyclesSql = (order: string, upTo: string, most: string): string => `(
  WITH ledger AS MATERIALIZED (
    SELECT l.* FROM processing_cycles l WHERE l.scheduled_order_id = ${order}.id AND l.cycle <= ${upTo} ORDER BY l.cycle DESC LIMIT ${most})
  SELECT n.* FROM ledger n
  UNION ALL (
    SELECT r.* FROM archived_cycles a CROSS JOIN LATERAL jsonb_populate_recordset(NULL::processing_cycles, a.cycles) r
    WHERE ${order}.archived_cycle IS NOT NULL AND (SELECT count(*) FROM ledger) < ${most}
      AND a.scheduled_order_id = ${order}.id AND r.cycle <= ${upTo}
      AND a.last_cycle <= coalesce((SELECT f.last_cycle FROM archived_cycles f
        WHERE f.scheduled_order_id = ${order}.id AND f.last_cycle >= ${upTo} ORDER BY f.last_cycle LIMIT 1), ${upTo})
    ORDER BY a.last_cycle DESC, r.cycle DESC LIMIT ${most}))`;
