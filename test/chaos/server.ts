import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../support/until.js';

const START_MS = 90_000;

/** What every server of a cluster has in common. */
export interface ServerKind {
  readonly program: string;
  readonly password: string;
  readonly database: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Of its process, beside this one's. */
  readonly env?: Readonly<Record<string, string>>;
}

type Row = Record<string, unknown>;

/** A PostgreSQL on a data folder and a port, to be stopped hard and started again on what it left. */
export class Server {
  private child: ChildProcess | null = null;
  private exited: Promise<void> = Promise.resolve();
  /** How long the log was when it was started. */
  private logBefore = 0;

  constructor(
    private readonly kind: ServerKind,
    readonly dataFolder: string,
    readonly port: number,
  ) {}

  get url(): string {
    const { password, database } = this.kind;
    return `postgres://postgres:${password}@127.0.0.1:${this.port}/${database}`;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  get isRunning(): boolean {
    return this.child !== null;
  }

  /**
   * Resolves when it answers; `settings`: of this start. Backends of a server that was killed keep its memory for a
   * moment, and a connection of another program may have its port for as long.
   */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const deadline = performance.now() + START_MS;
    do {
      this.launch(settings);
      await until(async () => !this.isRunning || (await this.ask('SELECT 1')) !== null, START_MS);
      if (this.isRunning) return;
    } while (performance.now() < deadline && /shared memory block|Address already in use/.test(this.lastWords()));
    throw new Error(`PostgreSQL did not start:\n${this.lastWords().slice(-4_000)}`);
  }

  async stop(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
    this.child?.kill(signal);
    await this.exited;
  }

  /** The first row; null when there is none, or no answer. */
  ask(sql: string): Promise<Row | null> {
    return this.session(async (query) => (await query(sql)) ?? null).catch(() => null);
  }

  /** Statements on one connection, straight to the server; each gives its first row. */
  async session<T>(work: (query: (sql: string) => Promise<Row | undefined>) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(async (sql) => (await client.query<Row>(sql)).rows[0]);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private launch(settings: Readonly<Record<string, string>>): void {
    const { program, logFile, env } = this.kind;
    rmSync(join(this.dataFolder, 'postmaster.pid'), { force: true });
    const all = Object.entries({ ...this.kind.settings, ...settings });
    const log = openSync(logFile, 'a');
    this.logBefore = statSync(logFile).size;
    const { uid, gid } = statSync(this.dataFolder);
    const child = spawn(
      program,
      ['-D', this.dataFolder, '-p', String(this.port), ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        stdio: ['ignore', log, log],
        cwd: '/',
        env: { ...process.env, ...env },
        ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      },
    );
    closeSync(log);
    this.child = child;
    this.exited = new Promise((resolve) =>
      child.once('exit', () => {
        this.child = null;
        resolve();
      }),
    );
  }

  /** What the log says since it was started, without the texts of statements, which may be long. */
  private lastWords(): string {
    return readFileSync(this.kind.logFile)
      .subarray(this.logBefore)
      .toString()
      .replace(/^\t.*\n?/gm, '');
  }
}
