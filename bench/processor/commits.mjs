/**
 * When the cycles of a database were completed whose Order's id is above `from`, by the server's own commit times: the
 * same clock for whoever wrote them.
 * @returns {Promise<{at: number, count: number}[]>} milliseconds, ascending
 */
async function completions(client, from) {
  const { rows } = await client.query(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at, count(*)::int AS count
     FROM processing_cycles WHERE state = 'Completed' AND order_id > $1 GROUP BY xmin ORDER BY 1`,
    [from],
  );
  return rows;
}

/**
 * Orders completed per second between the first fifth and the last twentieth: engines are warm, and as much is under
 * way at the beginning of the window as at its end.
 * @param {{ from?: number }} [since] the last order id before the first of them
 */
export async function ordersPerSecond(client, { from = 0 } = {}) {
  const commits = await completions(client, from);
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
