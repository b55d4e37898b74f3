import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';
const MOUNTED_FOR_PROGRAMS = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m;
/** More than a run needs for its databases and its processes together. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/**
 * Puts temporary files into memory where there is plenty of it. A run makes and drops hundreds of databases, of 300 files each, and on some disks
 * (ext4 without a journal) a file takes the longer to make the more files were deleted in the last minutes.
 */
function useMemory() {
  if (process.env.TMPDIR || !existsSync('/proc/mounts')) return;
  if (!MOUNTED_FOR_PROGRAMS.test(readFileSync('/proc/mounts', 'utf8'))) return;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES) process.env.TMPDIR = MEMORY_FOLDER;
}

/** One server for the run, or the one that TEST_DATABASE_URL names. */
export default async function setup() {
  process.env.TEST_RUN_ID = randomUUID();
  useMemory();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_SERVER_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  // The built one: Jest loads this file outside of its module system, and `npm test` builds first.
  const { startEphemeralDatabase } = await import(
    new URL('../../build/libs/config/src/index.js', import.meta.url).href
  );
  globalThis.testPostgres = await startEphemeralDatabase();
  process.env.TEST_SERVER_URL = globalThis.testPostgres.url;
}
