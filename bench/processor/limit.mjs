import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '../harness/run-node.mjs';
import { limitScript } from './limit.sql.mjs';

/** What an idempotency key begins with: as long as the worker's prefix, so that rows weigh the same. */
const PREFIX = 'limitlim';

/**
 * pgbench of the system: the embedded PostgreSQL brings none. Tried, for Debian's /usr/bin/pgbench is there without it.
 * @throws Error naming the package to install where there is none.
 */
export function requirePgbench() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...versions.map((version) => join(debian, version, 'bin', 'pgbench')), 'pgbench'];
  const found = candidates.find((candidate) => spawnSync(candidate, ['--version']).status === 0);
  if (found === undefined)
    throw new Error('Rows 2 and 3 need pgbench: install postgresql (Debian, Ubuntu) or postgresql-contrib (Fedora).');
  return found;
}

/**
 * Processes all due orders of the database with set-based SQL alone, `clients` connections at once.
 * Planned again for each batch, because the tables grow.
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
  await runToEnd(requirePgbench(), [...args, '-h', hostname, '-p', port, '-U', username, pathname.slice(1)], {
    env: { PGPASSWORD: password },
  });
}
