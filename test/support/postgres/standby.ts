import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EphemeralDatabase, freePort } from '#libs/platform';
import { until } from '../until.js';

/** Finding out which program runs takes Linux. */
export const canMakeStandby = process.platform === 'linux';

export interface Standby {
  /** Of its database `postgres`. */
  readonly url: string;
  promote(): Promise<void>;
  /** From now on it receives nothing more: what is committed then is lost with the primary. */
  cutOff(): Promise<void>;
  stop(): Promise<void>;
}

/** A hot standby that streams from `primary`, made from a copy of its files. */
export async function standbyOf(primary: EphemeralDatabase): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'standby-'));
  const data = join(folder, 'postgres');
  const source = new pg.Client({ connectionString: primary.url });
  await source.connect();
  const { rows } = await source.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
  const from = rows[0]!.folder;
  await source.query(`SELECT pg_backup_start('standby', true)`);
  cpSync(from, data, {
    recursive: true,
    filter: (path) => !path.endsWith('postmaster.pid') && !lstatSync(path).isSocket(),
  });
  const label = await source.query<{ labelfile: string }>(`SELECT labelfile FROM pg_backup_stop(false)`);
  await source.end();
  const { hostname, port, username, password } = new URL(primary.url);
  writeFileSync(join(data, 'backup_label'), label.rows[0]!.labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary_conninfo}'\n`);
  const { uid, gid } = statSync(from);
  own(folder, uid, gid);
  const standbyPort = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
  };
  const child = spawn(
    readlinkSync(`/proc/${primary.pid}/exe`),
    [
      '-D',
      data,
      '-p',
      String(standbyPort),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { stdio: 'ignore', ...(process.getuid?.() === 0 ? { uid, gid } : {}) },
  );
  const url = new URL(primary.url);
  url.port = String(standbyPort);
  const ask = (sql: string) => answerOf(url.href, sql);
  await until(async () => child.exitCode !== null || (await ask('SELECT 1')) !== null);
  return {
    url: url.href,
    promote: async () => {
      await ask('SELECT pg_promote()');
      await until(async () => (await ask('SELECT 1 WHERE NOT pg_is_in_recovery()')) !== null);
    },
    cutOff: async () => {
      await ask(`ALTER SYSTEM SET primary_conninfo = ''`);
      await ask('SELECT pg_reload_conf()');
      await until(async () => (await ask('SELECT 1 FROM pg_stat_wal_receiver')) === null);
    },
    stop: () => stopped(child, folder),
  };
}

function own(path: string, uid: number, gid: number): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, uid, gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) own(join(path, name), uid, gid);
}

/** The first row; null when there is none, or no server yet. */
async function answerOf(url: string, sql: string): Promise<object | null> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<object>(sql)).rows[0] ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function stopped(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGQUIT');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
}
