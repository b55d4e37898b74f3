/**
 * When the cycles of a database were completed, by the server's own commit times: the same clock for whoever wrote them.
 * @param {number | null} cycle only these, or all
 * @returns {Promise<{at: number, count: number}[]>} milliseconds, ascending
 */
async function completions(client, cycle) {
  const { rows } = await client.query(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at, count(*)::int AS count
     FROM processing_cycles WHERE state = 'Completed' AND cycle = coalesce($1, cycle) GROUP BY xmin ORDER BY 1`,
    [cycle],
  );
  return rows;
}

/**
 * Orders completed per second between the first fifth and the last twentieth: engines are warm, and as much is under way at
 * the beginning of the window as at its end.
 */
export async function ordersPerSecond(client, cycle = null) {
  const commits = await completions(client, cycle);
  const total = commits.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  let from = null;
  for (const { at, count } of commits) {
    seen += count;
    if (from === null && seen >= total * 0.2) from = { at, seen };
    else if (seen >= total * 0.95) return ((seen - from.seen) * 1_000) / (at - from.at);
  }
  throw new Error('Nothing was completed.');
}
