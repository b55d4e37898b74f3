import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { endApis } from '../support/api-process.js';
import { until } from '../support/until.js';
import { startWorker, stopWorkers } from '../support/worker.js';
import { documented } from './support/documented.js';
import { execute, executeEach } from './support/execute.js';
import { newFolder, Postgres } from './support/postgres.js';
import { debianPrograms } from './support/programs.js';
import { Shop } from './support/shop.js';

const HEADING = 'Replication and promotion';

let primary: Postgres;
let standby: Postgres | undefined;
let shop: Shop | undefined;

afterAll(async () => {
  endApis();
  await stopWorkers();
  await shop?.gateway.stop();
  await standby?.stop();
  await primary.stop();
});

/** With pg_basebackup, as the page says. */
async function standbyOf(server: Postgres): Promise<Postgres> {
  const folder = newFolder();
  const replaced = { '/var/lib/postgresql/standby': join(folder, 'data'), '5432': String(server.server.port) };
  server.shell(documented(HEADING, 'sh', 0, replaced));
  return Postgres.on(folder, server.bin, join(folder, 'data'));
}

it('a standby that is promoted takes over: nothing is charged twice, nothing is lost', async () => {
  primary = await Postgres.start(debianPrograms(), {}, (_, data) =>
    appendFileSync(join(data, 'pg_hba.conf'), documented(HEADING, 'ini')),
  );
  await executeEach(primary.url('postgres'), documented(HEADING, 'sql'));
  await primary.execute('CREATE DATABASE orders');
  standby = await standbyOf(primary);
  await executeEach(primary.url('postgres'), documented(HEADING, 'sql', 1));
  const hosts = [primary, standby].map(({ server }) => `127.0.0.1:${server.port}`).join();
  const url = primary.url('orders', 'postgres', '?target_session_attrs=primary').replace(/@[^/]+/, `@${hosts}`);

  shop = await Shop.open({ url });
  const first = await shop.sells();
  const later = [await shop.create(), await shop.create()];
  // A worker that is led to the standby alone charges nothing, and says why.
  const misled = await startWorker({ url: standby.url('orders') });
  expect(await (await fetch(`${misled.url}/health/ready`)).text()).toContain(
    'The database is read-only: it is a standby',
  );
  misled.kill('SIGKILL');

  await primary.server.stop('SIGKILL');
  const ready = async () => (await fetch(`${shop!.worker.url}/health/ready`)).status;
  await until(async () => (await ready()) === 503);
  await execute(standby.url('postgres'), documented(HEADING, 'sql', 2));
  await until(async () => (await ready()) === 200, 60_000);
  // The same processes, which nobody has started again.
  await shop.charged(first);
  for (const id of later) await shop.ask('POST', `/api/ScheduledOrders/${id}/Process`);
  for (const id of later) await shop.charged(id);
  expect(shop.gateway.ledger.charges).toHaveLength(3);
  expect(shop.worker.output()).toContain('The database was restored or promoted');
});
