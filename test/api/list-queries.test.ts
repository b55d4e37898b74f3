import { parse } from 'csv-parse/sync';
import { ALL_CASES } from '../support/all-cases.js';
import { nextLink, useApi } from '../support/api.js';
import { allPages, csv, idsOf, lineIds } from '../support/api/lists.js';
import { givenKeys, givenWorld } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
const given = givenIn(database);

interface Known {
  id: number;
  siteId: number;
  customerId: number;
  status: string;
  next: Date | null;
  productIds: number[];
  email: string;
  lastName: string;
  externalId: string;
  /** The newest cycle. */
  cycle: { state: string; code: number | null } | null;
}

const DAY = 86_400_000;
const START = Date.UTC(2030, 0, 1);
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

const CYCLES = [
  null,
  { state: 'Completed', code: null },
  { state: 'Retrying', code: 2000 },
  { state: 'Failed', code: 2000 },
  { state: 'Waiting', code: 1003 },
  { state: 'Unknown', code: 2001 },
  { state: 'Skipped', code: 2000 },
  { state: 'Failed', code: null },
  { state: 'Failed', code: 1001 },
] as const;

async function insertCycle(
  siteId: number,
  id: number,
  cycle: number,
  { state, code }: { state: string; code: number | null },
) {
  const open = ['Retrying', 'Waiting', 'Unknown'].includes(state);
  const orderId = state === 'Completed' ? 1 : null;
  await database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, failure_code, order_id)
     VALUES ($1, $2, $3, $4, $5, now(), $6, $7)`,
    [siteId, id, cycle, state, open, code, orderId],
  );
}

/** An account with two sites whose orders differ in everything that can be asked for. */
async function givenShop() {
  const merchant = await given.merchant();
  const sites = [merchant.siteId, await given.site(merchant.userId)];
  const customers: Pick<Known, 'customerId' | 'siteId' | 'email' | 'lastName' | 'externalId'>[] = [];
  for (const [index, lastName] of ['Lovelace', 'lovell', 'Öz_%', 'Hopper'].entries()) {
    const siteId = pick(sites, index);
    const [email, externalId] = [`${pick(['Ada', 'ada.b', 'grace'], index)}@mail.example`, `shop-${index}`];
    customers.push({
      customerId: await given.customer(siteId, { email, lastName, externalId }),
      siteId,
      email,
      lastName,
      externalId,
    });
  }
  const products = new Map<number, number[]>();
  for (const siteId of sites) products.set(siteId, [await given.product(siteId), await given.product(siteId)]);
  const orders: Known[] = [];
  for (let n = 0; n < 60; n++) {
    const customer = pick(customers, n * 7);
    const status = pick(['Active', 'Paused', 'Active', 'Pending'], n);
    // Some fall due at the same moment, some never.
    const next = status !== 'Active' && n % 3 === 0 ? null : new Date(START + ((n * 13) % 11) * DAY);
    const id = await given.scheduledOrder(customer.siteId, customer.customerId, { status, nextOccurrenceUtc: next });
    const productIds = products.get(customer.siteId)!.filter((_, index) => (n >> index) % 2 === 0);
    for (const productId of [...productIds, ...productIds.slice(0, 1)])
      await given.item(customer.siteId, id, productId);
    const cycle = pick(CYCLES, n * 5);
    if (n % 4 === 0) await insertCycle(customer.siteId, id, 1, { state: 'Failed', code: 1004 });
    if (cycle !== null) await insertCycle(customer.siteId, id, 2, cycle);
    const newest = cycle ?? (n % 4 === 0 ? { state: 'Failed', code: 1004 } : null);
    orders.push({ ...customer, id, status, next, productIds, cycle: newest });
  }
  const deleted = await given.scheduledOrder(sites[0]!, customers[0]!.customerId, { deletedUtc: new Date() });
  await given.item(sites[0]!, deleted, products.get(sites[0]!)![0]!);
  return { ...merchant, sites, customers, products, orders };
}

type Shop = Awaited<ReturnType<typeof givenShop>>;

const begins = (value: string, text: string) => value.toLowerCase().startsWith(text.toLowerCase());
const found = (order: Known, text: string) =>
  String(order.id) === text || order.externalId === text || begins(order.email, text) || begins(order.lastName, text);
const isProblem = ({ cycle }: Known, problem: string) =>
  cycle !== null &&
  cycle.code !== null &&
  cycle.state !== 'Skipped' &&
  [cycle.state, String(cycle.code)].includes(problem);

/** Each question, and its answer without any of the service's code. */
const questions = (shop: Shop): [string, (order: Known) => boolean][] => {
  const from = new Date(START + 3 * DAY);
  const to = new Date(START + 6 * DAY);
  return [
    [`SiteId=${shop.sites[1]}`, ({ siteId }) => siteId === shop.sites[1]],
    ['Status=Active', ({ status }) => status === 'Active'],
    ['Status=Paused', ({ status }) => status === 'Paused'],
    ['Status=Pending&q=ada', (order) => order.status === 'Pending' && found(order, 'ada')],
    [`CustomerId=${shop.customers[1]!.customerId}`, ({ customerId }) => customerId === shop.customers[1]!.customerId],
    [`CustomerId=999999999`, () => false],
    [
      `ProductId=${shop.products.get(shop.sites[0]!)![0]}`,
      ({ productIds }) => productIds.includes(shop.products.get(shop.sites[0]!)![0]!),
    ],
    [`NextFrom=${from.toISOString()}`, ({ next }) => next !== null && next >= from],
    [`NextTo=2030-01-07`, ({ next }) => next !== null && next < to],
    [
      `NextFrom=${from.toISOString()}&NextTo=${to.toISOString()}`,
      ({ next }) => next !== null && next >= from && next < to,
    ],
    [`NextFrom=2030-01-04&Status=Paused`, ({ next, status }) => next !== null && next >= from && status === 'Paused'],
    ...['Retrying', 'Waiting', 'Unknown', 'Failed', '2000', '1001', '1004', '2001', '1005'].map(
      (problem): [string, (order: Known) => boolean] => [`Problem=${problem}`, (order) => isProblem(order, problem)],
    ),
    ['Problem=2000&Status=Active', (order) => isProblem(order, '2000') && order.status === 'Active'],
    ...['ADA', 'ada.b', 'love', 'lovelace', 'öz_%', 'shop-3', 'shop', '%', String(shop.orders[5]!.id)].map(
      (text): [string, (order: Known) => boolean] => [`q=${encodeURIComponent(text)}`, (order) => found(order, text)],
    ),
  ];
};

const nextMs = ({ next }: Known) => next?.getTime() ?? Infinity;
const byNext = (one: Known, other: Known) =>
  (nextMs(one) === nextMs(other) ? 0 : nextMs(one) - nextMs(other)) || one.id - other.id;
const SORTS: [string, (one: Known, other: Known) => number][] = [
  ['Id', (one, other) => one.id - other.id],
  ['-Id', (one, other) => other.id - one.id],
  ['NextOccurrenceUtc', byNext],
  ['-NextOccurrenceUtc', (one, other) => byNext(other, one)],
];

/** Records of a page: fewer of them are more pages of the same list. */
const PAGE = ALL_CASES ? 7 : 17;

describe('A list of scheduled orders', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await givenShop();
  });

  it('answers every question in every order, page by page, as a table and as a count', async () => {
    const { tokenAuth: token } = shop;
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const [index, [question, passes]] of questions(shop).entries()) {
      for (const [sort, compare] of ALL_CASES ? SORTS : [pick(SORTS, index), pick(SORTS, index + 2)]) {
        const ids = shop.orders
          .filter(passes)
          .sort(compare)
          .map(({ id }) => id);
        const pages = await allPages(api, token, `/api/ScheduledOrders?${question}&sort=${sort}&limit=${PAGE}`);
        found.push([question, sort, pages.flat(), pages.length]);
        expected.push([question, sort, ids, Math.max(1, Math.ceil(ids.length / PAGE))]);
      }
      const ids = shop.orders.filter(passes).map(({ id }) => id);
      const counted = await api.request('GET', `/api/ScheduledOrders/Count?${question}`, { token });
      const table = await api.request('GET', `/api/ScheduledOrders?${question}`, csv(token));
      found.push([question, counted.body, lineIds(table.body)]);
      expected.push([question, { Count: ids.length, IsMore: false }, ids]);
    }
    expect(found).toEqual(expected);
    expect(new Set(expected.map((one) => JSON.stringify((one as unknown[])[2]))).size).toBeGreaterThan(
      ALL_CASES ? 60 : 40,
    );
  });

  it('has the records of the plain list, to the byte, and 100 of them unless asked', async () => {
    const plain = await api.request('GET', '/api/ScheduledOrders', { token: shop.tokenAuth });
    const sorted = await api.request('GET', '/api/ScheduledOrders?sort=Id', { token: shop.tokenAuth });
    expect(JSON.stringify(sorted.body)).toBe(JSON.stringify(plain.body));
    expect([plain.headers.get('link'), sorted.headers.get('link')]).toEqual([null, null]);
    expect(sorted.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const page = await api.request('GET', '/api/ScheduledOrders?page=1', { token: shop.tokenAuth });
    expect(page.headers.get('link')).toBe('</api/ScheduledOrders?page=1>; rel="first"');
  });

  it('is an array without a next page where nothing passes', async () => {
    const { body, headers } = await api.request('GET', '/api/ScheduledOrders?Status=Paused&q=nobody', {
      token: shop.tokenAuth,
    });
    expect([body, headers.get('link')]).toEqual([[], null]);
  });

  it('keeps its order where records are large and sent in pieces', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const [customerId, productId] = [await given.customer(siteId), await given.product(siteId)];
    const ids: number[] = [];
    for (const items of [3, 600, 0, 500, 450, 600, 1]) {
      const id = await given.scheduledOrder(siteId, customerId);
      ids.unshift(id);
      await database.query(
        `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
         SELECT $1, $2, $3, 1, 1 FROM generate_series(1, $4::int)`,
        [siteId, id, productId, items],
      );
    }
    const { body } = await api.request('GET', '/api/ScheduledOrders?sort=-Id', { token });
    expect(idsOf(body)).toEqual(ids);
    expect(
      (body as { ScheduledOrderItems: object[] }[]).map(({ ScheduledOrderItems }) => ScheduledOrderItems.length),
    ).toEqual([1, 600, 450, 500, 0, 600, 3]);
  });

  it('is read along an index where a filter finds too many to sort', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const [customerId, productId] = [
      await given.customer(siteId, { email: 'many@mail.example' }),
      await given.product(siteId),
    ];
    await database.query(
      `INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc)
       SELECT $1, $2, 'Active', 'Months', 1, 'USD', now(), $3::timestamptz - n * interval '1 minute' FROM generate_series(1, 10050) n`,
      [siteId, customerId, new Date(START)],
    );
    await database.query(
      `INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
       SELECT $1, o.id, $2, 1, 1 FROM scheduled_orders o WHERE o.site_id = $1`,
      [siteId, productId],
    );
    // As autovacuum does in a database that is in use.
    await database.query(`ANALYZE scheduled_orders, scheduled_order_items`);
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM scheduled_orders WHERE site_id = $1 ORDER BY id`,
      [siteId],
    );
    const ids = rows.map(({ id }) => Number(id));
    const reversed = [...ids].reverse();
    const sorts = [
      ['Id', ids],
      ['-Id', reversed],
      ['NextOccurrenceUtc', reversed],
    ] as const;
    const questions = [`ProductId=${productId}`, `CustomerId=${customerId}`, 'q=many', 'NextFrom=2020-01-01'];
    for (const [index, question] of questions.entries()) {
      for (const [sort, sorted] of ALL_CASES ? sorts : [pick(sorts, index)]) {
        const { body } = await api.request('GET', `/api/ScheduledOrders?${question}&sort=${sort}`, csv(token));
        expect([question, sort, lineIds(body)]).toEqual([question, sort, sorted]);
      }
      const counted = await api.request('GET', `/api/ScheduledOrders/Count?${question}`, { token });
      expect([question, counted.body]).toEqual([question, { Count: 10_000, IsMore: true }]);
    }
  });
});

