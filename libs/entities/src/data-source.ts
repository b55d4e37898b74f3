import type { DataSource } from 'typeorm';
import { type ConnectionSettings, connectionTo, parseDatabaseUrl } from '#libs/platform';
import * as entities from './entities.js';
import { migrations } from './migrations/index.js';
import { SnakeCase } from './table/naming.js';

export interface DataSourceSettings extends Omit<ConnectionSettings, 'applicationName'> {
  readonly applicationName?: string;
  /** The most connections. Default: 10. */
  readonly poolSize?: number;
}

/**
 * The only description of the database: entities and migrations as classes, never file patterns. It migrates the tables
 * and is compared with them; everything else goes through `openPool` (README.md says why). TypeORM is loaded here,
 * because no other process needs more of it than the decorators of the entities.
 */
export async function createDataSource({
  poolSize = 10,
  applicationName = 'scheduled-orders',
  ...connection
}: DataSourceSettings): Promise<DataSource> {
  const [{ DataSource }, { default: driver }] = await Promise.all([import('typeorm'), import('pg')]);
  return new DataSource({
    type: 'postgres',
    // Otherwise it is looked for in node_modules, where an installation has none.
    driver,
    // One of several hosts: TypeORM only reads the name of the database from it. The client knows all hosts.
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

/** A data source that is connected. */
export const openDataSource = async (settings: DataSourceSettings): Promise<DataSource> =>
  (await createDataSource(settings)).initialize();
