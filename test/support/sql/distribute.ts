import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `deploy/citus/distribute.sql`: its first part gives the tables their bucket and keys, the second distributes them.
 */
export const DISTRIBUTE = readFileSync(join(__dirname, '../../../deploy/citus/distribute.sql'), 'utf8');

/** The part that any PostgreSQL runs. */
export const GIVE_BUCKETS = DISTRIBUTE.slice(0, DISTRIBUTE.indexOf('-- Until here it is PostgreSQL'));

const namesIn = (table: string): string[] => {
  const [, values] = new RegExp(`INSERT INTO ${table} VALUES (.*);`).exec(DISTRIBUTE)!;
  return [...values!.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
};

/** Of which every node has a copy. */
export const REFERENCE_TABLES: readonly string[] = namesIn('reference');
