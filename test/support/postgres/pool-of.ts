import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { ConnectionPool } from '#libs/platform';

/** The connections of a data source, as the product uses its own: a test has one set of them to close. */
export const poolOf = (dataSource: DataSource): ConnectionPool =>
  new ConnectionPool((dataSource.driver as unknown as { readonly master: Pool }).master);
