import { get } from 'node:http';
import { writeEvent } from '#libs/events';
import { Places } from '../../apps/api/src/http/load/places.js';
import { itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { endApis, startApi } from '../support/api-process.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents } from '../support/events/events.js';
import { given, type GivenMerchant } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database, {
  RATE_LIMIT_PER_SECOND: '0',
  MAX_EVENT_POLLS: '4',
});

afterEach(endApis);

async function tell(siteId: number, count = 1, type: 'order.created' | 'scheduled_order.created' = 'order.created') {
  for (let OrderId = 1; OrderId <= count; OrderId++)
    await database.pool.transaction((tx) => writeEvent(tx, { siteId, type, facts: { OrderId } }));
  return eventsOf(database, siteId);
}

async function givenListener(): Promise<GivenMerchant> {
  const merchant = await given(database).merchant();
  await keepEvents(database, merchant.siteId);
  return merchant;
}

const list = (token: string, query = '') => api.request('GET', `/api/Events${query}`, { token });

describe('GET /api/Events', () => {
  it('lists the events of the caller’s sites after a number, at most so many, and names what follows', async () => {
    const { siteId, userId, tokenAuth } = await givenListener();
    const second = await given(database).site(userId);
    await keepEvents(database, second);
    await tell((await givenListener()).siteId, 2);
    const published = [...(await tell(siteId, 3)), ...(await tell(second, 2))];
    expect((await list(tokenAuth)).body).toEqual(published);
    const [, , third, fourth] = published;
    const answer = await list(tokenAuth, `?After=${third!.Sequence}&limit=1`);
    expect(answer.body).toEqual([fourth]);
    expect(answer.headers.get('link')).toBe(`</api/Events?After=${fourth!.Sequence}&limit=1>; rel="next"`);
    expect(fourth).toEqual({
      Sequence: fourth!.Sequence,
      Id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/) as string,
      Type: 'order.created',
      TimestampUtc: expect.stringMatching(/Z$/) as string,
      Data: {
        Sequence: fourth!.Sequence,
        SiteId: second,
        ScheduledOrderId: null,
        Cycle: null,
        OrderId: 1,
        Amount: null,
        CurrencyIso: null,
        Simulated: false,
      },
    });
  });

  it('lists only the types that were asked for; the link skips what was looked through', async () => {
    const { siteId, tokenAuth } = await givenListener();
    await tell(siteId, 2, 'scheduled_order.created');
    const published = await tell(siteId, 2);
    expect((await list(tokenAuth, '?Types=order.created')).body).toEqual(published.slice(2));
    expect((await list(tokenAuth, '?Types=order.*,scheduled_order.created')).body).toEqual(published);
    const none = await list(tokenAuth, '?Types=scheduled_order.upcoming');
    expect([none.status, none.body]).toEqual([200, []]);
    const after = published.at(-1)!.Sequence;
    expect(none.headers.get('link')).toBe(
      `</api/Events?After=${after}&limit=100&Types=scheduled_order.upcoming>; rel="next"`,
    );
  });

  it.each([
    ['After=-1', 'After', '"-1" must be an integer from 0 to 9007199254740991.'],
    ['After=x', 'After', '"x" must be an integer from 0 to 9007199254740991.'],
    ['limit=0', 'limit', '"0" must be an integer from 1 to 500.'],
    ['limit=501', 'limit', '"501" must be an integer from 1 to 500.'],
    ['limit=1&limit=2', 'limit', 'A list must be an integer from 1 to 500.'],
    ['WaitSeconds=26', 'WaitSeconds', '"26" must be an integer from 0 to 25.'],
    ['WaitSeconds=1.5', 'WaitSeconds', '"1.5" must be an integer from 0 to 25.'],
    [
      'Types=order.create',
      'Types',
      '"order.create" must be a type of event, or a prefix such as scheduled_order.*. Did you mean order.created?',
    ],
    ['Types=a&Types=b', 'Types', 'must be sent once, with its types separated by commas.'],
    [
      'Types=nothing.*',
      'Types',
      '"nothing.*" must be a type of event, or a prefix such as scheduled_order.*. docs/events.md lists them.',
    ],
    [
      `Types=${Array.from({ length: 51 }, () => 'order.created').join()}`,
      'Types',
      '51 types are too many: send at most 50, or prefixes such as order.*.',
    ],
    ['after=1', 'after', expect.stringContaining('Did you mean After?')],
  ] as const)('refuses %s', async (query, field, message) => {
    const { tokenAuth } = await givenListener();
    const { status, body } = await list(tokenAuth, `?${query}`);
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });

  it('refuses a number that no event has', async () => {
    const { siteId, tokenAuth } = await givenListener();
    await tell(siteId);
    const { status, body } = await list(tokenAuth, '?After=900000000');
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(/^900000000 is beyond the newest event, \d+: /);
  });

  it('says how when no site of the account listens: 409; from then on it lists', async () => {
    const { siteId, tokenAuth } = await given(database).merchant();
    const path = `/api/Site/${siteId}/Settings`;
    await tell(siteId);
    const refused = await list(tokenAuth);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'No events are kept for your sites: set KeepEvents to true with PUT /api/Site/{siteId}/Settings, or create a webhook endpoint. Events are kept from then on.',
    ]);
    const on = await api.request('PUT', path, { token: tokenAuth, body: { KeepEvents: true, UpcomingNoticeDays: 7 } });
    expect(on.body).toMatchObject({ KeepEvents: true, UpcomingNoticeDays: 7, Prices: 'Net' });
    expect((await list(tokenAuth)).body).toEqual([]);
    const published = await tell(siteId);
    expect((await list(tokenAuth)).body).toEqual(published);
    await api.request('PUT', path, { token: tokenAuth, body: { KeepEvents: false } });
    expect((await list(tokenAuth)).status).toBe(409);
    await tell(siteId);
    expect(await eventsOf(database, siteId)).toEqual(published);
  });

  it.each([[-1], [61], [1.5], [null]])('takes no UpcomingNoticeDays of %p', async (UpcomingNoticeDays) => {
    const { siteId, tokenAuth } = await given(database).merchant();
    const path = `/api/Site/${siteId}/Settings`;
    const { status, body } = await api.request('PUT', path, { token: tokenAuth, body: { UpcomingNoticeDays } });
    expect([status, body.errors[0].field]).toEqual([400, 'UpcomingNoticeDays']);
  });

  it('refuses a Customer token, and no token', async () => {
    const { siteId, userId } = await givenListener();
    const customerId = await given(database).customer(siteId);
    expect((await list(await given(database).token(userId, { customerId }))).status).toBe(403);
    expect((await api.request('GET', '/api/Events')).status).toBe(401);
  });

  describe('with WaitSeconds', () => {
    const take = jest.spyOn(Places.prototype, 'take');
    beforeEach(() => take.mockClear());
    afterAll(() => take.mockRestore());
    /** How many requests of this test have begun to wait. */
    const waits = () => take.mock.results.filter(({ type }) => type === 'return').length;

    it('answers as soon as an event of the caller’s sites and types is there', async () => {
      const { siteId, tokenAuth } = await givenListener();
      const other = await givenListener();
      const started = Date.now();
      const waiting = list(tokenAuth, '?WaitSeconds=25&Types=order.created');
      await until(() => waits() === 1);
      await tell(other.siteId);
      await tell(siteId, 1, 'scheduled_order.created');
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const published = await tell(siteId);
      expect((await waiting).body).toEqual(published.slice(1));
      expect(Date.now() - started).toBeLessThan(25_000);
    });

    itInAllCases('answers an empty array when the time is over', async () => {
      const { tokenAuth } = await givenListener();
      const started = Date.now();
      const { status, body } = await list(tokenAuth, '?WaitSeconds=1');
      expect([status, body]).toEqual([200, []]);
      expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    });

    it('lets only so many wait, of one account with any keys and of all: 503; who leaves makes room, and others are not delayed', async () => {
      const [one, other, third] = [await givenListener(), await givenListener(), await givenListener()];
      // Without an agent: fetch would connect again after it has left.
      const wait = (token: string) =>
        get(`${api.url}/api/Events?WaitSeconds=25`, { agent: false, headers: { authorization: `Basic ${token}` } }).on(
          'error',
          () => undefined,
        );
      const keyOf = async ({ userId, siteId }: GivenMerchant) =>
        (await given(database).apiKey(userId, [siteId], { access: 'Read' })).value;
      const polls = [wait(await keyOf(one)), wait(await keyOf(one))];
      await until(() => waits() === 2);
      const one3 = await list(await keyOf(one), '?WaitSeconds=1');
      expect([one3.status, one3.headers.get('retry-after'), one3.body.detail]).toEqual([
        503,
        '5',
        'This account has 2 requests that wait for events already: let one reader wait, or ask again later without WaitSeconds.',
      ]);
      expect((await list(one.tokenAuth)).status).toBe(200);
      polls.push(wait(await keyOf(other)));
      await until(() => waits() === 3);
      expect((await list(other.tokenAuth, '?WaitSeconds=1')).body.detail).toBe(
        'This account has 1 requests that wait for events already, and others wait: let one reader wait, or ask again later without WaitSeconds.',
      );
      polls.push(wait(third.tokenAuth));
      await until(() => waits() === 4);
      const full = await list((await givenListener()).tokenAuth, '?WaitSeconds=1');
      expect([full.status, full.body.detail]).toEqual([
        503,
        'All 4 places for requests that wait for events are taken: let one reader wait, or ask again later without WaitSeconds.',
      ]);
      // One looks for all of them. Another may be about to end its statement, but they wait for much longer than this.
      await until(async () => {
        const busy = await database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
             AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        return busy.length <= 1;
      }, 10_000);
      for (const poll of polls) poll.destroy();
      // Well before they would have ended by themselves.
      await until(async () => (await list(one.tokenAuth, '?WaitSeconds=1')).status === 200, 20_000);
    });

    itInAllCases('ends at once when the process stops', async () => {
      const { tokenAuth } = await givenListener();
      const stopping = startApi({ DATABASE_URL: database.url });
      const headers = { authorization: `Basic ${tokenAuth}`, connection: 'close' };
      const waiting = fetch(`${await stopping.url()}/api/Events?WaitSeconds=25`, { headers });
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const started = Date.now();
      stopping.child.kill('SIGTERM');
      const answer = await waiting;
      expect([answer.status, await answer.json()]).toEqual([200, []]);
      expect(await stopping.exited).toBe(0);
      // It would have waited for 22 more.
      expect(Date.now() - started).toBeLessThan(20_000);
    });
  });
});
