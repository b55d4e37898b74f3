import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cli } from '../cli/run.js';
import { endApis, startApi } from '../support/api-process.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, startWorker, stopWorkers } from '../support/worker.js';
import { AUTHORITY, makeCertificates } from './support/certificates.js';
import { documented } from './support/documented.js';
import { execute } from './support/execute.js';
import { Postgres } from './support/postgres.js';
import { npmPrograms, removeCopies } from './support/programs.js';
import { Shop } from './support/shop.js';

const HEADING = 'TLS with verify-full';
let other: string;
let plain: Postgres;
let secured: Postgres;
let shop: Shop | undefined;

/** Of the superuser, who looks whether the server is up. */
const WATCHER = 'host postgres postgres 127.0.0.1/32 scram-sha-256\n';

/** A server with the settings and the access of the page. */
async function start(names: string): Promise<Postgres> {
  const server = await Postgres.start(npmPrograms(18), {}, (folder, data) => {
    makeCertificates(folder, names);
    writeFileSync(join(data, 'postgresql.auto.conf'), documented(HEADING, 'ini', 0, { '/etc/postgresql/tls': folder }));
    writeFileSync(join(data, 'pg_hba.conf'), WATCHER + documented(HEADING, 'ini', 1));
  });
  await server.execute(`CREATE ROLE orders LOGIN PASSWORD 'orders'`);
  await server.execute('CREATE DATABASE orders OWNER orders');
  return server;
}

beforeAll(async () => {
  other = mkdtempSync(join(tmpdir(), 'authority-'));
  makeCertificates(other, 'DNS:localhost');
  [secured, plain] = [await start('DNS:localhost'), await Postgres.start(npmPrograms(18))];
});
afterEach(async () => {
  endApis();
  await stopWorkers();
  await shop?.gateway.stop();
  shop = undefined;
});
afterAll(async () => {
  await secured.stop();
  await plain.stop();
  removeCopies();
  rmSync(other, { recursive: true });
});

const url = (server: Postgres, authority: string, host = 'localhost') =>
  server.url('orders', 'orders', `?sslmode=verify-full&sslrootcert=${authority}`).replace('127.0.0.1', host);
const right = (server = secured) => join(server.folder, AUTHORITY);

it('an order is charged once over TLS, and nothing is sent in clear', async () => {
  shop = await Shop.open({ url: url(secured, right()) });
  await shop.sells();
  const unencrypted = `SELECT a.application_name FROM pg_stat_activity a LEFT JOIN pg_stat_ssl s USING (pid)
    WHERE a.application_name LIKE 'scheduled-orders%' AND s.ssl IS NOT TRUE`;
  const sessions = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'scheduled-orders%'`;
  const verified = url(secured, right());
  expect(await execute(verified, unencrypted)).toEqual([]);
  expect((await execute<{ count: number }>(verified, sessions))[0]!.count).toBeGreaterThan(2);
  await shop.stop();
  expect(shop.complaints()).toEqual([]);
  // The authority of the environment, where the URL names none.
  const ofNode = {
    DATABASE_URL: verified.replace(/&sslrootcert=.*/, ''),
    ENCRYPTION_KEY,
    NODE_EXTRA_CA_CERTS: right(),
  };
  expect(await cli(['migrate'], { env: ofNode })).toMatchObject({ code: 0, stderr: '' });
  // One of several hosts, too.
  const several = verified.replace(/@[^/]*/, (host) => `${host},localhost:${secured.server.port}`);
  await shop.start({ url: `${several}&target_session_attrs=primary` });
  await shop.sells();
});

describe('is refused, and says why,', () => {
  const AUTHORITY_UNKNOWN =
    'its certificate is not from an authority that is trusted here: sslrootcert in the URL must name the file of its authority';
  it.each<[string, () => Promise<string> | string, string]>([
    ['with the file of another authority', () => url(secured, join(other, AUTHORITY)), AUTHORITY_UNKNOWN],
    [
      'without the file of its authority',
      () => secured.url('orders', 'orders', '?sslmode=verify-full').replace('127.0.0.1', 'localhost'),
      AUTHORITY_UNKNOWN,
    ],
    ['by another name', () => url(secured, right(), '127.0.0.1'), 'its certificate is for another name: .*'],
    ['where the server has no TLS', () => url(plain, right()), 'The server does not support SSL connections'],
  ])('a connection %s', async (_, made, reason) => {
    const address = await made();
    const sentence = new RegExp(`The database \\S+ cannot be reached: ${reason}\\.`);
    const ran = await cli(['migrate'], { env: { DATABASE_URL: address, ENCRYPTION_KEY } });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
    const [api, worker] = [startApi({ DATABASE_URL: address, ENCRYPTION_KEY }), startWorker({ url: address })];
    await until(() => sentence.test(api.output()));
    expect(api.child.exitCode).toBeNull();
    api.child.kill('SIGKILL');
    void worker;
  });

  it('a connection without TLS, where the server asks for it', async () => {
    const ran = await cli(['migrate'], { env: { DATABASE_URL: secured.url('orders', 'orders'), ENCRYPTION_KEY } });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be reached: this user may not connect'),
    });
  });

  it('a file of the authority that does not exist', async () => {
    const address = url(secured, '/nowhere/ca.crt');
    const ran = await cli(['migrate'], { env: { DATABASE_URL: address, ENCRYPTION_KEY } });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('/nowhere/ca.crt') });
    const api = startApi({ DATABASE_URL: address, ENCRYPTION_KEY });
    expect([await api.exited, api.output()]).toEqual([1, expect.stringContaining('/nowhere/ca.crt')]);
  });
});