describe('The other lists', () => {
  it('find products, customers and orders by what they are called', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const products = [
      await given.product(siteId, { title: 'Espresso', sku: 'ESP-1', externalId: '7' }),
      await given.product(siteId, { title: 'espresso cup', sku: null }),
      await given.product(siteId, { title: 'Tea', sku: 'esp-2', deletedUtc: new Date() }),
    ];
    const customers = [
      await given.customer(siteId, { email: 'Ada@mail.example', lastName: 'Lovelace', externalId: 'x1' }),
      await given.customer(siteId, { email: 'love@mail.example', lastName: null }),
    ];
    const orders = [
      await given.order(siteId, customers[0]!, { orderNumber: 'A-1', externalId: 'e1' }),
      await given.order(siteId, customers[1]!, { orderNumber: 'A-10' }),
    ];
    const ask = async (path: string) => idsOf((await api.request('GET', `/api/${path}`, { token })).body);
    expect(await ask('Products?q=ESPRESSO')).toEqual(products.slice(0, 2));
    expect(await ask('Products?q=esp-&sort=-Id')).toEqual([products[0]]);
    expect(await ask('Products?q=7')).toContain(products[0]);
    expect(await ask('Products?sort=-Id&limit=1')).toEqual([products[1]]);
    expect(await ask('Customers?q=love')).toEqual(customers);
    expect(await ask('Customers?q=x1')).toEqual([customers[0]]);
    expect(await ask('Customers?q=X1')).toEqual([]);
    expect(await ask(`Customers?q=${customers[1]}`)).toEqual([customers[1]]);
    expect(await ask(`Customers?q=0${customers[1]}`)).toEqual([]);
    expect(await ask('Orders?q=A-1')).toEqual([orders[0]]);
    expect(await ask('Orders?q=e1')).toEqual([orders[0]]);
    expect(await ask('Orders?q=love&sort=-Id')).toEqual([...orders].reverse());
    expect((await allPages(api, token, '/api/Orders?limit=1&sort=-Id')).flat()).toEqual([...orders].reverse());
    for (const path of ['Products', 'Customers', 'Orders']) {
      expect((await api.request('GET', `/api/${path}/Count`, { token })).body).toEqual({ Count: 2, IsMore: false });
    }
  });
});

