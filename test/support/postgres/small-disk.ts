import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, dropDatabase, onServer, type TestDatabase } from '../database.js';

/** A migrated database takes some 30 MB. */
const SIZE = '128m';
const CHUNK = Buffer.alloc(4_096);

/** Whether this process may mount a file system: Linux's root. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * A database on a small file system of its own, which can be filled. Only the server's log of changes is elsewhere:
 * without it the server would end.
 */
export class SmallDisk {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
    readonly database: TestDatabase,
  ) {}

  /** Null where the tests' server runs elsewhere, and so cannot use it. */
  static async make(): Promise<SmallDisk | null> {
    const data = await onServer(async (server) => {
      const { rows } = await server.query<{ data_directory: string }>('SHOW data_directory');
      return rows[0]!.data_directory;
    });
    if (!existsSync(data)) return null;
    const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
    const { uid, gid } = statSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},uid=${uid},gid=${gid},mode=700`, 'tmpfs', folder]);
    const name = `small_${process.pid}`;
    await onServer((server) => server.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`));
    return new SmallDisk(folder, name, await cloneDatabase(undefined, name));
  }

  private get ballast(): string {
    return join(this.folder, 'ballast');
  }

  /** Not a page is left. */
  fill(): void {
    const file = openSync(this.ballast, 'w');
    try {
      for (;;) writeSync(file, CHUNK);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.ballast, { force: true });
  }

  async remove(): Promise<void> {
    this.empty();
    await dropDatabase(this.database);
    await onServer((server) => server.query(`DROP TABLESPACE ${this.name}`));
    execFileSync('umount', [this.folder]);
    rmdirSync(this.folder);
  }
}
