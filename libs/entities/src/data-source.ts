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
  /** Parameters that every session is started with: `lock_timeout=5s`. */
  readonly session?: readonly string[];
  /** After which a connection that does not answer counts as lost; none unless given. */
  readonly longestAnswerMs?: number;
}

/**
 * The one description of the database: entities and migrations as classes, never file patterns.
 * Sessions run in UTC, so that no answer depends on a server's local time zone. Statements are sent as they come, without
 * waiting for the answers to those before them.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'scheduled-orders',
  session = [],
  longestAnswerMs,
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
    extra: {
      options: ['TimeZone=UTC', ...session].map((parameter) => `-c ${parameter}`).join(' '),
      connectionTimeoutMillis: 10_000,
      pipeline: true,
      query_timeout: longestAnswerMs,
    },
  });
}
