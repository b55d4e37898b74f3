import { openDataSource } from '#libs/entities';
import { Vault } from '#libs/platform';
import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const given = givenIn(database);
/** Beside the process of a test. */
const other = useApi(database);

afterEach(endApis);

const lines = (output: string) => output.trimEnd().split('\n');

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

  it('lets no request wait for ever for records that others hold, and answers the requests in flight before it ends', async () => {
    const api = startApi({ DATABASE_URL: database.url });
    const { tokenAuth } = await given.merchant();
    const headers = { authorization: `Basic ${tokenAuth}`, 'content-type': 'application/json' };
    const url = await api.url();
    const post = () => fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' });
    const letGo = await holdUpCustomers();
    const answer = await post();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({
      title: 'Service Unavailable',
      detail: 'Other requests lock the records for too long: repeat the request.',
    });
    const inFlight = post();
    await until(isHeldUp);
    api.child.kill('SIGINT');
    await until(() => api.output().includes('The API stops.'));
    await letGo();
    expect((await inFlight).status).toBe(201);
    expect(await api.exited).toBe(0);
  });

  itInAllCases('does once what it was killed in the middle of, when the request is repeated with its key', async () => {
    const killed = startApi({ DATABASE_URL: database.url });
    const { tokenAuth, siteId } = await given.merchant();
    const authorization = `Basic ${tokenAuth}`;
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'killed' };
    const post = (url: string) => fetch(`${url}/api/Customers`, { method: 'POST', headers, body: '{}' });
    const [urlOfKilled, url] = [await killed.url(), other.url];
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

  itInAllCases('refuses to start with another key than the stored credentials were encrypted with', async () => {
    const { siteId } = await given.merchant();
    await given.integration(Vault.fromSetting('5e'.repeat(32)), siteId);
    const api = startApi({ DATABASE_URL: database.url });
    expect(await api.exited).toBe(78);
    expect(lines(api.output())).toEqual([
      expect.stringMatching(/FATAL: ENCRYPTION_KEY is not the key that the stored credentials were encrypted with/),
    ]);
    await database.query(`DELETE FROM payment_integrations`);
  });

  itInAllCases('is alive but not ready before the migrations', async () => {
    const server = await openDataSource({ url: process.env.TEST_SERVER_URL!, poolSize: 1 });
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

  itInAllCases('outlives its connections', async () => {
    const { tokenAuth } = await given.merchant();
    const get = () => other.request('GET', '/api/Customers', { token: tokenAuth });
    expect((await get()).status).toBe(200);
    const connections = await database.query<{ isEnded: boolean }>(
      `SELECT pg_terminate_backend(pid) AS "isEnded" FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api'`,
    );
    expect(connections.length).toBeGreaterThan(0);
    await until(async () => (await get()).status === 200);
  });
});
