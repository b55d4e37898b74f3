/**
 * How many per second of what was committed at these times, between the first fifth and the last twentieth: engines are
 * warm, and as much is under way at the beginning of the window as at its end.
 */
function perSecond(commits) {
  const total = commits.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  let start = null;
  for (const { at, count } of commits) {
    seen += count;
    if (start === null && seen >= total * 0.2) start = { at, seen };
    else if (seen >= total * 0.95) return ((seen - start.seen) * 1_000) / (at - start.at);
  }
  throw new Error('Nothing was completed.');
}

/** When rows of a table were written last, by the server's own commit times: the same clock for whoever wrote them. */
async function commitsOf(client, rows, values = []) {
  const { rows: commits } = await client.query(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at, count(*)::int AS count
     FROM ${rows} GROUP BY xmin ORDER BY 1`,
    values,
  );
  return commits;
}

/**
 * Orders completed per second.
 * @param {{ from?: number }} [since] the last order id before the first of them
 */
export const ordersPerSecond = async (client, { from = 0 } = {}) =>
  perSecond(await commitsOf(client, `processing_cycles WHERE state = 'Completed' AND order_id > $1`, [from]));

/** Pushes per second into the shops of all sites, or of one. */
export const pushesPerSecond = async (client, siteId = null) =>
  perSecond(
    await commitsOf(client, `order_pushes WHERE state = 'Pushed' AND site_id = coalesce($1::bigint, site_id)`, [
      siteId,
    ]),
  );
