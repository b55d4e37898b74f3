import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#libs/config';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

/** A PostgreSQL of its own that flushes to disk, to be stopped hard and started again on the data that it left. */
export class CrashingPostgres {
  private server!: EmbeddedDatabase;
  /** How long it could not be reached, all in all. */
  downMs = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'chaos-'));

  constructor(
    private readonly random: Random,
    private readonly crashes: Tally,
  ) {
    chmodSync(this.folder, 0o755);
  }

  async start(): Promise<void> {
    this.server = await startEmbeddedDatabase(this.folder);
  }

  /** The port may be another after a start. */
  get url(): string {
    return this.server.databaseUrl;
  }

  async crash(): Promise<void> {
    const how = this.random.weighted({ 'killed whole': 0.5, 'stopped immediately': 0.25, 'a backend killed': 0.25 });
    const pid = this.pid();
    this.crashes.add(how);
    if (how === 'a backend killed') {
      // The server ends all others, and recovers by itself.
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
      process.kill(children.at(-1)!, 'SIGKILL');
      return;
    }
    const downSince = performance.now();
    process.kill(pid, how === 'killed whole' ? 'SIGKILL' : 'SIGQUIT');
    await this.server.exited;
    await this.start();
    this.downMs += performance.now() - downSince;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pid(): number {
    const { dataFolder } = JSON.parse(readFileSync(join(this.folder, 'database.json'), 'utf8')) as {
      dataFolder: string;
    };
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }
}
