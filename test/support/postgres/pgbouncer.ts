import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#libs/platform';
import { until } from '../until.js';

/** Where Debian has it. */
const PROGRAM = '/usr/sbin/pgbouncer';

/** Of the file in docs/operations.md: all but where it listens and whom it lets in. */
export interface BouncerSettings {
  readonly poolMode?: 'transaction' | 'session';
  /** Connections to the server for each database. */
  readonly poolSize?: number;
  readonly ignoredParameters?: string;
}

/** `describe` where PgBouncer is installed; where it is not, the tests are shown as skipped, and CI fails. */
export const describeWithBouncer: jest.Describe =
  existsSync(PROGRAM) || process.env.CI === 'true' ? describe : describe.skip;

/** A PgBouncer in front of a database. */
export class Bouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** Of the database, as it is reached through the pooler. */
    readonly url: string,
    readonly output: () => string,
  ) {}

  static async before(database: { readonly url: string }, settings: BouncerSettings = {}): Promise<Bouncer> {
    if (!existsSync(PROGRAM)) throw new Error(`There is no ${PROGRAM}: apt-get install pgbouncer.`);
    const { poolMode = 'transaction', poolSize = 8, ignoredParameters = 'extra_float_digits' } = settings;
    const target = new URL(database.url);
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
    chmodSync(folder, 0o755);
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
max_client_conn = 200
default_pool_size = ${poolSize}
server_round_robin = 1
ignore_startup_parameters = ${ignoredParameters}
`,
    );
    // It does not run as root.
    const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(PROGRAM, [...account, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    await until(() => child.exitCode !== null || listens(port));
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`);
    target.host = `127.0.0.1:${port}`;
    return new Bouncer(child, folder, target.href, () => output);
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
