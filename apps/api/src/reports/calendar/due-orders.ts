import { type SqlExecutor, Statement } from '#libs/platform';
import type { DateRange } from '../days.js';
import { type Due, occurrencesIn, type Schedule } from '../order-schedules.js';

/** By order: its occurrences in a range, if it has any. */
export type Occurrences = ReadonlyMap<number, Due>;

const ORDERS_AT_ONCE = 1_000;

interface Row extends Schedule {
  readonly id: number;
}

/**
 * ix_scheduled_orders_site_due. $1 site, $2 due before, $3 and $4 occurrence and id of the last one before (null: from
 * the first on), $5 at most so many.
 */
const DUE = Statement.named(
  `SELECT o.id, o.frequency_type, o.frequency, o.schedule_anchor_utc AS anchor, o.next_occurrence_utc AS next, o.replaced_occurrence_utc AS replaced
   FROM scheduled_orders o
   WHERE o.site_id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.next_occurrence_utc < $2
     AND (o.next_occurrence_utc, o.id) > (coalesce($3::timestamptz, '-infinity'), $4::bigint)
   ORDER BY o.next_occurrence_utc, o.id LIMIT $5`,
);

/**
 * The Active orders of a site that fall due in a range, some at a time, each once: one that is processed in the
 * meantime has moved to a later place, where it is left out.
 */
export async function* dueOrders(
  database: SqlExecutor,
  siteId: number,
  range: DateRange,
  now: Date,
): AsyncGenerator<Occurrences, void> {
  const overdue = new Set<number>();
  let after: Row | null = null;
  do {
    const values: unknown[] = [siteId, range.to, after?.next ?? null, after?.id ?? 0, ORDERS_AT_ONCE];
    const rows: Row[] = await database.execute<Row>(DUE, values);
    const occurrences = new Map<number, Due>();
    for (const { id, ...schedule } of rows) {
      if (overdue.has(id)) continue;
      if (schedule.next <= now) overdue.add(id);
      // An overdue occurrence counts at its own time.
      const due = occurrencesIn(schedule, range, now, schedule.next.getTime());
      if (due.first < due.end) occurrences.set(id, due);
    }
    yield occurrences;
    after = rows.length < ORDERS_AT_ONCE ? null : rows.at(-1)!;
  } while (after !== null);
}
