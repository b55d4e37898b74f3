import { type SqlExecutor, Statement } from '#libs/platform';
import { MOST_COUNTED } from '#libs/records';

/** One more shows that there are more. */
const BOUND = MOST_COUNTED + 1;

/**
 * What is counted of a site, and the oldest: ids rise. ix_payment_differences_state, ix_payment_differences_holding. $1
 * site.
 */
const OPEN = Statement.named(
  `SELECT (SELECT count(*)::int FROM (SELECT FROM payment_differences d WHERE d.site_id = $1 AND d.state = 'Open' LIMIT ${BOUND}) n) AS open,
      (SELECT count(DISTINCT n.scheduled_order_id)::int
        FROM (SELECT d.scheduled_order_id FROM payment_differences d WHERE d.site_id = $1 AND d.holds LIMIT ${BOUND}) n) AS held,
      (SELECT d.created_utc FROM payment_differences d WHERE d.site_id = $1 AND d.state = 'Open' ORDER BY d.id LIMIT 1) AS oldest`,
);

interface OpenRow {
  readonly open: number;
  readonly held: number;
  readonly oldest: Date | null;
}

/**
 * The open differences of a site, and how many of its orders they hold. `more`: what is larger than what is counted.
 */
export async function openDifferences(database: SqlExecutor, siteId: number) {
  const [row] = await database.execute<OpenRow>(OPEN, [siteId]);
  const { open, held, oldest } = row!;
  const figures = { Differences: Math.min(open, MOST_COUNTED), HeldOrders: Math.min(held, MOST_COUNTED) };
  const more = [...(open > MOST_COUNTED ? ['Differences'] : []), ...(held > MOST_COUNTED ? ['HeldOrders'] : [])];
  return { figures: { ...figures, OldestDifferenceUtc: oldest }, more };
}