describe('Orders of some days', () => {
  it('are those whose DateCreated is in the range, newest first where asked', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId);
    const at = (dateCreated: string | null) =>
      given.order(siteId, customerId, { dateCreated: dateCreated === null ? null : new Date(dateCreated) });
    const [before, first, last, after, undated] = [
      await at('2026-01-30T23:59:59.999Z'),
      await at('2026-01-31T00:00:00Z'),
      await at('2026-01-31T23:59:59.999Z'),
      await at('2026-02-01T00:00:00Z'),
      await at(null),
    ];
    const ask = async (query: string) => idsOf((await api.request('GET', `/api/Orders?${query}`, { token })).body);
    expect(await ask('CreatedFrom=2026-01-31&CreatedTo=2026-02-01')).toEqual([first, last]);
    expect(await ask('CreatedFrom=2026-01-31&sort=-Id')).toEqual([after, last, first]);
    expect(await ask('CreatedTo=2026-01-31')).toEqual([before]);
    expect(await ask('limit=5')).toContain(undated);
    expect((await allPages(api, token, '/api/Orders?CreatedFrom=2026-01-31&limit=1')).flat()).toEqual([
      first,
      last,
      after,
    ]);
    const { body } = await api.request('GET', '/api/Orders/Count?CreatedTo=2026-02-01', { token });
    expect(body).toEqual({ Count: 3, IsMore: false });
  });

  it('are refused where the range is none', async () => {
    const { tokenAuth: token } = await given.merchant();
    for (const [query, detail] of [
      ['CreatedFrom=yesterday', 'CreatedFrom: "yesterday" must be a day or an ISO 8601 time'],
      [
        'CreatedFrom=2026-01-31&CreatedTo=2026-01-31',
        'CreatedTo: 2026-01-31T00:00:00.000Z must be later than CreatedFrom',
      ],
    ]) {
      const { status, body } = await api.request('GET', `/api/Orders?${query}`, { token });
      expect([status, (body as { detail: string }).detail]).toEqual([400, expect.stringContaining(detail!)]);
    }
  });
});

