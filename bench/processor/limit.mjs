import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitScript } from './limit.sql.mjs';

/** Like the worker's: what an idempotency key begins with; as long, so that rows weigh the same. */
const PREFIX = 'limitlim';

/** pgbench of the system: the embedded PostgreSQL brings none. Null where there is none. */
export function findPgbench() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...versions.map((version) => join(debian, version, 'bin', 'pgbench')),
    '/usr/bin/pgbench',
    '/usr/local/bin/pgbench',
  ];
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/**
 * Processes all due orders of the database with set-based SQL alone, `clients` connections at once.
 * Planned anew for each batch, for the tables grow.
 */
export async function drainByLimit(url, { orders, batch = 500, clients = 2, scratch }) {
  const script = join(scratch, 'limit.sql');
  writeFileSync(script, await limitScript(batch, PREFIX));
  // One turn more than the even share each: whoever finds nothing left writes nothing.
  const turns = Math.ceil(orders / batch / clients) + 1 + Math.ceil(orders / batch / 10);
  const { hostname, port, username, password, pathname } = new URL(url);
  const args = [
    '-n',
    '-M',
    'extended',
    '-f',
    script,
    '-c',
    String(clients),
    '-j',
    '1',
    '-t',
    String(turns),
    '-D',
    'us=0',
    '-D',
    'id=0',
  ];
  await run(findPgbench(), [...args, '-h', hostname, '-p', port, '-U', username, pathname.slice(1)], {
    PGPASSWORD: password,
    PATH: process.env.PATH,
  });
}

function run(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (data) => (said += data));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`pgbench ended with ${code}: ${said.slice(-2000)}`)),
    );
  });
}
