import { type AddressInfo, createServer } from 'node:net';
import { createDataSource } from '#libs/entities';
import { Vault } from '#libs/vault';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const given = givenIn(database);

afterEach(endApis);

const lines = (output: string) => output.trimEnd().split('\n');

async function listening(): Promise<{ port: number; close: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** Whoever wants to insert a customer waits until the function that it gives is called. */
async function holdUpCustomers(): Promise<() => Promise<void>> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`LOCK TABLE customers IN EXCLUSIVE MODE`);
  return async () => {
    await runner.rollbackTransaction();
    await runner.release();
  };
}

const isHeldUp = async () => {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await database.query(waiting)).length > 0;
};

describe('The API as a process', () => {
  it('starts without a warning, says where it is, and ends in peace on SIGTERM', async () => {
    const api = startApi({ DATABASE_URL: database.url });
    const url = await api.url();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);
    expect(lines(api.output())).toEqual([
      expect.stringMatching(/ api {4}The API listens on http:\/\/127\.0\.0\.1:\d+; its documentation is at \/docs\.$/),
      expect.stringMatching(/ api {4}The API stops\.$/),
    ]);
  });

  it('answers the requests in flight before it ends', async () => {
    const api = startApi({ DATABASE_URL: database.url });
    const url = await api.url();
    const { tokenAuth } = await given.merchant();
    const letGo = await holdUpCustomers();
    const headers = { authorization: `Basic ${tokenAuth}`, 'content-type': 'application/json' };
    const answer = fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' });
    await until(isHeldUp);
    api.child.kill('SIGINT');
    await until(() => api.output().includes('The API stops.'));
    await letGo();
    expect((await answer).status).toBe(201);
    expect(await api.exited).toBe(0);
  });

  it('lets no request wait for ever for records that others hold', async () => {
    const api = startApi({ DATABASE_URL: database.url });
    const { tokenAuth } = await given.merchant();
    const headers = { authorization: `Basic ${tokenAuth}`, 'content-type': 'application/json' };
    const url = await api.url();
    const letGo = await holdUpCustomers();
    const answer = await fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({
      title: 'Service Unavailable',
      detail: 'Other requests lock the records for too long: repeat the request.',
    });
    await letGo();
    expect((await fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' })).status).toBe(201);
  });

  it('does once what it was killed in the middle of, when the request is repeated with its key', async () => {
    const [killed, other] = [startApi({ DATABASE_URL: database.url }), startApi({ DATABASE_URL: database.url })];
    const { tokenAuth, siteId } = await given.merchant();
    const authorization = `Basic ${tokenAuth}`;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'killed' };
    const post = (url: string) => fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' });
    const [urlOfKilled, url] = [await killed.url(), await other.url()];
    const letGo = await holdUpCustomers();
    const lost = expect(post(urlOfKilled)).rejects.toThrow('fetch failed');
    await until(isHeldUp);
    killed.child.kill('SIGKILL');
    await lost;
    expect((await post(url)).status).toBe(409);
    await letGo();
    const made = await until(async () => {
      const answer = await post(url);
      return answer.status !== 409 && answer;
    });
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const again = await post(url);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const { Id } = (await made.json()) as { Id: number };
    const customers = await database.query(`SELECT id::int AS id FROM customers WHERE site_id = $1`, [siteId]);
    expect(customers).toEqual([{ id: Id }]);
  });

  it('names all faults of its settings at once and exits with 78', async () => {
    const api = startApi({ DATABASE_URL: '', PORT: 'x', RATE_LIMIT_PER_SECOND: '-1' });
    expect(await api.exited).toBe(78);
    expect(api.output()).toContain('DATABASE_URL is missing');
    expect(api.output()).toContain('PORT "x" must be a whole number');
    expect(api.output()).toContain('RATE_LIMIT_PER_SECOND "-1" must be a whole number');
    expect(api.output()).not.toMatch(/\n\s+at /);
  });

  it('says in one sentence that its port is in use', async () => {
    const { port, close } = await listening();
    const api = startApi({ DATABASE_URL: database.url, PORT: String(port) });
    expect(await api.exited).toBe(1);
    close();
    expect(lines(api.output())).toEqual([
      expect.stringMatching(
        new RegExp(`Port ${port} is in use by another program: stop that one, or set PORT to another port\\.$`),
      ),
    ]);
  });

  it('refuses to start with another key than the stored credentials were encrypted with', async () => {
    const { siteId } = await given.merchant();
    await given.integration(Vault.fromSetting('5e'.repeat(32)), siteId);
    const api = startApi({ DATABASE_URL: database.url });
    expect(await api.exited).toBe(78);
    expect(lines(api.output())).toEqual([
      expect.stringMatching(/FATAL: ENCRYPTION_KEY is not the key that the stored credentials were encrypted with/),
    ]);
    await database.query(`DELETE FROM payment_integrations`);
  });

  it('waits for a database that is not there yet, one sentence a try', async () => {
    const { port, close } = await listening();
    close();
    const api = startApi({ DATABASE_URL: `postgres://someone:secret@127.0.0.1:${port}/shop` });
    await until(() => lines(api.output()).length >= 2);
    const [first, second] = lines(api.output());
    const sentence = `The database 127.0.0.1:${port}/shop cannot be reached: nothing listens there.`;
    expect(first).toContain(`WARN: ${sentence} Trying again in 0.25 s.`);
    expect(second).toContain(`WARN: ${sentence} Trying again in 0.5 s.`);
    expect(api.output()).not.toContain('secret');
    api.child.kill('SIGTERM');
    expect(await api.exited).toBe(0);
  });

  it('gives up at once where waiting cannot help', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    const api = startApi({ DATABASE_URL: url.href });
    expect(await api.exited).toBe(1);
    expect(lines(api.output())).toEqual([
      expect.stringMatching(/FATAL: The database .*\/nowhere cannot be reached: there is no such database\.$/),
    ]);
  });

  it('is alive but not ready before the migrations', async () => {
    const server = await createDataSource({ url: process.env.TEST_SERVER_URL!, poolSize: 1 }).initialize();
    await server.query(`CREATE DATABASE empty_${process.pid}`);
    const url = new URL(database.url);
    url.pathname = `/empty_${process.pid}`;
    const api = startApi({ DATABASE_URL: url.href });
    const base = await api.url();
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const ready = await fetch(`${base}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5']);
    api.child.kill('SIGTERM');
    await api.exited;
    await server.query(`DROP DATABASE empty_${process.pid} WITH (FORCE)`);
    await server.destroy();
  });

  it('outlives its connections', async () => {
    const api = startApi({ DATABASE_URL: database.url });
    const url = await api.url();
    const { tokenAuth } = await given.merchant();
    const get = () => fetch(`${url}/api/Customers`, { headers: { authorization: `Basic ${tokenAuth}` } });
    expect((await get()).status).toBe(200);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'scheduled-orders-api'`,
    );
    await until(async () => (await get()).status === 200);
    expect(api.child.exitCode).toBeNull();
  });
});
