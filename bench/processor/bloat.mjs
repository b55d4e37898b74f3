const SMALL = 500_000;

/** How many times its rebuilt size each index of the tables has. Small ones are left out: pages are too coarse for them. */
export async function indexBloat(client, tables) {
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
  return [...after]
    .filter(([, size]) => size >= SMALL)
    .map(([name, size]) => ({ name, factor: before.get(name) / size }));
}