it('A text with a question mark is sought on the following pages, too', async () => {
  const { tokenAuth: token, siteId } = await given.merchant();
  const who = [await given.customer(siteId, { lastName: 'Wh?o' }), await given.customer(siteId, { lastName: 'wh?at' })];
  await given.customer(siteId, { lastName: 'Whale' });
  expect((await allPages(api, token, '/api/Customers?q=wh?&limit=1')).flat()).toEqual(who);
});

describe('A table', () => {
  const [table, json] = ['text/csv; charset=utf-8', 'application/json; charset=utf-8'];

  it.each([
    ['text/csv', table],
    ['Text/CSV; header=present', table],
    ['text/csv, application/json', table],
    ['application/json, text/csv', json],
    ['application/json;q=0.5, text/csv', table],
    ['text/csv;q=0.5, application/json', json],
    ['text/csv;q=0.9, application/json;q=0.8', table],
    ['*/*, text/csv', table],
    ['text/csv;q=0.1, */*', json],
    ['text/csv;q=0.5, */*, application/json;q=0.1', table],
    ['text/csv;q=0', json],
    ['text/html, */*;q=0.8', json],
  ])('or JSON is what a client prefers that accepts %s', async (accept, expected) => {
    const { tokenAuth: token } = await given.merchant();
    const { headers } = await api.request('GET', '/api/Products', { token, headers: { accept } });
    expect(headers.get('content-type')).toBe(expected);
  });

  it('has a line for each record, whole, and no formula', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const title = '=HYPERLINK("https://evil.example";"x")';
    const description = `Two\nlines, "quoted"\r${title}`;
    const id = await given.product(siteId, { title, sku: '0012', description, price: '0.1000' });
    const { status, headers, body } = await api.request('GET', '/api/Products', csv(token));
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="Products.csv"',
    ]);
    expect(body).toMatch(/^Id,SiteId,ExternalId,Availability,StockLevel,Type,Sku,Title,Description,Price,/);
    const product = { Id: String(id), ExternalId: '', Sku: '0012', Title: `'${title}`, Description: description };
    expect(parse(body as string, { columns: true })).toMatchObject([product]);
    expect(body).toContain(`\r\n${id},${siteId},,`);
    expect(body).toContain(',"0012",');
    expect(body).toContain('",0.1,');
  });

  it('of a scheduled order has its customer’s columns, and no items', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    const customerId = await given.customer(siteId, {
      email: 'ada@mail.example',
      lastName: 'Lovelace',
      externalId: '0012',
    });
    const id = await given.scheduledOrder(siteId, customerId, { total: '9007199254740991' });
    const { body } = await api.request('GET', '/api/ScheduledOrders', csv(token));
    const [cells] = parse<Record<string, string>>(body as string, { columns: true });
    expect(cells).toMatchObject({
      Id: String(id),
      CustomerId: String(customerId),
      CustomerExternalId: '0012',
      CustomerEmail: 'ada@mail.example',
      CustomerLastName: 'Lovelace',
      LastOccurrenceUtc: '',
      Status: 'Active',
      Total: '9007199254740991',
    });
    expect(cells).not.toHaveProperty('ScheduledOrderItems');
  });

  it('is everything, in pieces, or the page that limit asks for', async () => {
    const { tokenAuth: token, siteId } = await given.merchant();
    await database.query(`INSERT INTO customers (site_id, first_name) SELECT $1, n FROM generate_series(1, 1203) n`, [
      siteId,
    ]);
    const whole = await api.request('GET', '/api/Customers?sort=-Id', csv(token));
    const ids = lineIds(whole.body);
    expect(ids).toHaveLength(1_203);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    const page = await api.request('GET', '/api/Customers?limit=2', csv(token));
    expect((page.body as string).split('\r\n')).toHaveLength(4);
    const following = await api.request('GET', nextLink(page.headers)!, csv(token));
    expect((following.body as string).split('\r\n')[1]).toMatch(new RegExp(`^${ids.at(-3)},`));
    const json = await api.request('GET', '/api/Customers', {
      token,
      headers: { accept: 'application/json, text/csv' },
    });
    expect(json.body).toHaveLength(100);
  });
});

