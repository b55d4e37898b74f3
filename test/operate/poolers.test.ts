import { cli } from '../cli/run.js';
import { endApis, startApi } from '../support/api-process.js';
import { Bouncer } from '../support/postgres/pgbouncer.js';
import { ENCRYPTION_KEY, stopWorkers } from '../support/worker.js';
import { Postgres } from './support/postgres.js';
import { npmPrograms, removeCopies } from './support/programs.js';
import { Shop } from './support/shop.js';

let postgres: Postgres;
let bouncer: Bouncer;
let shop: Shop | undefined;

beforeAll(async () => {
  postgres = await Postgres.start(npmPrograms(18));
  await postgres.execute('CREATE DATABASE orders');
  bouncer = await Bouncer.before({ url: postgres.url('orders') });
});
afterAll(async () => {
  endApis();
  await stopWorkers();
  await shop?.gateway.stop();
  await bouncer.stop();
  await postgres.stop();
  removeCopies();
});

it('PgBouncer in transaction mode: an order is charged once; migrations go past it', async () => {
  const env = { DATABASE_POOLER: 'transaction' };
  shop = await Shop.open({ url: bouncer.url, migrateUrl: postgres.url('orders'), env });
  await shop.sells();
  await shop.stop();
  expect(shop.complaints()).toEqual([]);
  const ran = await cli(['migrate'], { env: { DATABASE_URL: bouncer.url, ENCRYPTION_KEY, ...env } });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('Migrations need a direct connection') });
  const api = startApi({ DATABASE_URL: bouncer.url, ENCRYPTION_KEY });
  expect([await api.exited, api.output()]).toEqual([1, expect.stringContaining('set DATABASE_POOLER=transaction')]);
});
