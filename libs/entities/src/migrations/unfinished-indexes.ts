import type { QueryRunner } from 'typeorm';

/**
 * An index whose building CONCURRENTLY has failed is there, and never used. To drop it in a migration would lock out readers until all others are built.
 * @throws Error that names such indexes.
 */
export async function assertFinished(runner: QueryRunner, names: readonly string[]): Promise<void> {
  const indexes = names.map((name) => `to_regclass('${name}')`).join(', ');
  const unfinished = (await runner.query(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i WHERE NOT i.indisvalid AND i.indexrelid IN (${indexes}) ORDER BY 1`,
  )) as { name: string }[];
  if (unfinished.length === 0) return;
  const drops = unfinished.map(({ name }) => `DROP INDEX CONCURRENTLY ${name};`);
  throw new Error(`Indexes were not finished when they were made. Drop them, and migrate again: ${drops.join(' ')}`);
}
