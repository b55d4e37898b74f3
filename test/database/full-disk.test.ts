import { PassThrough, Writable } from 'node:stream';
import { createLogger, WriteProbe } from '#libs/platform';
import { itInAllCases } from '../support/all-cases.js';
import { type OpenApi, openApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { canMount, SmallDisk } from '../support/postgres/small-disk.js';
import { until } from '../support/until.js';
import { startWorker, stopWorkers } from '../support/worker.js';

const FULL = 'The database takes no writes: its disk is full.';

(canMount ? describe : describe.skip)('A full disk (as root only, who may mount one)', () => {
  let disk: SmallDisk | null;
  let api: OpenApi | undefined;
  let written = '';
  const log = new Writable({ write: (chunk, _encoding, done) => ((written += String(chunk)), done()) });
  const logged = () =>
    written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { msg: string; code?: string; cause?: string });

  beforeAll(async () => {
    disk = await SmallDisk.make();
  });
  afterAll(async () => {
    await stopWorkers();
    await api?.close();
    await disk?.remove();
  });

  itInAllCases(
    'is told by API, worker, metrics and logs, with its cause; what reads works, and all works again when there is room',
    async () => {
      if (disk === null)
        return void process.stderr.write('Not tested: the server of TEST_DATABASE_URL is elsewhere.\n');
      const { database } = disk;
      const { tokenAuth: token } = await given(database).merchant();
      const running = await openApi(database.url, { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, log);
      api = running;
      const worker = await startWorker(database);
      const ask = (path: string) => running.request('GET', path, { token });
      const create = () => running.request('POST', '/api/Customers', { token, body: { FirstName: 'A'.repeat(200) } });
      const workerReady = async () => {
        const answer = await fetch(`${worker.url}/health/ready`);
        return [answer.status, ((await answer.json()) as { message?: object }).message ?? null];
      };
      const writable = async () => [
        /^scheduled_orders_writable (\d)$/m.exec((await ask('/metrics')).body as string)![1],
        /^scheduled_orders_writable (\d)$/m.exec(await (await fetch(`${worker.url}/metrics`)).text())![1],
      ];
      disk.fill();
      // Pages that are there still have room: a change in place would find nothing.
      await database.query(`UPDATE minimum_version SET schema_version = schema_version`);
      await until(async () => (await ask('/health/ready')).body.writes === FULL);
      expect((await ask('/health/ready')).status).toBe(200);
      const refused = await until(async () => {
        const answer = await create();
        return answer.status === 503 && answer;
      });
      expect(refused.body.detail).toBe(`${FULL} Repeat the request later.`);
      expect((await ask('/api/Customers')).status).toBe(200);
      const { status, body } = await ask('/api/Operations');
      expect([status, body.Writes]).toEqual([200, { Accepted: false, Refusal: FULL }]);
      await until(async () => (await workerReady())[0] === 503);
      expect(await writable()).toEqual(['0', '0']);
      for (let n = 0; n < 5; n++) await create();
      const causes = logged().filter(({ code }) => code !== undefined);
      expect(causes.map(({ msg }) => msg)).toEqual([
        FULL,
        'Requests are answered 503, because the database refuses or delays them.',
      ]);
      for (const { code, cause } of causes)
        expect([code, cause]).toEqual(['53100', expect.stringMatching(/^could not extend file/)]);
      const cause =
        /WARN: The database takes no writes: its disk is full\..* code=53100 cause=.*could not extend file/g;
      expect(worker.output().match(cause)).toHaveLength(1);

      disk.empty();
      await until(async () => (await workerReady())[0] === 200);
      await until(async () => (await ask('/health/ready')).body.writes === undefined);
      expect((await create()).status).toBe(201);
      expect((await ask('/api/Operations')).body.Writes).toEqual({ Accepted: true, Refusal: null });
      expect(await writable()).toEqual(['1', '1']);
      expect(logged().at(-1)!.msg).toBe('The database takes writes again.');
    },
  );
});

describe('The look whether the database takes writes', () => {
  const database = useDatabase();
  const probe = () =>
    new WriteProbe(database.pool, createLogger('api', { logLevel: 'silent', logFormat: 'json' }, new PassThrough()));
  const size = async () =>
    (await database.query<{ pages: number }>(`SELECT (pg_relation_size('write_probes') / 8192)::int AS pages`))[0]!
      .pages;

  it('needs a new page each time, keeps no row, and leaves nothing that a vacuum does not take away', async () => {
    const before = await size();
    for (let n = 1; n <= 60; n++) {
      expect(await probe().failBecause()).toBeNull();
      expect(await size()).toBe(before + n);
    }
    expect(await database.query(`SELECT FROM write_probes`)).toEqual([]);
    await database.query(`VACUUM write_probes`);
    expect(await size()).toBe(0);
  });

  it('is one for all who ask at the same time or soon', async () => {
    const one = probe();
    const before = await size();
    await Promise.all(Array.from({ length: 20 }, () => one.failBecause()));
    await one.failBecause();
    expect(await size()).toBe(before + 1);
  });

  it('says so of any other refusal, with its SQLSTATE', async () => {
    await database.query(`ALTER TABLE write_probes ADD CONSTRAINT ck_none CHECK (filler = 'x')`);
    expect(await probe().failBecause()).toBe(
      'The database takes no writes: an INSERT that was tried failed (SQLSTATE 23514).',
    );
    await database.query(`ALTER TABLE write_probes DROP CONSTRAINT ck_none`);
  });
});
