import { businessNowSql } from '#libs/entities';
import type { SqlExecutor } from '#libs/platform';
import { Conflict } from '#libs/records';
import { shownInstant } from '#libs/rules';

/**
 * So long after an occurrence of the order was completed, a Process call without an expected occurrence counts as a
 * repetition.
 */
const ONE_CALL_SECONDS = 60;

interface Completed {
  readonly dueUtc: Date;
  /** In business time. */
  readonly completedUtc: Date;
  readonly isRecent: boolean;
}

/** The newest completed cycle. pk_processing_cycles, backwards; pk_scheduled_orders, pk_test_clocks. $1 order. */
const LAST_COMPLETED = `SELECT c.due_utc AS "dueUtc", c.utc AS "completedUtc",
    c.utc > ${businessNowSql('o', 'clock_timestamp()')} - interval '${ONE_CALL_SECONDS} seconds' AS "isRecent"
  FROM scheduled_orders o CROSS JOIN LATERAL (
    SELECT l.due_utc, coalesce(l.occurred_utc, l.updated_utc) AS utc FROM processing_cycles l
    WHERE l.scheduled_order_id = o.id AND l.state = 'Completed' ORDER BY l.cycle DESC LIMIT 1) c
  WHERE o.id = $1`;

/**
 * Two Process calls within a short time are one (decisions.md §9): a double click, a retry of a call whose answer was
 * lost, or a call that the schedule was faster than, must not charge the next occurrence too. It does not matter who
 * began what was completed. Call this with order and newest cycle locked, before a Process call begins a new cycle.
 * @throws Conflict when an occurrence of the order was completed less than 60 seconds ago.
 */
export async function refuseSecondCall(executor: SqlExecutor, scheduledOrderId: number): Promise<void> {
  const [last] = await executor.execute<Completed>(LAST_COMPLETED, [scheduledOrderId]);
  if (last?.isRecent !== true) return;
  const until = new Date(last.completedUtc.getTime() + ONE_CALL_SECONDS * 1000);
  throw new Conflict(
    `The occurrence of ${shownInstant(last.dueUtc)} was completed at ${last.completedUtc.toISOString()}, less than ${ONE_CALL_SECONDS} seconds ago: ` +
      `until ${until.toISOString()}, a call is taken for a repetition. ` +
      'To charge the next occurrence as well, read the order again and send its NextOccurrenceUtc as ExpectedNextOccurrenceUtc.',
  );
}
