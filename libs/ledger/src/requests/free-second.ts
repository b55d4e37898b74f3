import type { Transaction } from '#libs/platform';
import { allCyclesSql } from '../reading/archive.js';

/**
 * An occurrence is named by its order and its due second (decisions.md §9, Idempotency key), which no other cycle of
 * the order may have. The schedule's own dates only rise, and all of them have the second of the day of the anchor. So
 * a request that sets a due time, or the anchor, takes a second that neither equals that of a cycle, nor lets a later
 * date of the schedule equal it.
 */
export interface Wanted {
  readonly instant: Date;
  /** It becomes the due time of a new cycle. */
  readonly isDue: boolean;
  /** It becomes the anchor: the dates counted from it that are after this instant may come. Null: it does not. */
  readonly anchorAfterUtc: Date | null;
}

/**
 * The first such second. A cycle of a later second is one that was skipped ahead of its time. Each cycle excludes at
 * most one second of a day. pk_scheduled_orders, pk_processing_cycles, pk_archived_cycles. $1 order, $2 wanted second,
 * $3 is it due, $4 second after which dates may come.
 */
const FREE_SECOND = `WITH taken AS MATERIALIZED (
    SELECT floor(extract(epoch FROM c.due_utc))::bigint AS second
    FROM scheduled_orders o CROSS JOIN LATERAL ${allCyclesSql('o')} c WHERE o.id = $1
  )
  SELECT n.second::float8 AS second FROM generate_series($2::bigint, $2::bigint + (SELECT count(*) FROM taken)) AS n (second)
  WHERE NOT EXISTS (SELECT 1 FROM taken t
    WHERE ($3::boolean AND t.second = n.second) OR (t.second > $4::bigint AND t.second >= n.second AND (t.second - n.second) % 86400 = 0))
  ORDER BY n.second LIMIT 1`;

const secondOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** The wanted instant where its second is free, else the next second that is. Call it with the order locked. */
export async function freeSecond(tx: Transaction, scheduledOrderId: number, wanted: Wanted): Promise<Date> {
  const { instant, isDue, anchorAfterUtc } = wanted;
  const after = anchorAfterUtc && secondOf(anchorAfterUtc);
  const [free] = await tx.execute<{ second: number }>(FREE_SECOND, [scheduledOrderId, secondOf(instant), isDue, after]);
  return free!.second === secondOf(instant) ? instant : new Date(free!.second * 1000);
}
