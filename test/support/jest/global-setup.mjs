import { execSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { whenChanged } from '../../../bin/when-changed.mjs';

const inRoot = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const MEMORY_FOLDER = '/dev/shm';
const MOUNTED_FOR_PROGRAMS = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m;
/** More than a run needs for its databases and its processes together. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/**
 * Puts temporary files into memory where there is plenty of it. A run makes and drops hundreds of databases, of 300
 * files each, and on some disks (ext4 without a journal) a file takes the longer to make the more files were deleted in
 * the last minutes.
 */
function useMemory() {
  if (process.env.TMPDIR || !existsSync('/proc/mounts')) return;
  if (!MOUNTED_FOR_PROGRAMS.test(readFileSync('/proc/mounts', 'utf8'))) return;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES) process.env.TMPDIR = MEMORY_FOLDER;
}

/** Each of thousands of connections would hash the password 4,096 times. */
async function hashPasswordOnce(url) {
  const server = new pg.Client({ connectionString: url });
  await server.connect();
  await server.query('SET scram_iterations = 1');
  await server.query(`ALTER ROLE postgres PASSWORD '${new URL(url).password}'`);
  await server.end();
}

/**
 * One server for the run, or the one that TEST_DATABASE_URL names; and the product as its sources are now, for tests
 * load what is built.
 */
export default async function setup() {
  await whenChanged([inRoot('build/tsconfig.build.tsbuildinfo')], ['apps', 'libs'].map(inRoot), () => {
    execSync('npm run --silent build:changed', { cwd: inRoot('.'), stdio: 'inherit' });
  });
  process.env.TEST_RUN_ID = randomUUID();
  useMemory();
  if (process.env.TEST_DATABASE_URL) {
    process.env.TEST_SERVER_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  const { startEphemeralDatabase } = await import(
    new URL('../../../build/libs/platform/src/config/index.js', import.meta.url).href
  );
  globalThis.testPostgres = await startEphemeralDatabase();
  process.env.TEST_SERVER_URL = globalThis.testPostgres.url;
  await hashPasswordOnce(globalThis.testPostgres.url);
}
