import { Statement } from '#libs/database';
import { migrations } from './migrations/index.js';

/**
 * Whether every migration of this version has run on a database: one row, `migrated`. Where none ever has there is no such table
 * (42P01).
 */
export const MIGRATED = {
  statement: Statement.of(
    `SELECT count(*) = cardinality($1::text[]) AS migrated FROM migrations WHERE name = ANY ($1)`,
  ),
  values: [migrations.map(({ name }) => name)],
};
