import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, { MAX_LIST_STREAMS: '4' });
const given = givenIn(database);

it('A calendar counts as a whole list while it is calculated, and ends when its client goes away', async () => {
  const { tokenAuth: token, siteId } = await given.merchant();
  const customerId = await given.customer(siteId);
  for (let n = 0; n < 3; n++)
    await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: new Date('2040-01-01') });
  const path = `/api/Site/${siteId}/Calendar?From=2040-01-01&To=2040-01-02`;
  const waiting = () =>
    database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%FROM orders w%'`,
    );
  const gone = new AbortController();
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`LOCK TABLE orders IN ACCESS EXCLUSIVE MODE`);
  const first = fetch(api.url + path, { headers: { authorization: `Basic ${token}` }, signal: gone.signal });
  await until(async () => (await waiting()).length > 0);
  const second = await api.request('GET', path, { token });
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await api.request('GET', path, { token, headers: { accept: 'text/csv' } })).status).toBe(503);
  gone.abort();
  await expect(first).rejects.toThrow('aborted');
  await runner.rollbackTransaction();
  await runner.release();
  const third = await until(async () => {
    const answer = await api.request('GET', path, { token });
    return answer.status === 200 ? answer : null;
  });
  expect(third.body).toMatchObject([{ Due: 3 }]);
});
