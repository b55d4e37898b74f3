import { isDeepStrictEqual } from 'node:util';

/** How many rows each of the tables has that `adds` names (http/routes.mjs). */
async function countRows(client, adds) {
  const counts = Object.keys(adds).map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`);
  const { rows } = await client.query(`SELECT ${counts.join(', ')}`);
  return rows[0];
}

/**
 * Does `work`, which sends requests that add so many rows each, and gives what it gives, with `served`: how many were
 * answered rightly.
 * @throws Error when the database has not exactly the rows more that those requests add
 */
export async function requireWritten(client, adds, work) {
  const before = await countRows(client, adds);
  const done = await work();
  const after = await countRows(client, adds);
  const added = Object.fromEntries(Object.keys(adds).map((table) => [table, after[table] - before[table]]));
  const expected = Object.fromEntries(Object.entries(adds).map(([table, rows]) => [table, rows * done.served]));
  if (!isDeepStrictEqual(added, expected))
    throw new Error(`${done.served} requests added ${JSON.stringify(added)} instead of ${JSON.stringify(expected)}.`);
  return done;
}
