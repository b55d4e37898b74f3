/** Where the log is now. */
export async function walPosition(client) {
  const { rows } = await client.query(`SELECT pg_current_wal_insert_lsn()::text AS lsn`);
  return rows[0].lsn;
}

/**
 * What was logged since `from`, read from the log itself: bytes without full-page images (which depend on when the last
 * checkpoint was), and commits, each of which waited for the disk. Needs the extension pg_walinspect.
 */
export async function walSince(client, from) {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const to = await walPosition(client);
  const { rows } = await client.query(
    `SELECT sum(record_size)::float8 AS bytes, sum(fpi_size)::float8 AS images,
       sum(count) FILTER (WHERE "resource_manager/record_type" = 'Transaction/COMMIT')::int AS commits
     FROM pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)`,
    [from, to],
  );
  return rows[0];
}
