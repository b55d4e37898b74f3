import { openDataSource } from '#libs/entities';
import { type EphemeralDatabase, startEphemeralDatabase } from '#libs/platform';
import { itInAllCases } from '../support/all-cases.js';
import { endApis, startApi } from '../support/api-process.js';
import type { TestDatabase } from '../support/database.js';
import { canMakeStandby, type Standby, standbyOf } from '../support/postgres/standby.js';
import { until } from '../support/until.js';
import { ENCRYPTION_KEY, givenShop, startWorker, stopWorkers } from '../support/worker.js';

(canMakeStandby ? describe : describe.skip)('A standby that is promoted', () => {
  let primary: EphemeralDatabase;
  let standby: Standby;
  const database = {} as TestDatabase;

  beforeAll(async () => {
    primary = await startEphemeralDatabase({ wal_level: 'replica', max_wal_senders: '4' });
    const dataSource = await openDataSource({ url: primary.url });
    await dataSource.runMigrations();
    Object.assign(database, { url: primary.url, dataSource, query: dataSource.query.bind(dataSource) });
    standby = await standbyOf(primary);
  });
  afterAll(async () => {
    endApis();
    await stopWorkers();
    await database.dataSource.destroy();
    await primary.stop();
    await standby.stop();
  });

  itInAllCases('is not taken for the primary before, and found by API and worker after', async () => {
    const { username, password, pathname, host } = new URL(primary.url);
    const url = `postgres://${username}:${password}@${new URL(standby.url).host},${host}${pathname}?target_session_attrs=primary`;
    const shop = await givenShop(database);
    const api = startApi({ DATABASE_URL: url, ENCRYPTION_KEY });
    const worker = await startWorker({ url }, { PROCESSOR_CRON: '* * * * * *' });
    const headers = { authorization: `Basic ${shop.tokenAuth}`, 'content-type': 'application/json' };
    const create = async () => {
      const body = JSON.stringify({ FirstName: 'Ada' });
      return (await fetch(`${await api.url()}/api/Customers`, { method: 'POST', headers, body })).status;
    };
    const ready = async () => (await fetch(`${worker.url}/health/ready`)).status;
    expect([await create(), await ready()]).toEqual([201, 200]);

    // A worker that is led to the standby itself is never ready.
    const misled = await startWorker({ url: standby.url }, { PROCESSOR_CRON: '* * * * * *' });
    await until(() => misled.output().includes('The database cannot be written to: processing pauses until it can.'));
    expect((await fetch(`${misled.url}/health/ready`)).status).toBe(503);
    expect(misled.output()).not.toMatch(/ERROR/);
    misled.kill('SIGKILL');

    await database.dataSource.destroy();
    await primary.stop();
    expect(await create()).toBe(503);
    await until(async () => (await ready()) === 503);
    await standby.promote();
    await until(async () => (await create()) === 201);
    // It begins a new timeline: the worker compares the gateways with the ledger before it charges again.
    await until(() => worker.output().includes('The database was restored or promoted'));
    await until(async () => (await ready()) === 200);
    const promoted = await openDataSource({ url: standby.url });
    Object.assign(database, { dataSource: promoted });
  });
});
