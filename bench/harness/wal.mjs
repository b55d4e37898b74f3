/** Where the log is now. What reads it is made ready first, so that this is not counted among what follows. */
export async function walPosition(client) {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  return position(client);
}

async function position(client) {
  const { rows } = await client.query(`SELECT pg_current_wal_insert_lsn()::text AS lsn`);
  return rows[0].lsn;
}

/** What is not on the disk yet cannot be read. All that was committed is. */
async function writtenPosition(client) {
  const { rows } = await client.query(`SELECT pg_current_wal_flush_lsn()::text AS lsn`);
  return rows[0].lsn;
}

/**
 * What was logged since `from`, read from the log itself: bytes without full-page images (which depend on when the last
 * checkpoint was), the bytes of those images, and commits, each of which waited for the disk.
 * @param {string} from as `walPosition` gave it in the same database
 */
export async function walSince(client, from) {
  const { rows } = await client.query(
    `SELECT sum(record_size)::float8 AS bytes, sum(fpi_size)::float8 AS images,
       sum(count) FILTER (WHERE "resource_manager/record_type" = 'Transaction/COMMIT')::int AS commits
     FROM pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)`,
    [from, await writtenPosition(client)],
  );
  return rows[0];
}
