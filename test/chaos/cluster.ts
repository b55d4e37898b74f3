import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startEmbeddedDatabase } from '#libs/platform';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { Server, type ServerKind } from './server.js';
import type { Tally } from './tally.js';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // A copy, and a replica, find all that was written since they were begun.
  wal_keep_size: '256MB',
};

/**
 * A PostgreSQL of its own that flushes to disk, on one of two ports: the other is a replica's. What is done to it is
 * done one after the other. Its folder is a file system of its own where that is allowed, so that its disk can be full.
 */
export class Cluster {
  /** How long it could not be reached, all in all. */
  downMs = 0;
  /** Of a file system of its own. */
  readonly canFill: boolean;
  /** As every archive has them: no timeline is used twice. */
  readonly history: string;
  private primary!: Server;
  private kind!: ServerKind;
  private ports: readonly [number, number] = [0, 0];
  private folders = 0;
  private doing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly random: Random,
    private readonly crashes: Tally,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.canFill = isMounted(folder);
    chmodSync(folder, 0o755);
    this.history = join(folder, 'history');
  }

  /** `env`: of each server's process. */
  static async start(random: Random, crashes: Tally, env: Readonly<Record<string, string>>): Promise<Cluster> {
    const cluster = new Cluster(mkdtempSync(join(tmpdir(), 'chaos-')), random, crashes, env);
    await cluster.initialise();
    return cluster;
  }

  get server(): Server {
    return this.primary;
  }

  get url(): string {
    return this.primary.url;
  }

  /** Where it may be reached: at one of them at a time. */
  get addresses(): readonly { readonly host: string; readonly port: number }[] {
    return this.ports.map((port) => ({ host: '127.0.0.1', port }));
  }

  /** One thing at a time. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.doing.then(work);
    this.doing = done.catch(() => undefined);
    return done;
  }

  crash(): Promise<void> {
    return this.alone(async () => {
      const how = this.random.weighted({ 'killed whole': 0.5, 'stopped immediately': 0.25, 'a backend killed': 0.25 });
      const { pid } = this.primary;
      if (how === 'a backend killed') {
        // The server ends all others, and recovers by itself.
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
        process.kill(children.at(-1)!, 'SIGKILL');
      } else {
        await this.down(async () => {
          await this.primary.stop(how === 'killed whole' ? 'SIGKILL' : 'SIGQUIT');
          await this.primary.start();
        });
      }
      this.crashes.add(how);
    });
  }

  /** Counts the time that it takes. */
  async down<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    try {
      return await work();
    } finally {
      this.downMs += performance.now() - since;
    }
  }

  newFolder(): string {
    this.folders += 1;
    return join(this.folder, `data${this.folders}`);
  }

  /** The same files, and owners; what goes away in the meantime is left out. */
  async copy(from: string, to: string): Promise<void> {
    const child = spawn('cp', ['-a', from, to], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
  }

  remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
  }

  /** Of a data folder: on the port of the primary, on the other, or where nobody looks for it. */
  async serverOn(dataFolder: string, where: 'here' | 'there' | 'apart'): Promise<Server> {
    const { port } = this.primary;
    const ports = { here: port, there: this.ports.find((one) => one !== port)!, apart: 0 };
    return new Server(this.kind, dataFolder, ports[where] || (await freePort()));
  }

  /** The timelines' history files go where every later recovery finds them. */
  async become(server: Server): Promise<void> {
    const before = this.primary;
    this.primary = server;
    if (before.dataFolder !== server.dataFolder) this.remove(before.dataFolder);
    const files = execFileSync('find', [join(server.dataFolder, 'pg_wal'), '-name', '*.history'], { encoding: 'utf8' });
    for (const file of files.split('\n').filter((name) => name !== '')) await this.copy(file, this.history);
  }

  /**
   * Shrinks the file system to what is used, or gives it its room back. What is written in the same moment makes that
   * an error: then once more.
   */
  async resize(how: 'full' | 'roomy'): Promise<void> {
    await until(() => this.isResized(how), 10_000);
  }

  private isResized(how: 'full' | 'roomy'): boolean {
    const used = execFileSync('df', ['--output=used', '-k', this.folder], { encoding: 'utf8' }).split('\n')[1];
    const size = how === 'full' ? `${Number(used)}k` : ROOM;
    try {
      execFileSync('mount', ['-o', `remount,size=${size}`, this.folder], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  }

  async stop(): Promise<void> {
    await this.doing;
    await this.primary.stop('SIGQUIT');
    if (this.canFill) execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async initialise(): Promise<void> {
    const embedded = await startEmbeddedDatabase(this.folder);
    const { dataFolder, databaseUrl, logFile } = embedded;
    const { password, pathname } = new URL(databaseUrl);
    const pid = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]!;
    const program = readlinkSync(`/proc/${pid}/exe`);
    await embedded.stop();
    mkdirSync(this.history);
    this.kind = { program, password, database: pathname.slice(1), settings: SETTINGS, logFile, env: this.env };
    const one = await freePort();
    this.ports = [one, await freePort(one + 1)];
    this.primary = new Server(this.kind, dataFolder, one);
    await this.primary.start();
  }
}

const ROOM = '4g';

/** Takes root, and a system that lets it. */
function isMounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A file that the server owns, in its data folder. */
export function writeOwned(dataFolder: string, name: string, text: string): void {
  writeFileSync(join(dataFolder, name), text);
  const { uid, gid } = statSync(dataFolder);
  if (process.getuid?.() === 0) execFileSync('chown', [`${uid}:${gid}`, join(dataFolder, name)]);
}
