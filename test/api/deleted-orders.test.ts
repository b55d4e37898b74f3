import { FilteredList } from '#libs/records';
import { deletedOrderFilters, deletedOrderSort } from '../../apps/api/src/scheduled-orders/filters/deleted-orders.js';
import type { OrderFilters } from '../../apps/api/src/scheduled-orders/filters/order-query.js';
import { describeInAllCases } from '../support/all-cases.js';
import { type Json, useApi } from '../support/api.js';
import { allPages, csv, idsOf, lineIds } from '../support/api/lists.js';
import { givenKeys, givenWorld } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { explain, nodesOf, pagesOf, scannedBy } from '../support/sql/query-plan.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

const LIST = '/api/ScheduledOrders?Deleted=true';
interface Known {
  id: number;
  siteId: number;
  customerId: number;
  status: string;
  next: Date | null;
}

const DAY = 86_400_000;
const START = Date.UTC(2030, 0, 1);
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

async function givenShop() {
  const merchant = await given.merchant();
  const sites = [merchant.siteId, await given.site(merchant.userId)];
  const customers: [number, number][] = [];
  for (const [index, email] of ['ada@a.example', 'grace@a.example', 'ada@b.example'].entries()) {
    const siteId = pick(sites, index);
    customers.push([siteId, await given.customer(siteId, { email })]);
  }
  const [deleted, living]: [Known[], number[]] = [[], []];
  for (let n = 0; n < 45; n++) {
    const [siteId, customerId] = pick(customers, n * 5);
    const status = pick(['Active', 'Paused', 'Active', 'Pending'], n);
    const next = status !== 'Active' && n % 3 === 0 ? null : new Date(START + ((n * 13) % 7) * DAY);
    const isDeleted = n % 3 !== 1;
    const values = { status, nextOccurrenceUtc: next, deletedUtc: isDeleted ? new Date() : null };
    const id = await given.scheduledOrder(siteId, customerId, values);
    if (isDeleted) deleted.push({ id, siteId, customerId, status, next });
    else living.push(id);
  }
  return { ...merchant, token: merchant.tokenAuth, sites, customers, deleted, living };
}