describe('Nobody reads what is not theirs', () => {
  /** They are known, and reach, as one of the others. */
  const LIKE_OTHERS = [
    ...['an expired token', 'a revoked key', 'an expired key'],
    ...['a Read key of its site', 'a Read key of another site', 'a key of another account'],
  ];

  it('by any parameter, with any cursor', async () => {
    const world = await givenWorld(database);
    const keys = await givenKeys(database, world);
    const { siteId, customerId, otherCustomerId, tokens } = world;
    const productId = await given.product(siteId);
    const own = await given.scheduledOrder(siteId, customerId);
    const others = await given.scheduledOrder(siteId, otherCustomerId);
    for (const id of [own, others]) await given.item(siteId, id, productId);
    const both = [own, others];
    const may: Record<string, number[] | number> = {
      'own account': both,
      'a key of its site': both,
      'a Read key of its site': both,
      'a key of several sites': both,
      'own customer': [own],
      'another customer': [others],
      'another account': [],
      'a key of another account': [],
      'a key of another site': [],
      'a Read key of another site': [],
      'no token': 401,
      'an expired token': 401,
      'a revoked key': 401,
      'an expired key': 401,
    };
    const queries = [
      'sort=Id',
      'sort=-Id',
      'sort=NextOccurrenceUtc',
      'Status=Active',
      `ProductId=${productId}`,
      'NextTo=2090-01-01',
      'q=customer',
      `q=${own}`,
      'limit=1',
    ];
    const first = await api.request('GET', '/api/ScheduledOrders?limit=1', { token: tokens['own account'] });
    const last = await api.request('GET', '/api/ScheduledOrders?limit=1&sort=-Id', { token: tokens['own account'] });
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const [caller, ids] of Object.entries(may).filter(([name]) => ALL_CASES || !LIKE_OTHERS.includes(name))) {
      const token = ({ ...tokens, ...keys } as Record<string, string | undefined>)[caller];
      const note = async (question: string, wanted: unknown) => {
        const { status, body } = await api.request('GET', `/api/ScheduledOrders?${question}`, { token });
        found.push([caller, question, status === 200 ? idsOf(body).sort() : status]);
        expected.push([caller, question, wanted]);
      };
      const wanted = (passes: (id: number) => boolean) => (typeof ids === 'number' ? ids : ids.filter(passes).sort());
      for (const question of queries) {
        const isOne = (id: number) => (question === `q=${own}` ? id === own : true);
        const all = wanted(isOne);
        await note(question, question === 'limit=1' && Array.isArray(all) ? all.slice(0, 1) : all);
        const { status, body } = await api.request(
          'GET',
          `/api/ScheduledOrders/Count?${question === 'limit=1' || question.startsWith('sort') ? '' : question}`,
          { token },
        );
        const count = wanted(question.startsWith('q=') ? isOne : () => true);
        found.push([caller, 'Count', question, status === 200 ? body.Count : status]);
        expected.push([caller, 'Count', question, Array.isArray(count) ? count.length : count]);
        const table = await api.request('GET', `/api/ScheduledOrders?${question}`, csv(token));
        found.push([caller, 'csv', question, table.status === 200 ? lineIds(table.body).sort() : table.status]);
        expected.push([caller, 'csv', question, question === 'limit=1' && Array.isArray(all) ? all.slice(0, 1) : all]);
      }
      // Of the owner's first page, and of its last.
      await note(
        nextLink(first.headers)!.split('?')[1]!,
        wanted((id) => id > own),
      );
      await note(
        nextLink(last.headers)!.split('?')[1]!,
        wanted((id) => id < others),
      );
      const reaches =
        typeof ids === 'number' ? ids : caller.includes('another a') || caller.includes('another site') ? 403 : null;
      await note(`SiteId=${siteId}`, reaches ?? wanted(() => true));
      const ofCustomer = typeof ids !== 'number' && caller === 'another customer' ? 403 : wanted((id) => id === own);
      await note(`CustomerId=${customerId}`, ofCustomer);
      const problem = typeof ids === 'number' ? ids : caller.endsWith('customer') ? 403 : [];
      await note('Problem=2000', problem);
    }
    expect(found).toEqual(expected);
  });

  it('not in the lists of products, customers and orders either', async () => {
    const world = await givenWorld(database);
    const keys = await givenKeys(database, world);
    const { siteId, customerId, otherCustomerId, tokens } = world;
    const product = await given.product(siteId, { title: 'Same' });
    const orders = [
      await given.order(siteId, customerId, { orderNumber: 'N' }),
      await given.order(siteId, otherCustomerId, { orderNumber: 'N' }),
    ];
    const ask = async (path: string, token: string | undefined) => {
      const { status, body } = await api.request('GET', `/api/${path}`, { token });
      return status === 200 ? idsOf(body) : status;
    };
    expect(await ask('Orders?q=N', tokens['own account'])).toEqual(orders);
    expect(await ask('Orders?q=N', tokens['own customer'])).toEqual([orders[0]]);
    expect(await ask('Orders?sort=-Id', tokens['another customer'])).toEqual([orders[1]]);
    expect(await ask('Products?q=same', tokens['own customer'])).toEqual([product]);
    expect(await ask('Customers?limit=5', tokens['own customer'])).toBe(403);
    expect(await ask('Customers/Count', tokens['own customer'])).toBe(403);
    expect(await ask(`Customers?SiteId=${siteId}`, tokens['another account'])).toBe(403);
    for (const token of [
      tokens['another account'],
      keys['a key of another site'],
      keys['a Read key of another site'],
    ]) {
      expect(await ask('Orders?q=N', token)).toEqual([]);
      expect(await ask('Products?q=same', token)).toEqual([]);
      expect(await ask(`Customers?q=customer`, token)).toEqual([]);
      expect(await ask(`Products?q=${product}`, token)).toEqual([]);
    }
  });
});

