import type { SqlExecutor } from '#libs/database';
import { businessNowSql } from '#libs/entities';
import { Conflict } from '#libs/records';
import { shownInstant } from '#libs/rules';
import type { LatestCycle } from './latest-cycle.js';

/** During this time after its cycle was completed, a Process call without an expected occurrence counts as a repetition of the previous one. */
const ONE_CALL_SECONDS = 60;

/** SQL: when a cycle was recorded, in business time. */
const recorded = (cycle: string) => `coalesce(${cycle}.occurred_utc, ${cycle}.updated_utc)`;

/**
 * Two Process calls within a short time are one (decisions.md §9): a double click, or a retry of a call whose answer was lost, must not charge the
 * next occurrence too. A Process call began the newest cycle, or took it up again, if the latest call came after the end of the previous cycle. Call
 * this with order and cycle locked, before a Process call begins a new cycle.
 * @throws Conflict when the newest cycle was completed less than 60 seconds ago and a Process call began it.
 */
export async function refuseSecondCall(
  executor: SqlExecutor,
  scheduledOrderId: number,
  newest: LatestCycle | null,
): Promise<void> {
  if (newest?.state !== 'Completed') return;
  const [completed] = await executor.execute<{ completedUtc: Date; isAnswered: boolean }>(
    // pk_processing_cycles, pk_scheduled_orders
    `SELECT ${recorded('c')} AS "completedUtc",
       ${recorded('c')} > ${businessNowSql('o', 'clock_timestamp()')} - interval '${ONE_CALL_SECONDS} seconds' AND o.process_requested_utc >= coalesce(
         (SELECT ${recorded('b')} FROM processing_cycles b WHERE b.scheduled_order_id = c.scheduled_order_id AND b.cycle = c.cycle - 1),
         '-infinity') AS "isAnswered"
     FROM processing_cycles c JOIN scheduled_orders o ON o.id = c.scheduled_order_id
     WHERE c.scheduled_order_id = $1 AND c.cycle = $2`,
    [scheduledOrderId, newest.cycle],
  );
  if (completed?.isAnswered !== true) return;
  const until = new Date(completed.completedUtc.getTime() + ONE_CALL_SECONDS * 1000);
  throw new Conflict(
    `The occurrence of ${shownInstant(newest.dueUtc)}, which a Process call asked for, was completed at ` +
      `${completed.completedUtc.toISOString()}, less than ${ONE_CALL_SECONDS} seconds ago: until ${until.toISOString()}, a call is taken for the same one. ` +
      'To charge the next occurrence as well, read the order again and send its NextOccurrenceUtc as ExpectedNextOccurrenceUtc.',
  );
}
