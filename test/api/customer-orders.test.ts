import { useApi } from '../support/api.js';
import { itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const list = (customerId: number) => `/api/Customers/${customerId}/ScheduledOrders`;
const own = { 'own account': 200, 'another account': 403, 'own customer': 200, 'another customer': 403 };

describe("A customer's scheduled orders", () => {
  itReaches(api, database, [
    {
      route: 'GET /api/Customers/{customerId}/ScheduledOrders',
      path: ({ customerId }) => list(customerId),
      answers: own,
    },
    {
      route: 'GET /api/Customers/{customerId}/ScheduledOrders/PageCount',
      path: ({ customerId }) => `${list(customerId)}/PageCount`,
      answers: own,
    },
  ]);

  it('are listed 100 a page, this customer’s living ones only, as GET by id shows them', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const [ada, grace] = [await given.customer(siteId), await given.customer(siteId)];
    const empty = await api.request('GET', `${list(ada)}/PageCount`, { token });
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, currency_iso, schedule_anchor_utc)
       SELECT $1, $2, 'Pending', 'USD', now() FROM generate_series(1, 100)`,
      [siteId, ada],
    );
    const last = await given.scheduledOrder(siteId, ada);
    await given.scheduledOrder(siteId, ada, { deletedUtc: new Date() });
    await given.scheduledOrder(siteId, grace);

    const first = await api.request('GET', list(ada), { token });
    const second = await api.request('GET', `${list(ada)}?page=2`, { token });
    const shown = await api.request('GET', `/api/ScheduledOrders/${last}`, { token });
    const pages = await api.request('GET', `${list(ada)}/PageCount`, { token });
    expect([empty.body, pages.body]).toEqual([0, 2]);
    expect(first.body).toHaveLength(100);
    expect(second.body).toEqual([shown.body]);
  });

  it.each(['', '/PageCount'])('GET …/ScheduledOrders%s is 404 for a customer that is no more', async (path) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const gone = await given.customer(siteId, { deletedUtc: new Date() });
    expect((await api.request('GET', list(gone) + path, { token })).status).toBe(404);
  });

  it.each(['0', '-1', '2147483648', 'one'])('refuses the page %s', async (page) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', `${list(await given.customer(siteId))}?page=${page}`, { token });
    expect([status, body.errors[0].field]).toEqual([400, 'page']);
  });
});
