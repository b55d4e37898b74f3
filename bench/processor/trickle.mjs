import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../harness/database.mjs';
import { median } from '../harness/rounds.mjs';

/** Orders a second. */
const AT_ONCE = 5;

/**
 * While `during()` lasts, some orders of a site fall due each second, two seconds after they were scheduled. @returns
 * how many
 */
export async function withTrickle(url, siteId, during) {
  let lasts = true;
  let fallen = 0;
  const trickle = withClient(url, async (client) => {
    while (lasts) {
      const { rowCount } = await client.query(
        `UPDATE scheduled_orders SET next_occurrence_utc = date_trunc('second', now()) + interval '2 seconds',
           schedule_anchor_utc = date_trunc('second', now()) + interval '2 seconds'
         WHERE id IN (SELECT id FROM scheduled_orders WHERE site_id = $1 AND cycles = 0 AND next_occurrence_utc > now() + interval '1 day' LIMIT $2)`,
        [siteId, AT_ONCE],
      );
      fallen += rowCount;
      await pause(1_000);
    }
  });
  try {
    await during();
  } finally {
    lasts = false;
    await trickle;
  }
  return fallen;
}

/**
 * Seconds from an occurrence to the commit that completed its cycle, of all cycles of a site: the latest and the
 * median.
 */
export async function latenessOf(client, siteId) {
  const { rows } = await client.query(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin) - due_utc)::float8 AS late FROM processing_cycles
     WHERE site_id = $1 AND state = 'Completed'`,
    [siteId],
  );
  const seconds = rows.map(({ late }) => late);
  return { latest: Math.max(...seconds), middle: median(seconds) };
}
