import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endApis } from '../support/api-process.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from '../support/worker.js';
import { documented } from './support/documented.js';
import { execute, executeEach } from './support/execute.js';
import { newFolder, own, Postgres } from './support/postgres.js';
import { debianPrograms } from './support/programs.js';
import { command, Shop } from './support/shop.js';

const servers: Postgres[] = [];
let shop: Shop | undefined;

afterEach(async () => {
  endApis();
  await stopWorkers();
  await shop?.gateway.stop();
  for (const server of servers.splice(0)) await server.stop();
});

/** Its account may write here: backups, and the archive. */
function backupFolder(): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'wal'));
  own(join(folder, 'wal'));
  return folder;
}

async function started(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const server = await Postgres.start(debianPrograms(), settings);
  servers.push(server);
  return server;
}

it('a dump that is restored elsewhere charges nothing until it is adopted, and then nothing twice', async () => {
  const HEADING = 'Logical backup';
  const [old, fresh, folder] = [await started(), await started(), backupFolder()];
  await old.execute('CREATE DATABASE orders');
  shop = await Shop.open({ url: old.url('orders') });
  const before = await shop.sells();
  const charged = await shop.create();
  const portOf = ({ server }: Postgres) => ({ '5432': String(server.port), '/backup': folder });
  old.shell(documented(HEADING, 'sh', 0, portOf(old)));
  // Charged after the backup: the dump does not know it.
  await shop.ask('POST', `/api/ScheduledOrders/${charged}/Process`);
  await shop.charged(charged);
  await shop.stop();

  fresh.shell(documented(HEADING, 'sh', 1, portOf(fresh)));
  const url = fresh.url('orders');
  expect(await execute(url, 'SELECT id::int FROM orders')).toHaveLength(1);
  // Another key, or none of the right ones.
  const wrongKey = await startWorker({ url }, { ENCRYPTION_KEY: 'f'.repeat(64) });
  expect([await wrongKey.exited, wrongKey.output()]).toEqual([78, expect.stringContaining('ENCRYPTION_KEY')]);
  // Nobody has said that the original charges no more.
  const refusing = await startWorker({ url }, { GATEWAY_ONE_URL: shop.gateway.url, PROCESSOR_CRON: '* * * * * *' });
  await until(() => refusing.output().includes('deployment:adopt'));
  const health = await fetch(`${refusing.url}/health/ready`);
  expect([health.status, await health.text()]).toEqual([503, expect.stringContaining('deployment:adopt')]);
  refusing.kill('SIGTERM');
  expect(await refusing.exited).toBe(0);

  await command(url, {}, 'deployment:adopt');
  // The key was rotated since: the backup has the one before.
  await shop.start({ url, env: { ENCRYPTION_KEY: `${'b'.repeat(64)},${ENCRYPTION_KEY}` } });
  await shop.charged(charged);
  await shop.charged(before);
  await shop.sells();
  expect(shop.gateway.ledger.doubles()).toEqual([]);
  expect(shop.gateway.ledger.charges).toHaveLength(3);
  expect(await command(url, {}, 'cycles:stuck')).toBe('');
  await command(url, {}, 'check:database');
  await shop.stop();
});

it('a restore to a point in time undoes an accident, and charges nothing twice', async () => {
  const HEADING = 'Point-in-time restore';
  const folder = backupFolder();
  const server = await started();
  const data = server.server.dataFolder;
  const replaced = { '/backup': folder, '/var/lib/postgresql/data': data };
  await server.execute('CREATE DATABASE orders');
  const archive = documented(HEADING, 'sql', 0, { '/backup': folder });
  await executeEach(server.url('postgres'), archive);
  await server.server.stop('SIGINT');
  await server.server.start();
  shop = await Shop.open({ url: server.url('orders') });
  server.shell(documented(HEADING, 'sh', 0, { '/backup': folder, '5432': String(server.server.port) }));
  const before = await shop.sells();
  const later = await shop.create();
  const [{ utc }] = (await execute<{ utc: string }>(server.url('orders'), 'SELECT clock_timestamp()::text AS utc')) as [
    { utc: string },
  ];
  // The accident, and a charge after it.
  await execute(
    server.url('orders'),
    'UPDATE products SET price = 0; DELETE FROM error_logs; DROP TABLE upcoming_notices',
  );
  await shop.ask('POST', `/api/ScheduledOrders/${later}/Process`);
  await until(() => shop!.gateway.ledger.capturesOf(later).length === 1);
  await shop.stop();
  await server.execute('SELECT pg_switch_wal()');
  await server.server.stop('SIGINT');

  server.shell(documented(HEADING, 'sh', 1, { ...replaced, '2026-11-23 09:41:00+00': utc }));
  await server.server.start();
  await until(async () => (await server.server.ask('SELECT 1 WHERE NOT pg_is_in_recovery()')) !== null);
  await command(server.url('orders'), { ENCRYPTION_KEY }, 'deployment:adopt');
  await executeEach(server.url('postgres'), documented(HEADING, 'sql', 1));
  expect(await execute(server.url('orders'), 'SELECT price::text FROM products')).toEqual([{ price: '12.5000' }]);
  await shop.start();
  await shop.charged(before);
  await shop.charged(later);
  await shop.sells();
  expect(shop.gateway.ledger.doubles()).toEqual([]);
  expect(shop.gateway.ledger.charges).toHaveLength(3);
  expect(await command(server.url('orders'), {}, 'cycles:stuck')).toBe('');
  await shop.stop();
});
