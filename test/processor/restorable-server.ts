import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSource } from '#libs/entities';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#libs/platform';
import type { TestDatabase } from '../support/database.js';
import { poolOf } from '../support/postgres/pool-of.js';
import { until } from '../support/until.js';

/** Connects `database`, which its shops know, to a server that takes writes. */
async function connect(database: TestDatabase, url: string): Promise<void> {
  const dataSource = await openDataSource({ url, poolSize: 2 });
  Object.assign(database, { url, dataSource, pool: poolOf(dataSource) });
  database.query = (sql, parameters) => dataSource.query(sql, parameters);
  await until(async () => (await database.query<{ up: boolean }>(`SELECT NOT pg_is_in_recovery() AS up`))[0]!.up);
}

/**
 * A server of its own, whose data folder is copied, and put back once: for all tests that run together, each with
 * databases of its own.
 */
export class RestorableServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'restored-'));
  private server!: EmbeddedDatabase;
  private readonly databases = new Map<string, TestDatabase>();
  private made = 0;
  /** Tests that run, and those of them that wait until the others ask for the same. */
  private running = 0;
  private readonly waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  private next = (): Promise<void> => Promise.resolve();

  /** Its first database is only migrated: the others are made from it. */
  async make(): Promise<void> {
    chmodSync(this.folder, 0o755);
    this.server = await startEmbeddedDatabase(this.folder);
    const database = {} as TestDatabase;
    await connect(database, this.server.databaseUrl);
    // What is copied has been stopped: nothing depends on when it reached the disk.
    await database.query('ALTER SYSTEM SET fsync = off');
    await database.query('SELECT pg_reload_conf()');
    await database.dataSource.runMigrations();
    await database.dataSource.destroy();
  }

  async newDatabase(): Promise<TestDatabase> {
    const template = new URL(this.server.databaseUrl).pathname.slice(1);
    const name = `restored_${++this.made}`;
    const server = await openDataSource({ url: this.urlOf('postgres'), poolSize: 1 });
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    await server.destroy();
    const database = {} as TestDatabase;
    await connect(database, this.urlOf(name));
    this.databases.set(name, database);
    return database;
  }

  /** Begins all tests. @returns what becomes of each. */
  together(tests: readonly (() => Promise<void>)[]): Promise<void>[] {
    this.running = tests.length;
    return tests.map(async (test) => {
      try {
        await test();
      } finally {
        this.running -= 1;
        this.goOn();
      }
    });
  }

  backUp(): Promise<void> {
    return this.once(async () => {
      await this.stop();
      rmSync(this.backup, { recursive: true, force: true });
      execFileSync('cp', ['-a', this.server.dataFolder, this.backup]);
      await this.start();
    });
  }

  /**
   * `withRecovery`: as a point-in-time recovery does it, which begins a new timeline; else the folder is only put back.
   */
  restore(withRecovery: boolean): Promise<void> {
    return this.once(async () => {
      await this.stop();
      rmSync(this.server.dataFolder, { recursive: true, force: true });
      renameSync(this.backup, this.server.dataFolder);
      if (withRecovery) this.recover();
      await this.start();
    });
  }

  /** The databases of the tests that have ended. */
  async forget(): Promise<void> {
    for (const { dataSource } of this.databases.values()) await dataSource.destroy();
    this.databases.clear();
  }

  async remove(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.backup, { recursive: true, force: true });
  }

  private once(work: () => Promise<void>): Promise<void> {
    this.next = work;
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.goOn();
    });
  }

  private goOn(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.running) return;
    const all = this.waiting.splice(0);
    void this.next().then(
      () => all.forEach(({ resolve }) => resolve()),
      (error: unknown) => all.forEach(({ reject }) => reject(error)),
    );
  }

  private recover(): void {
    const { dataFolder } = this.server;
    const signal = join(dataFolder, 'recovery.signal');
    writeFileSync(signal, '');
    appendFileSync(join(dataFolder, 'postgresql.auto.conf'), `restore_command = '/bin/false'\n`);
    execFileSync('chown', ['--reference', join(dataFolder, 'PG_VERSION'), signal]);
  }

  private async start(): Promise<void> {
    this.server = await startEmbeddedDatabase(this.folder);
    for (const [name, database] of this.databases) await connect(database, this.urlOf(name));
  }

  private async stop(): Promise<void> {
    for (const { dataSource } of this.databases.values()) await dataSource.destroy();
    await this.server.stop();
  }

  private urlOf(database: string): string {
    return Object.assign(new URL(this.server.databaseUrl), { pathname: `/${database}` }).href;
  }

  private get backup(): string {
    return `${this.folder}.backup`;
  }
}
