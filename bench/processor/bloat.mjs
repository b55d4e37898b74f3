/** Bytes. Pages are too coarse for smaller ones. */
const SMALL = 200_000;

/**
 * How many times its rebuilt size each index of the tables has; small ones are left out.
 * @param {string[]} needed indexes that must not be among those left out
 */
export async function indexBloat(client, tables, needed) {
  const sizes = async () => {
    const { rows } = await client.query(
      `SELECT i.indexrelid::regclass::text AS name, pg_relation_size(i.indexrelid)::float8 AS size FROM pg_index i WHERE i.indrelid = ANY ($1::text[]::regclass[])`,
      [tables],
    );
    return new Map(rows.map(({ name, size }) => [name, size]));
  };
  const before = await sizes();
  for (const table of tables) await client.query(`REINDEX TABLE ${table}`);
  const after = await sizes();
  const small = needed.filter((name) => !(after.get(name) >= SMALL));
  if (small.length > 0) throw new Error(`Too small to be measured: ${small.join(', ')}.`);
  return [...after]
    .filter(([, size]) => size >= SMALL)
    .map(([name, size]) => ({ name, factor: before.get(name) / size }));
}
