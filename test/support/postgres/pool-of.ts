import type { Pool } from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { ConnectionPool } from '#libs/platform';

const masterOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { readonly master: Pool }).master;

/** The connections of a data source, as the product uses its own: a test has one set of them to close. */
export const poolOf = (dataSource: DataSource): ConnectionPool => new ConnectionPool(masterOf(dataSource));

/** As `dataSource.query`, without the runner that TypeORM makes for each statement, and its events. */
export async function queryBy<T>(dataSource: DataSource, sql: string, parameters?: unknown[]): Promise<T[]> {
  try {
    const { command, rows, rowCount } = await masterOf(dataSource).query(sql, parameters);
    return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T[];
  } catch (error) {
    throw new QueryFailedError(sql, parameters, error as Error);
  }
}
