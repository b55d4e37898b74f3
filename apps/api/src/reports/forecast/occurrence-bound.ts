import { type SqlExecutor, Statement } from '#libs/platform';
import { mostOccurrences, Rejected } from '#libs/rules';
import type { DateRange } from '../days.js';
import { dueIn, heldBecause, type OrderSchedule, readSchedules } from '../order-schedules.js';
import type { Turns } from '../turns.js';

export const MOST_OCCURRENCES = 5_000_000;
const ORDERS_AT_ONCE = 5_000;

interface RuleRow {
  readonly frequencyType: OrderSchedule['frequencyType'];
  readonly frequency: number;
  readonly orders: number;
}

/** By `ix_scheduled_orders_site_due`. $1 site. */
const RULES = Statement.named(
  `SELECT o.frequency_type, o.frequency, count(*) AS orders FROM scheduled_orders o
   WHERE o.site_id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL GROUP BY o.frequency_type, o.frequency`,
);

/**
 * Refuses a forecast that is too large before anything is priced. Only where all orders together might have too many
 * occurrences, those in the range are counted, order by order.
 * @throws Rejected above 5 million occurrences.
 */
export async function assertOccurrences(
  database: SqlExecutor,
  siteId: number,
  range: DateRange,
  now: Date,
  turns: Turns,
): Promise<void> {
  const ms = range.to.getTime() - Math.max(range.from.getTime(), now.getTime());
  if (ms <= 0) return;
  const rules = await database.execute<RuleRow>(RULES, [siteId]);
  const possible = rules.reduce((sum, { frequencyType, frequency, orders }) => {
    // And one that is not of the rule: an order that was rescheduled, or is tried again.
    const most = 1 + mostOccurrences({ frequencyType, frequency }, ms);
    return sum + orders * most;
  }, 0);
  if (possible > MOST_OCCURRENCES) await count(database, siteId, range, now, turns);
}

async function count(database: SqlExecutor, siteId: number, range: DateRange, now: Date, turns: Turns): Promise<void> {
  let [counted, after] = [0, 0];
  for (;;) {
    const orders = await readSchedules(database, siteId, after, ORDERS_AT_ONCE);
    if (orders.length === 0) return;
    for (const order of orders) {
      if (turns.isDue()) await turns.pass();
      if (heldBecause(order) !== null) continue;
      const { first, end } = dueIn(order, range, now);
      counted += end - first;
      if (counted > MOST_OCCURRENCES) throw tooManyOccurrences();
    }
    after = orders.at(-1)!.id;
  }
}

export const tooManyOccurrences = () =>
  new Rejected([
    {
      field: 'To',
      message: `makes a range with more than ${MOST_OCCURRENCES} occurrences: ask for fewer days at a time.`,
    },
  ]);
