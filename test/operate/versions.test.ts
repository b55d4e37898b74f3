import { cli } from '../cli/run.js';
import { FEW_CASES } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from '../support/worker.js';
import { Postgres } from './support/postgres.js';
import { npmPrograms, removeCopies } from './support/programs.js';
import { Shop } from './support/shop.js';

let postgres: Postgres | undefined;
let shop: Shop | undefined;
afterEach(async () => {
  endApis();
  await stopWorkers();
  await shop?.gateway.stop();
  await postgres?.stop();
  [postgres, shop] = [undefined, undefined];
});
afterAll(removeCopies);

it.each(FEW_CASES ? [14, 15] : [14, 15, 16, 17, 18])(
  'PostgreSQL %i: an order is charged once, and nothing is complained of',
  async (major) => {
    postgres = await Postgres.start(npmPrograms(major));
    await postgres.execute('CREATE DATABASE orders');
    shop = await Shop.open({ url: postgres.url('orders') });
    await shop.sells();
    const [row] = await postgres.execute<{ version: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS version`,
    );
    expect(row).toEqual({ version: major });
    await shop.stop();
    expect(shop.complaints()).toEqual([]);
    // `migrate` asks an empty database which version it needs.
    expect(postgres.log().match(/(ERROR|PANIC): .*/g)).toEqual([
      expect.stringContaining('relation "minimum_version" does not exist'),
    ]);
  },
);

it('PostgreSQL 13 is refused by every program, with what to do', async () => {
  postgres = await Postgres.start(npmPrograms(13));
  const url = postgres.url('postgres');
  const sentence = 'The database is PostgreSQL 13: this service needs 14 to 18. Upgrade the server.';
  expect(await cli(['migrate'], { env: { DATABASE_URL: url } })).toMatchObject({ code: 1, stderr: `${sentence}\n` });
  const api = startApi({ DATABASE_URL: url, ENCRYPTION_KEY });
  expect([await api.exited, api.output()]).toEqual([1, expect.stringContaining(sentence)]);
  const worker = await startWorker({ url });
  expect([await worker.exited, worker.output()]).toEqual([1, expect.stringContaining(sentence)]);
});
