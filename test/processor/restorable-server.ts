import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#libs/config';
import { openDataSource, poolOf } from '#libs/entities';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

/** Connects `database`, which its shops know, to a server that takes writes. */
async function connect(database: TestDatabase, url: string): Promise<void> {
  const dataSource = await openDataSource({ url, poolSize: 2 });
  Object.assign(database, { url, dataSource, pool: poolOf(dataSource) });
  database.query = (sql, parameters) => dataSource.query(sql, parameters);
  await until(async () => (await database.query<{ up: boolean }>(`SELECT NOT pg_is_in_recovery() AS up`))[0]!.up);
}

/** A server of its own, with one database for each test, whose data folder is copied, and put back once. */
export class RestorableServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'restored-'));
  private server!: EmbeddedDatabase;
  private databases = 0;
  readonly database = {} as TestDatabase;

  /** Its first database is only migrated: the others are made from it. */
  async make(): Promise<void> {
    chmodSync(this.folder, 0o755);
    this.server = await startEmbeddedDatabase(this.folder);
    await connect(this.database, this.server.databaseUrl);
    // What is copied has been stopped: nothing depends on when it reached the disk.
    await this.database.query('ALTER SYSTEM SET fsync = off');
    await this.database.query('SELECT pg_reload_conf()');
    await this.database.dataSource.runMigrations();
    await this.database.dataSource.destroy();
  }

  async newDatabase(): Promise<void> {
    const template = new URL(this.server.databaseUrl).pathname.slice(1);
    await this.asAdministrator(`CREATE DATABASE ${this.name(++this.databases)} TEMPLATE ${template}`);
    await connect(this.database, this.url);
  }

  async dropDatabase(): Promise<void> {
    await this.database.dataSource.destroy();
    await this.asAdministrator(`DROP DATABASE ${this.name(this.databases)} WITH (FORCE)`);
  }

  private async start(): Promise<void> {
    this.server = await startEmbeddedDatabase(this.folder);
    await connect(this.database, this.url);
  }

  private async stop(): Promise<void> {
    await this.database.dataSource.destroy();
    await this.server.stop();
  }

  async backUp(): Promise<void> {
    await this.stop();
    rmSync(this.backup, { recursive: true, force: true });
    execFileSync('cp', ['-a', this.server.dataFolder, this.backup]);
    await this.start();
  }

  /** `withRecovery`: as a point-in-time recovery does it, which begins a new timeline; else the folder is only put back. */
  async restore(withRecovery: boolean): Promise<void> {
    await this.stop();
    rmSync(this.server.dataFolder, { recursive: true, force: true });
    renameSync(this.backup, this.server.dataFolder);
    if (withRecovery) {
      writeFileSync(join(this.server.dataFolder, 'recovery.signal'), '');
      appendFileSync(join(this.server.dataFolder, 'postgresql.auto.conf'), `restore_command = '/bin/false'\n`);
      execFileSync('chown', [
        '--reference',
        join(this.server.dataFolder, 'PG_VERSION'),
        join(this.server.dataFolder, 'recovery.signal'),
      ]);
    }
    await this.start();
  }

  async remove(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.backup, { recursive: true, force: true });
  }

  private async asAdministrator(statement: string): Promise<void> {
    const server = await openDataSource({ url: this.urlOf('postgres'), poolSize: 1 });
    await server.query(statement);
    await server.destroy();
  }

  private name = (number: number) => `restored_${number}`;

  private urlOf(database: string): string {
    return Object.assign(new URL(this.server.databaseUrl), { pathname: `/${database}` }).href;
  }

  private get url(): string {
    return this.urlOf(this.name(this.databases));
  }

  private get backup(): string {
    return `${this.folder}.backup`;
  }
}
