import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/platform';
import { Server, type ServerKind } from '../../chaos/server.js';
import { serverAccountOf } from './account.js';
import { execute } from './execute.js';

const PASSWORD = 'operate';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  // Nothing here outlives the machine.
  fsync: 'off',
};

/** A PostgreSQL server in a folder of its own, of the programs in `bin`. */
export class Postgres {
  private constructor(
    /** Its account may write here: certificates, an archive. */
    readonly folder: string,
    readonly bin: string,
    readonly server: Server,
  ) {}

  /** `settings`: of postgresql.conf. `prepare` is called with the new data folder before the server starts. */
  static async start(
    bin: string,
    settings: Readonly<Record<string, string>> = {},
    prepare: (folder: string, dataFolder: string) => void = () => undefined,
  ): Promise<Postgres> {
    const folder = newFolder();
    const data = join(folder, 'data');
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, `${PASSWORD}\n`);
    const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    execFileSync(join(bin, 'initdb'), [`--pgdata=${data}`, ...access, ...locale], options());
    prepare(folder, data);
    return Postgres.on(folder, bin, data, settings);
  }

  /** On a data folder that exists. */
  static async on(
    folder: string,
    bin: string,
    dataFolder: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Postgres> {
    const kind: ServerKind = {
      program: join(bin, 'postgres'),
      password: PASSWORD,
      database: 'postgres',
      settings: { ...SETTINGS, ...settings },
      logFile: join(folder, 'log'),
    };
    const server = new Server(kind, dataFolder, await freePort());
    await server.start();
    return new Postgres(folder, bin, server);
  }

  /** Of the superuser; or of the role `user`, whose password is its name. */
  url(database: string, user = 'postgres', query = ''): string {
    const password = user === 'postgres' ? PASSWORD : user;
    return `postgres://${user}:${password}@127.0.0.1:${this.server.port}/${database}${query}`;
  }

  /** Statements as the superuser, in the database `postgres` unless said otherwise; the last one's rows. */
  async execute<Row extends object>(sql: string, database = 'postgres'): Promise<Row[]> {
    return execute<Row>(this.url(database), sql);
  }

  /** Lines of a shell with PostgreSQL's programs, as the server's account; their output. */
  shell(lines: string): string {
    const env = { PATH: `${this.bin}:${process.env.PATH ?? ''}`, PGPASSWORD: PASSWORD };
    return execFileSync('bash', ['-euc', lines], { ...options(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  log(): string {
    return existsSync(join(this.folder, 'log')) ? readFileSync(join(this.folder, 'log'), 'utf8') : '';
  }

  async stop(): Promise<void> {
    await this.server.stop('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const options = () => ({ ...serverAccountOf(), cwd: '/', encoding: 'utf8' as const });

/** A temporary folder of the server's account. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'operate-'));
  chmodSync(folder, 0o755);
  own(folder);
  return folder;
}

/** Gives a file to the server's account. */
export function own(path: string): void {
  const { uid, gid } = serverAccountOf();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
