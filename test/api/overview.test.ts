import { type Json, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { ENCRYPTION_KEY, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const MINUTE = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

async function get<T = Json>(token: string, path: string): Promise<T> {
  const { status, body } = await api.request('GET', path, { token });
  expect([path, status, status === 200 ? null : body]).toEqual([path, 200, null]);
  return body as T;
}
const overview = (token: string, siteId: number) => get(token, `/api/Site/${siteId}/Overview`);

async function cycle(siteId: number, id: number, values: Record<string, unknown>) {
  const { state } = values;
  const open = ['Retrying', 'Waiting', 'Unknown', 'Charging'].includes(state as string);
  await given.insert('processing_cycles', {
    siteId,
    scheduledOrderId: id,
    cycle: 1,
    open,
    dueUtc: new Date(),
    ...values,
  });
}

let fact = 0;

/** So many orders in each state; `times` makes sites differ. */
async function givenSite(siteId: number, times: number) {
  const customerId = await given.customer(siteId);
  const order = (values: object) => given.scheduledOrder(siteId, customerId, { ...values });
  const each = async (count: number, work: (n: number) => Promise<unknown>) => {
    for (let n = 0; n < count * times; n++) await work(n);
  };
  await each(1, () => order({}));
  await each(2, () => order({ nextOccurrenceUtc: ago(4 * MINUTE) }));
  await each(3, () => order({ nextOccurrenceUtc: ago(6 * MINUTE) }));
  await each(1, () => order({ nextOccurrenceUtc: ago(6 * MINUTE), status: 'Paused' }));
  await each(1, () => order({ nextOccurrenceUtc: ago(6 * MINUTE), deletedUtc: new Date() }));
  await each(4, () => order({ nextOccurrenceUtc: ago(MINUTE), status: 'Pending' }));
  const inState = async (state: string, failureCode: number | null, values = {}) =>
    cycle(siteId, await order(values), { state, failureCode });
  await each(2, (n) => inState('Retrying', n % 2 === 0 ? 2000 : 2001));
  await each(1, () => inState('Waiting', 1003));
  await each(3, () => inState('Unknown', 2001));
  await each(1, () => inState('Failed', 2000, { status: 'Pending' }));
  // Taken by a worker, and not recorded: it is due all the same.
  await each(1, async () =>
    cycle(siteId, await order({ nextOccurrenceUtc: ago(MINUTE) }), { state: 'Charging', worker: 'w' }),
  );
  const orders = await database.query<{ id: string }>(
    `SELECT id FROM scheduled_orders WHERE site_id = $1 AND status = 'Active' AND deleted_utc IS NULL LIMIT 1`,
    [siteId],
  );
  const processed = (cycle: number, total: string, values: object = {}) =>
    given.order(siteId, customerId, {
      scheduledOrderId: orders[0]!.id,
      cycle: 100 + cycle,
      total,
      dateCreated: new Date(),
      currencyIso: 'USD',
      ...values,
    });
  await each(2, (n) => processed(n, '12.5'));
  await processed(90, '99', { dateCreated: ago(2 * 86_400_000) });
  await processed(91, '99', { deletedUtc: new Date() });
  await given.order(siteId, customerId, { total: '99', dateCreated: new Date() });
  const differs = (values: object) => given.difference(siteId, { fact: `${++fact}`, ...values });
  const heldId = orders[0]!.id;
  await each(2, () => differs({ createdUtc: ago(MINUTE) }));
  await each(1, () => differs({ kind: 'TwoCharges', holds: true, scheduledOrderId: heldId }));
  await each(1, () => differs({ kind: 'TransactionTwice', holds: true, scheduledOrderId: heldId }));
  await each(1, () => differs({ state: 'Settled', settledAs: 'Accepted', settledUtc: new Date() }));
  await each(2, () => given.push(siteId, customerId, { state: 'Differs' }));
  await each(1, () => given.push(siteId, customerId, { state: 'Failed' }));
  await each(3, () => given.push(siteId, customerId, { state: 'Unknown' }));
  await each(1, () => given.push(siteId, customerId, { state: 'Waiting' }));
  await given.shop(vault, siteId, { push: true, state: 'Refused' });
  for (const [status, failingSinceUtc, disabledReason] of [
    ['Enabled', ago(MINUTE), null],
    ['Disabled', ago(MINUTE), 'Nothing could be delivered for 5 days.'],
    ['Disabled', ago(MINUTE), null],
    ['Enabled', null, null],
  ] as const) {
    const { webhookEndpointId } = await given.webhook(vault, siteId);
    await database.query(
      `UPDATE webhook_endpoints SET status = $2, failing_since_utc = $3, disabled_reason = $4 WHERE id = $1`,
      [webhookEndpointId, status, failingSinceUtc, disabledReason],
    );
  }
}

describe('GET /api/Site/{siteId}/Overview', () => {
  it('has figures that are the counts of the lists that it names, and of no other site', async () => {
    const merchant = await given.merchant();
    const { tokenAuth: token } = merchant;
    const sites = [merchant.siteId, await given.site(merchant.userId)];
    for (const [index, siteId] of sites.entries()) await givenSite(siteId, index + 1);
    for (const [index, siteId] of sites.entries()) {
      const times = index + 1;
      const found = await overview(token, siteId);
      expect(found).toEqual({
        AsOfUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        Due: 6 * times,
        Overdue: 3 * times,
        Retrying: 2 * times,
        Waiting: times,
        Unknown: 3 * times,
        Pending: 5 * times,
        Differences: 4 * times,
        HeldOrders: 1,
        OldestDifferenceUtc: expect.any(String),
        PushesThatDiffer: 2 * times,
        PushesFailed: times,
        PushesUnknown: 3 * times,
        PushesWaiting: times,
        ShopState: 'Refused',
        More: [],
        EndpointsFailing: 2,
        Today: [{ CurrencyIso: 'USD', Processed: 2 * times, Charged: 2_500 * times, Failed: times }],
        Links: expect.any(Object),
      });
      const { Links, More: _, AsOfUtc, EndpointsFailing, ShopState: __, Today, ...others } = found;
      const { Differences, HeldOrders, OldestDifferenceUtc, ...figures } = others;
      const open = await get<{ Kind: string; ScheduledOrderId: number | null; CreatedUtc: string }[]>(
        token,
        Links.Differences as string,
      );
      expect([open.length, open.at(-1)!.CreatedUtc]).toEqual([Differences, OldestDifferenceUtc]);
      expect(new Set(open.map(({ ScheduledOrderId: id }) => id).filter((id) => id !== null)).size).toBe(HeldOrders);
      for (const [name, figure] of Object.entries(figures)) {
        const path = Links[name] as string;
        const counted = await get(token, path.replace('?', '/Count?'));
        expect({ [name]: counted }).toEqual({ [name]: { Count: figure, IsMore: false } });
        expect(await get(token, path)).toHaveLength(figure as number);
      }
      expect(Object.keys(Links).sort()).toEqual(
        [...Object.keys(figures), 'Differences', 'EndpointsFailing', 'Today'].sort(),
      );
      const endpoints = await get<{ SiteId: number }[]>(token, Links.EndpointsFailing as string);
      expect(endpoints.map(({ SiteId }) => SiteId)).toEqual(Array(EndpointsFailing).fill(siteId));
      const [{ CurrencyIso, Processed, Failed }] = Today;
      const day = (AsOfUtc as string).slice(0, 10);
      expect(await get(token, Links.Today)).toEqual([
        expect.objectContaining({ Day: day, CurrencyIso, Processed, Failed }),
      ]);
    }
  });

  it('counts up to 10,000, and says what is more', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc)
       SELECT $1, $2, 'Pending', 'USD', now() FROM generate_series(1, 10001)`,
      [siteId, customerId],
    );
    const found = await overview(token, siteId);
    expect([found.Pending, found.More]).toEqual([10_000, ['Pending']]);
    expect(await get(token, (found.Links.Pending as string).replace('?', '/Count?'))).toEqual({
      Count: 10_000,
      IsMore: true,
    });
    await database.query(
      `DELETE FROM scheduled_orders WHERE id = (SELECT min(id) FROM scheduled_orders WHERE site_id = $1)`,
      [siteId],
    );
    const fewer = await overview(token, siteId);
    expect([fewer.Pending, fewer.More]).toEqual([10_000, []]);
  });

  it('is empty for a new shop', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    expect(await overview(token, siteId)).toMatchObject({
      ...{ Due: 0, Pending: 0, EndpointsFailing: 0, Today: [] },
      ...{ Differences: 0, HeldOrders: 0, OldestDifferenceUtc: null },
      ...{ PushesThatDiffer: 0, PushesFailed: 0, PushesUnknown: 0, PushesWaiting: 0, ShopState: null },
    });
  });

  it('takes no parameter, and is of a site that is there', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    expect((await api.request('GET', `/api/Site/${siteId}/Overview?From=x`, { token })).status).toBe(400);
    expect((await api.request('GET', `/api/Site/999999999/Overview`, { token })).status).toBe(404);
  });
});

describe('GET /api/WebhookEndpoints?SiteId=&Failing=', () => {
  it('refuses another’s site, and what is not true', async () => {
    const [own, other] = [await given.merchant(), await given.merchant()];
    const status = async (query: string) =>
      (await api.request('GET', `/api/WebhookEndpoints?${query}`, { token: own.tokenAuth })).status;
    expect(await status(`SiteId=${other.siteId}`)).toBe(403);
    expect(await status(`SiteId=${other.siteId}&Failing=true`)).toBe(403);
    expect(await status('Failing=yes')).toBe(400);
    expect(await status('SiteId=0')).toBe(400);
    expect(await status(`SiteId=${own.siteId}&page=1&Failing=true`)).toBe(200);
  });
});
