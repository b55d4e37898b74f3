import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionPool, connectionTo, type ConnectionSettings, parseDatabaseUrl } from '#libs/database';
import * as entities from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeCase } from './naming.js';

export interface DataSourceSettings extends Omit<ConnectionSettings, 'applicationName'> {
  readonly applicationName?: string;
  /** Connections at most; 10 unless given. */
  readonly poolSize?: number;
}

/**
 * The one description of the database: entities and migrations as classes, never file patterns. Statements are sent as they come, without
 * waiting for the answers to those before them.
 */
export function createDataSource({
  poolSize = 10,
  applicationName = 'scheduled-orders',
  ...connection
}: DataSourceSettings): DataSource {
  return new DataSource({
    type: 'postgres',
    // Of several hosts one: TypeORM only reads the name of the database from it. Our client knows them all.
    url: parseDatabaseUrl(connection.url).hosts[0]!.url,
    poolSize,
    entities: Object.values(entities),
    migrations,
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCase(),
    synchronize: false,
    installExtensions: false,
    extra: { ...connectionTo({ ...connection, applicationName }), pipeline: true },
  });
}

/** The connections of an initialised data source, for statements and transactions of our own: TypeORM itself describes and migrates the tables. */
export const poolOf = (dataSource: DataSource): ConnectionPool =>
  new ConnectionPool((dataSource.driver as unknown as { readonly master: Pool }).master);
