import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { itInAllCases } from '../../../../../test/support/all-cases.js';
import { runningEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.js';
import { processIdentity } from './living-process.js';
import { runningPid } from './server.js';

let folder: string;
/**
 * What a first start leaves, where an earlier one was interrupted: to make a database takes longer than all that is
 * done with it.
 */
let made: string;
const dataDir = () => join(folder, '.data');
const dataFolder = () => join(dataDir(), 'postgres');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'embedded-made-'));
  chmodSync(made, 0o755);
  const unfinished = join(made, '.data', 'postgres.unfinished');
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'PG_VERSION'), '18\n');
  const database = await startEmbeddedDatabase(join(made, '.data'));
  await database.stop();
});
afterAll(() => rmSync(made, { recursive: true }));

const accessFile = () => join(dataDir(), 'database.json');
function changeAccess(change: object): void {
  const access = JSON.parse(readFileSync(accessFile(), 'utf8')) as object;
  writeFileSync(accessFile(), JSON.stringify({ ...access, ...change }));
}

/** As if the first start had been here. */
function giveMade(): void {
  execFileSync('cp', ['-a', join(made, '.data'), folder]);
  changeAccess({ dataFolder: dataFolder() });
}

async function query<T>(databaseUrl: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not happen within 2 minutes.');
    await pause(20);
  }
}

it('flushes what it commits, keeps its secrets to their owner, and refuses a second start while the first lives', async () => {
  giveMade();
  const database = await startEmbeddedDatabase(dataDir());
  const settings = "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') ORDER BY name";
  expect(await query(database.databaseUrl, settings)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
  ]);
  await expect(startEmbeddedDatabase(dataDir())).rejects.toThrow(
    `${dataDir()} is in use by the start with process number ${process.pid}: stop that one, or set DATA_DIR to another folder.`,
  );
  expect(await query(database.databaseUrl, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
  await database.stop();
  for (const file of ['database.json', 'encryption-key', 'postgres.log']) {
    expect(`${file} ${(statSync(join(dataDir(), file)).mode & 0o777).toString(8)}`).toBe(`${file} 600`);
  }
  expect(statSync(dataFolder()).mode & 0o777).toBe(0o700);
});

it('finds its data, its key and its address again at the second start, and leaves nothing running', async () => {
  giveMade();
  expect(runningEmbeddedDatabase(dataDir())).toBeUndefined();
  const first = await startEmbeddedDatabase(dataDir());
  const { databaseUrl, encryptionKey } = first;
  await query(databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  expect(runningEmbeddedDatabase(dataDir())).toEqual({ databaseUrl, encryptionKey });
  const server = runningPid(dataFolder())!;
  await first.stop();
  await until(() => processIdentity(server) === undefined);
  expect(runningEmbeddedDatabase(dataDir())).toBeUndefined();
  expect(readdirSync(dataDir()).sort()).toEqual(['database.json', 'encryption-key', 'postgres', 'postgres.log']);

  const second = await startEmbeddedDatabase(dataDir());
  expect(await query(databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(second).toMatchObject({ databaseUrl, encryptionKey, note: undefined });
  expect(encryptionKey).toMatch(/^[0-9a-f]{64}$/);
  await second.stop();
});

/** Undefined when the process has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);
  } catch {
    return undefined;
  }
}

const onLinux = existsSync('/proc/self/stat') ? it : it.skip;

onLinux('stops a server that nobody owns any more, and keeps what it committed (needs /proc)', async () => {
  giveMade();
  const first = await startEmbeddedDatabase(dataDir());
  await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const server = runningPid(dataFolder())!;
  // Its guard dies with the shell that waits for the end of its input, so that nothing is left to stop the server; and
  // the folder was never given free.
  const guard = parentOf(server);
  const others = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== server && parentOf(pid) === guard);
  expect(others).toHaveLength(1);
  for (const pid of [...others, guard!]) process.kill(pid, 'SIGKILL');
  await first.exited;
  expect(runningPid(dataFolder())).toBe(server);
  writeFileSync(join(dataDir(), 'start.lock'), `${process.pid} 1`);

  const second = await startEmbeddedDatabase(dataDir());
  expect(runningPid(dataFolder())).not.toBe(server);
  expect(await query(second.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await second.stop();
});

itInAllCases(
  'recovers from a server that was killed hard, and is not held up by a number that another program has by now',
  async () => {
    giveMade();
    const first = await startEmbeddedDatabase(dataDir());
    await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(runningPid(dataFolder())!, 'SIGKILL');
    await first.exited;

    const second = await startEmbeddedDatabase(dataDir());
    expect(await query(second.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    writeFileSync(join(dataFolder(), 'postmaster.pid'), `${process.pid}\n${dataFolder()}\n`, { mode: 0o600 });

    const third = await startEmbeddedDatabase(dataDir());
    await third.stop();
  },
);

it('begins again where making the database was interrupted', () => {
  expect(readdirSync(join(made, '.data')).sort()).toEqual([
    'database.json',
    'encryption-key',
    'postgres',
    'postgres.log',
  ]);
});

itInAllCases('takes another port when somebody has its own', async () => {
  giveMade();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: theirs } = other.address() as AddressInfo;
  changeAccess({ port: theirs });
  const database = await startEmbeddedDatabase(dataDir());
  expect(Number(new URL(database.databaseUrl).port)).not.toBe(theirs);
  await database.stop();
  other.close();
});

it('says in one sentence why it does not start', async () => {
  giveMade();
  writeFileSync(join(dataFolder(), 'PG_VERSION'), '12\n');
  await expect(startEmbeddedDatabase(dataDir())).rejects.toThrow(
    `The embedded database did not start (database files are incompatible with server); its log is ${join(dataDir(), 'postgres.log')}.`,
  );
});

it('says which folder it may not write', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(startEmbeddedDatabase(join(folder, 'file', '.data'))).rejects.toThrow(
    'set DATA_DIR to another, or DATABASE_URL',
  );
});

const asRoot = process.getuid?.() === 0 ? itInAllCases : it.skip;

asRoot(
  'keeps the data elsewhere, and says so, where the account of PostgreSQL may not enter (as root only)',
  async () => {
    chmodSync(folder, 0o700);
    const database = await startEmbeddedDatabase(dataDir());
    const elsewhere = JSON.parse(readFileSync(join(dataDir(), 'database.json'), 'utf8')).dataFolder as string;
    expect(elsewhere).not.toContain(folder);
    expect(database.note).toBe(
      `The database keeps its data in ${join(elsewhere, '..')}, because PostgreSQL runs as the user postgres, who may not enter ${dataDir()}.`,
    );
    expect(await query(database.databaseUrl, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
    await database.stop();
    rmSync(join(elsewhere, '..'), { recursive: true });
  },
);

asRoot('runs as the owner of the data that is there (as root only)', async () => {
  const uid = Number(execFileSync('id', ['-u', 'nobody']));
  giveMade();
  execFileSync('chown', ['-R', 'nobody', dataFolder()]);
  const second = await startEmbeddedDatabase(dataDir());
  expect(statSync(`/proc/${runningPid(dataFolder())}`).uid).toBe(uid);
  await second.stop();
});