describe('A bad question', () => {
  const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
  const cases: [string, string, string][] = [
    ['limit=0', 'limit', '"0" must be an integer from 1 to 500.'],
    ['limit=501', 'limit', '"501" must be an integer from 1 to 500.'],
    ['limit=1&limit=2', 'limit', 'A list must be an integer from 1 to 500.'],
    ['SiteId=x', 'SiteId', '"x" must be an integer from 1 to 9007199254740991.'],
    ['CustomerId=-1', 'CustomerId', '"-1" must be an integer from 1 to 9007199254740991.'],
    ['ProductId=9007199254740992', 'ProductId', '"9007199254740992" must be an integer from 1 to 9007199254740991.'],
    ['Status=active', 'Status', '"active" must be one of Active, Pending, Paused.'],
    ['sort=Total', 'sort', '"Total" must be one of Id, -Id, NextOccurrenceUtc, -NextOccurrenceUtc.'],
    ['q=', 'q', '"" must be one text of 1 to 255 characters, without NUL.'],
    ['q=%00', 'q', '"\u0000" must be one text of 1 to 255 characters, without NUL.'],
    [`q=${'x'.repeat(256)}`, 'q', `"${'x'.repeat(60)}" must be one text of 1 to 255 characters, without NUL.`],
    [
      'NextFrom=2026-02-30',
      'NextFrom',
      '"2026-02-30" must be a day or an ISO 8601 time of the years 1000 to 9999, such as 2026-01-31T09:00:00Z.',
    ],
    [
      'NextFrom=2026-02-02&NextTo=2026-02-02',
      'NextTo',
      '2026-02-02T00:00:00.000Z must be later than NextFrom, 2026-02-02T00:00:00.000Z.',
    ],
    [
      'Problem=Completed',
      'Problem',
      '"Completed" must be one of Retrying, Waiting, Unknown, Failed, 1000, 1001, 1002, 1003, 1004, 1005, 1009, 1010, 2000, 2001, 99.',
    ],
    ['cursor=abc', 'cursor', '"abc" is none: take it from the Link header of the page before.'],
    [
      `cursor=${cursorOf('Id 2 1')}`,
      'cursor',
      `"${cursorOf('Id 2 1')}" is none: take it from the Link header of the page before.`,
    ],
    [
      `sort=-Id&cursor=${cursorOf('Id 1 1')}`,
      'cursor',
      `"${cursorOf('Id 1 1')}" is of a list with sort=Id: send that, or begin without a cursor.`,
    ],
    [
      `sort=NextOccurrenceUtc&cursor=${cursorOf('NextOccurrenceUtc 999999999999999 1')}`,
      'cursor',
      `"${cursorOf('NextOccurrenceUtc 999999999999999 1').slice(0, 60)}" is none: take it from the Link header of the page before.`,
    ],
    ['page=1&limit=5', 'page', '"1" cannot be sent with the other parameters: use limit and cursor.'],
  ];

  it.each(cases)('%s is 400', async (query, field, message) => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', `/api/ScheduledOrders?${query}`, { token });
    expect([status, body.errors]).toEqual([400, [{ field, message }]]);
  });

  it('has all its faults in one answer, and is refused by Count and for tables, too', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { body } = await api.request('GET', '/api/ScheduledOrders?limit=x&Status=x&Problem=x', { token });
    expect((body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'Problem',
      'Status',
      'limit',
    ]);
    const counted = await api.request('GET', '/api/ScheduledOrders/Count?Status=x', { token });
    expect([counted.status, counted.body.errors.length]).toEqual([400, 1]);
    const table = await api.request('GET', '/api/ScheduledOrders?page=1', csv(token));
    expect(table.body.errors).toEqual([
      { field: 'page', message: '"1" cannot be sent for text/csv: use limit and cursor.' },
    ]);
  });

  it('that another list takes is unknown', async () => {
    const { tokenAuth: token } = await given.merchant();
    const { status, body } = await api.request('GET', '/api/Products?Status=Active', { token });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          field: 'Status',
          message: 'is not a query parameter of this route, which takes page, SiteId, q, limit, cursor, sort.',
        },
      ],
    ]);
  });
});
