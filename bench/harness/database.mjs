import pg from 'pg';
import { urlOf } from './postgres.mjs';
import { lib } from './product.mjs';

/** Runs `work` with a connection of its own. */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Databases of one server. */
export class Databases {
  constructor(serverUrl) {
    this.serverUrl = serverUrl;
  }

  url(name) {
    return urlOf(this.serverUrl, name);
  }

  /** A database with the product's schema, filled by `fill(client)`, vacuumed and analysed; made once per run. */
  async template(name, fill) {
    if (await this.exists(name)) return name;
    await this.onServer((client) => client.query(`CREATE DATABASE ${name}`));
    try {
      await this.migrated(name);
      await withClient(this.url(name), async (client) => {
        await client.query(`SET synchronous_commit = off`);
        await fill(client);
        await vacuum(client);
      });
    } catch (error) {
      // Another part would take it for a whole one.
      await this.drop(name);
      throw error;
    }
    return name;
  }

  async migrated(name) {
    const { openDataSource } = await lib('entities');
    const dataSource = await openDataSource({ url: this.url(name), poolSize: 1 });
    await dataSource.runMigrations();
    await dataSource.destroy();
  }

  /** A template made from another: `fill(client)` adds to a copy of it. */
  async derived(name, template, fill) {
    if (await this.exists(name)) return name;
    await this.clone(template, name);
    await fill(this.url(name));
    await withClient(this.url(name), vacuum);
    return name;
  }

  /**
   * A copy of a template. Its pages are written through the log, so that no page needs a full image in the rounds: what
   * full images cost depends on when the last checkpoint was, which would be noise.
   */
  async clone(template, name) {
    await this.drop(name);
    await this.onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY wal_log`));
    return this.url(name);
  }

  async drop(name) {
    await this.onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }

  /** Runs `work(url)` on a copy of `template`, which is dropped afterwards. */
  async withClone(template, name, work) {
    const url = await this.clone(template, name);
    try {
      return await work(url);
    } finally {
      await this.drop(name);
    }
  }

  /** Writes out what earlier rounds left dirty, so that no round pays for another. */
  settle() {
    return this.onServer((client) => client.query('CHECKPOINT'));
  }

  async exists(name) {
    const { rowCount } = await this.onServer((client) =>
      client.query(`SELECT FROM pg_database WHERE datname = $1`, [name]),
    );
    return rowCount === 1;
  }

  onServer(work) {
    return withClient(this.serverUrl, work);
  }
}

/**
 * Leaves empty tables alone, as autovacuum does. Of a table that was empty when it was analysed PostgreSQL believes
 * that it stays so, and keeps reading it whole for each foreign key: in no database that is in use.
 */
async function vacuum(client) {
  const { rows } = await client.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND pg_relation_size(c.oid) > 0`,
  );
  for (const { name } of rows) await client.query(`VACUUM ANALYZE ${name}`);
}
