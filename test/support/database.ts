import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { openDataSource } from '#libs/entities';
import type { ConnectionPool } from '#libs/platform';
import { endPools, keepPools } from './postgres/kept-pools.js';
import { poolOf, queryBy } from './postgres/pool-of.js';
import { REFUSE_OTHER_TRANSITIONS } from './transitions.js';

/** The database of one test file: a clone of the migrated template, dropped afterwards. */
export interface TestDatabase {
  /** Connection URL of the clone, for processes started by the test. */
  url: string;
  dataSource: DataSource;
  /** The same connections, as the product uses them. */
  readonly pool: ConnectionPool;
  query<T = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<T[]>;
}

const TEMPLATE = 'template_migrated';

function urlOf(database: string): string {
  const url = new URL(process.env.TEST_SERVER_URL!);
  url.pathname = `/${database}`;
  return url.href;
}

/** One connection for all files of a process: to open it takes longer than most of what it is for. */
const SERVER = Symbol.for('connection to the test server');
const shared = globalThis as { [SERVER]?: pg.Pool };
const server = () =>
  (shared[SERVER] ??= new pg.Pool({
    connectionString: process.env.TEST_SERVER_URL,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => undefined));

/** One thing after the other. */
export async function onServer<T>(work: (server: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await server().connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/** The first test file that gets here migrates the template; the others wait for it. */
async function withTemplate(server: pg.ClientBase, work: () => Promise<unknown>): Promise<void> {
  await server.query(`SELECT pg_advisory_lock(hashtext('${TEMPLATE}'))`);
  try {
    await ensureTemplate(server);
    await work();
  } finally {
    await server.query(`SELECT pg_advisory_unlock(hashtext('${TEMPLATE}'))`);
  }
}

async function ensureTemplate(server: pg.ClientBase): Promise<void> {
  const run = process.env.TEST_RUN_ID!;
  const { rows } = await server.query<{ run: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS run FROM pg_database WHERE datname = '${TEMPLATE}'`,
  );
  if (rows[0]?.run === run) return;
  await server.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${TEMPLATE}`);
  const template = await openDataSource({ url: urlOf(TEMPLATE), poolSize: 1 });
  await template.runMigrations();
  await template.query(REFUSE_OTHER_TRANSITIONS);
  await template.destroy();
  await server.query(`COMMENT ON DATABASE ${TEMPLATE} IS '${run}'`);
}

/** A clone of `template` (by default the migrated, empty one) under a name of its own. */
export async function cloneDatabase(
  template: string = TEMPLATE,
  tablespace: string = 'pg_default',
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await endPools(urlOf(template));
  await onServer(async (server) => {
    // Nothing is flushed to disk: copying files takes a third of what writing their blocks to the log does.
    const create = () =>
      server.query(`CREATE DATABASE ${name} TEMPLATE ${template} TABLESPACE ${tablespace} STRATEGY file_copy`);
    await (template === TEMPLATE ? withTemplate(server, create) : create());
  });
  const url = urlOf(name);
  keepPools(url);
  const dataSource = await openDataSource({ url, poolSize: 10, applicationName: 'test' });
  return {
    url,
    dataSource,
    // Some tests close the data source for a while: then it has other connections.
    get pool() {
      return poolOf(dataSource);
    },
    query: (sql, parameters) => queryBy(dataSource, sql, parameters),
  };
}

/** Another database with the same rows, as a backup that is restored elsewhere. */
export async function copyOf(database: TestDatabase): Promise<TestDatabase> {
  // PostgreSQL copies one that nobody is connected to.
  await database.dataSource.destroy();
  const copy = await cloneDatabase(nameOf(database));
  await database.dataSource.initialize();
  return copy;
}

export const nameOf = ({ url }: Pick<TestDatabase, 'url'>): string => new URL(url).pathname.slice(1);

export async function dropDatabase(database: TestDatabase): Promise<void> {
  await database.dataSource.destroy();
  await endPools(database.url);
  await onServer((server) => server.query(`DROP DATABASE ${nameOf(database)} WITH (FORCE)`));
}

/** Gives every test of the file one database; its fields are filled in before the first test. */
export function useDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await cloneDatabase());
  });
  afterAll(() => dropDatabase(database));
  return database;
}