describe('GET /api/ScheduledOrders?Deleted=true', () => {
  it('answers every question in every order, page by page, as a table and as a count', async () => {
    const { token, sites, customers, deleted } = await givenShop();
    const to = new Date(START + 4 * DAY);
    const [, ada] = customers[0]!;
    const adas = [ada, customers[2]![1]];
    const questions: [string, (order: Known) => boolean][] = [
      ['', () => true],
      [`&SiteId=${sites[1]}`, ({ siteId }) => siteId === sites[1]],
      [`&CustomerId=${ada}`, ({ customerId }) => customerId === ada],
      [`&CustomerId=${ada}&Status=Paused`, ({ customerId, status }) => customerId === ada && status === 'Paused'],
      ['&Status=Pending', ({ status }) => status === 'Pending'],
      ['&Status=Active', ({ status }) => status === 'Active'],
      ['&q=ADA@', ({ customerId }) => adas.includes(customerId)],
      [`&q=${deleted[3]!.id}`, ({ id }) => id === deleted[3]!.id],
      ['&q=nobody', () => false],
      ['&NextFrom=2030-01-03', ({ next }) => next !== null && next.getTime() >= START + 2 * DAY],
      [
        `&NextTo=${to.toISOString()}&Status=Active`,
        ({ next, status }) => next !== null && next < to && status === 'Active',
      ],
    ];
    const nextMs = ({ next }: Known) => next?.getTime() ?? Infinity;
    const byNext = (one: Known, other: Known) =>
      (nextMs(one) === nextMs(other) ? 0 : nextMs(one) - nextMs(other)) || one.id - other.id;
    const sorts: [string, (one: Known, other: Known) => number][] = [
      ['Id', (one, other) => one.id - other.id],
      ['-Id', (one, other) => other.id - one.id],
      ['NextOccurrenceUtc', byNext],
      ['-NextOccurrenceUtc', (one, other) => byNext(other, one)],
    ];
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const [question, passes] of questions) {
      for (const [sort, compare] of sorts) {
        const ids = deleted
          .filter(passes)
          .sort(compare)
          .map(({ id }) => id);
        found.push([question, sort, (await allPages(api, token, `${LIST}${question}&sort=${sort}&limit=4`)).flat()]);
        expected.push([question, sort, ids]);
      }
      const ids = deleted.filter(passes).map(({ id }) => id);
      const counted = await api.request('GET', `/api/ScheduledOrders/Count?Deleted=true${question}`, { token });
      const table = await api.request('GET', `${LIST}${question}`, csv(token));
      found.push([question, counted.body, lineIds(table.body)]);
      expected.push([question, { Count: ids.length, IsMore: false }, ids]);
    }
    expect(found).toEqual(expected);
  });

  it('leaves all other lists as they are, which is Deleted=false', async () => {
    const { token, living } = await givenShop();
    const plain = await api.request('GET', '/api/ScheduledOrders', { token });
    const filtered = await api.request('GET', '/api/ScheduledOrders?Deleted=false', { token });
    expect([idsOf(plain.body), JSON.stringify(filtered.body)]).toEqual([living, JSON.stringify(plain.body)]);
    const counted = await api.request('GET', '/api/ScheduledOrders/Count?Deleted=false', { token });
    expect(counted.body.Count).toBe(living.length);
    const other = await api.request('GET', '/api/Products?Deleted=true', { token });
    expect(other.status).toBe(400);
  });

  it('has the order as it was, with the items that were deleted with it, however many', async () => {
    const { token, siteId, customerId, ProductId, create, remove } = await shop();
    const order = await create({
      CustomerId: customerId,
      ScheduledOrderItems: [{ ProductId }, { ProductId, Quantity: 2 }],
    });
    const [gone, kept] = order.ScheduledOrderItems;
    await remove(`/api/ScheduledOrderItems/${gone.Id}`);
    const before = (await api.request('GET', `/api/ScheduledOrders/${order.Id}`, { token })).body;
    const large = await given.scheduledOrder(siteId, customerId);
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity) SELECT $1, $2, $3, 1, 1 FROM generate_series(1, 700)`,
      [siteId, large, ProductId],
    );
    for (const id of [order.Id, large]) await remove(`/api/ScheduledOrders/${id}`);
    const { body } = await api.request('GET', LIST, { token });
    expect(body[0]).toEqual({
      ...before,
      ScheduledOrderItems: [{ ...kept, UpdatedUtc: expect.any(String) }],
      UpdatedUtc: expect.any(String),
    });
    expect([body[1].Id, body[1].ScheduledOrderItems.length, body.length]).toEqual([large, 700, 2]);
  });

  it('has the orders of a deleted customer, with it, also by CustomerId', async () => {
    const { token, customerId, ProductId, create, remove } = await shop();
    const { Id } = await create({ CustomerId: customerId, ScheduledOrderItems: [{ ProductId }] });
    await remove(`/api/Customers/${customerId}`);
    for (const question of ['', `&CustomerId=${customerId}`]) {
      const { body } = await api.request('GET', LIST + question, { token });
      expect([question, body]).toMatchObject([
        question,
        [{ Id, Customer: { Id: customerId }, ScheduledOrderItems: [{ ProductId }] }],
      ]);
    }
    expect((await api.request('GET', `/api/ScheduledOrders/${Id}`, { token })).status).toBe(404);
  });

  it('is for the shop alone, and of its own sites', async () => {
    const world = await givenWorld(database);
    const keys = await givenKeys(database, world);
    const { siteId, customerId } = world;
    const id = await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
    const may: Record<string, number[] | number> = {
      'own account': [id],
      'a key of its site': [id],
      'a Read key of its site': [id],
      'a key of several sites': [id],
      'own customer': 403,
      'another customer': 403,
      'another account': [],
      'a key of another account': [],
      'a key of another site': [],
      'a Read key of another site': [],
      'no token': 401,
      'an expired token': 401,
      'a revoked key': 401,
      'an expired key': 401,
    };
    const tokens = { ...world.tokens, ...keys } as Record<string, string | undefined>;
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const [caller, ids] of Object.entries(may)) {
      const token = tokens[caller];
      for (const question of [
        '',
        '&q=customer',
        `&q=${id}`,
        `&CustomerId=${customerId}`,
        '&sort=NextOccurrenceUtc',
        '&Status=Active',
      ]) {
        const list = await api.request('GET', LIST + question, { token });
        const table = await api.request('GET', LIST + question, csv(token));
        const count = await api.request(
          'GET',
          `/api/ScheduledOrders/Count?Deleted=true${question.replace(/&sort=.*/, '')}`,
          { token },
        );
        found.push([
          caller,
          question,
          list.status === 200 ? idsOf(list.body) : list.status,
          table.status === 200 ? lineIds(table.body) : table.status,
          count.status === 200 ? count.body.Count : count.status,
        ]);
        expected.push([caller, question, ids, ids, Array.isArray(ids) ? ids.length : ids]);
      }
      const ofSite = await api.request('GET', `${LIST}&SiteId=${siteId}`, { token });
      const wanted = Array.isArray(ids) && ids.length === 0 ? 403 : ids;
      found.push([caller, ofSite.status === 200 ? idsOf(ofSite.body) : ofSite.status]);
      expected.push([caller, wanted]);
    }
    expect(found).toEqual(expected);
    const refused = await api.request('GET', LIST, { token: world.tokens['own customer'] });
    expect(refused.body.detail).toBe('Deleted=true takes a Merchant token, or an API key.');
    const living = await api.request('GET', '/api/ScheduledOrders?Deleted=false', {
      token: world.tokens['own customer'],
    });
    expect([living.status, living.body]).toEqual([200, []]);
  });

  const TOGETHER = 'cannot be sent with Deleted=true: send SiteId, CustomerId, Status, NextFrom, NextTo or q.';
  it.each([
    ['Deleted=yes', 'Deleted', '"yes" must be one of true, false.'],
    ['Deleted=true&Deleted=true', 'Deleted', 'A list must be one of true, false.'],
    ['Deleted=true&ProductId=1', 'ProductId', TOGETHER],
    ['Deleted=true&Problem=2000', 'Problem', TOGETHER],
    ['Deleted=true&page=1', 'page', '"1" cannot be sent with the other parameters: use limit and cursor.'],
  ])('%s is 400', async (query, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', `/api/ScheduledOrders?${query}`, { token });
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });
});

/** A merchant with a customer and a product, over HTTP. */
async function shop() {
  const { siteId, tokenAuth: token } = await given.merchant();
  const customerId = await given.customer(siteId);
  const ProductId = await given.product(siteId);
  const request = async (method: string, path: string, body?: object) => {
    const answered = await api.request(method, path, { token, body });
    if (answered.status >= 300) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body as Record<string, Json>;
  };
  return {
    token,
    siteId,
    customerId,
    ProductId,
    create: (order: object) =>
      request('POST', '/api/ScheduledOrders', { FrequencyType: 'Days', Frequency: 7, ...order }),
    remove: (path: string) => request('DELETE', path),
  };
}

describeInAllCases('A list of many deleted orders', () => {
  const NOTHING: OrderFilters = {
    status: null,
    customerId: null,
    productId: null,
    externalId: null,
    next: { from: null, to: null },
    problem: null,
    isDeleted: true,
  };

  it('reads its pages by the indexes of deleted orders', async () => {
    const { siteId } = await given.merchant();
    const [customerId] = [await given.customer(siteId, { email: 'rare@mail.example' }), await given.customer(siteId)];
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc, deleted_utc)
       SELECT $1, CASE WHEN n % 1000 = 0 THEN $2::bigint ELSE $2 + 1 END, CASE WHEN n % 500 = 0 THEN 'Paused' ELSE 'Active' END, 'Months', 1, 'USD', now(),
         now() + n * interval '1 minute', CASE WHEN n % 2 = 0 THEN now() END FROM generate_series(1, 30000) n`,
      [siteId, customerId],
    );
    await database.query(`VACUUM ANALYZE scheduled_orders, customers`);
    const questions: [string, Partial<OrderFilters>, string?][] = [
      ['none', {}],
      ['Status', { status: 'Paused' }],
      ['CustomerId', { customerId }],
      ['q', {}, 'rare@'],
      ['Next', { next: { from: new Date(Date.now() + DAY), to: new Date(Date.now() + 2 * DAY) } }],
    ];
    const dear: unknown[] = [];
    const used = new Set<string>();
    for (const [name, filter, text] of questions) {
      for (const sort of ['Id', '-Id', 'NextOccurrenceUtc', '-NextOccurrenceUtc']) {
        const filters = { ...NOTHING, ...filter };
        const order = { name: sort.replace('-', ''), isDescending: sort.startsWith('-') };
        const q = text === undefined ? null : { text, id: null };
        const ownedBy = (alias: string, id: string) => `${alias}.customer_id = ${id}`;
        const execute = async <Row extends object>(statement: unknown, values?: unknown[]): Promise<Row[]> => {
          const { plan } = await explain(database, statement as string, values);
          for (const node of nodesOf(plan)) if (node['Index Name'] !== undefined) used.add(node['Index Name']);
          const pages = pagesOf(plan);
          const scanned = scannedBy(plan).filter((table) => table !== 'customers');
          if (pages > 5_000 || scanned.length > 0) dear.push({ name, sort, pages, scanned });
          return database.pool.execute<Row>(statement as string, values);
        };
        const list = new FilteredList(
          { execute },
          {
            table: 'scheduled_orders',
            reach: [null, null, siteId, null],
            filters: deletedOrderFilters({ siteId: null, q, filters }, ownedBy, order),
            sort: deletedOrderSort(order, filters),
            isOfDeleted: true,
          },
        );
        const page = await list.page(null, 100);
        expect([name, sort, page.ids.length]).toEqual([name, sort, { CustomerId: 30, q: 30, Status: 60 }[name] ?? 100]);
        if (page.last !== null) await list.page(page.last, 100);
        await list.count();
      }
    }
    expect(dear).toEqual([]);
    expect([...used]).toEqual(
      expect.arrayContaining([
        'ix_scheduled_orders_deleted',
        'ix_scheduled_orders_deleted_id',
        'ix_scheduled_orders_deleted_customer',
      ]),
    );
  });
});
