import { DataSource } from 'typeorm';
import * as entities from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeCase } from './naming.js';

export interface DataSourceSettings {
  readonly url: string;
  /** Connections at most; 10 unless given. */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
}

/**
 * The one description of the database: entities and migrations as classes, never file patterns.
 * Sessions run in UTC, so that no answer depends on a server's local time zone.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'scheduled-orders',
}: DataSourceSettings): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    applicationName,
    poolSize,
    entities: Object.values(entities),
    migrations,
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCase(),
    synchronize: false,
    installExtensions: false,
    extra: { options: '-c TimeZone=UTC', connectionTimeoutMillis: 10_000 },
  });
}
