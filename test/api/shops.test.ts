import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Vault } from '#libs/platform';
import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { itReaches } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn, type GivenMerchant } from '../support/given.js';
import { HttpReceiverStandIn, WooCommerceStandIn } from '../support/shops/index.js';
import { asCopy } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1:1' });
const given = givenIn(database);
const vault = Vault.fromSetting(TEST_ENCRYPTION_KEY);

const pathOf = (siteId: number, rest = '') => `/api/Site/${siteId}/Shop${rest}`;
const get = (token: string, path: string) => api.request('GET', path, { token });
const put = (token: string, siteId: number, body: object) => api.request('PUT', pathOf(siteId), { token, body });
const post = (token: string, path: string, body?: object, key?: string) =>
  api.request('POST', path, { token, body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });

/** It was moved since Orders were pushed. */
const moved = async (siteId: number) => {
  const [row] = await database.query<{ moved: boolean }>(
    `SELECT moved_utc IS NOT NULL AS moved FROM site_shops WHERE site_id = $1`,
    [siteId],
  );
  return row!.moved;
};

const UNWRITTEN = {
  ...{ Push: 'Off', Receiver: 'Http', Path: null, AuthMode: 'Header', TaxDifference: 'Accept', PushAnyway: false },
  ...{ StockSync: 'Off', RefundsIn: 'Service', LastSyncUtc: null, State: 'Unverified', StateBecause: null },
};

describe('GET and PUT /api/Site/{id}/Shop', () => {
  itReaches(api, database, [
    {
      route: 'GET /api/Site/{id}/Shop',
      path: ({ siteId }) => pathOf(siteId),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
    {
      route: 'PUT /api/Site/{id}/Shop',
      path: ({ siteId }) => pathOf(siteId),
      body: () => ({ Push: 'Off' }),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it.each([
    ['WooCommerce', 'WooCommerceRest'],
    [' woocommerce', 'WooCommerceRest'],
    ['Shopware', 'Http'],
    [null, 'Http'],
  ])('without a shop have the defaults; the Type %p proposes %s', async (type, Receiver) => {
    const { siteId, tokenAuth: token } = await given.merchant({ type });
    expect((await get(token, pathOf(siteId))).body).toEqual({ ...UNWRITTEN, Receiver });
    expect(await database.query(`SELECT 1 FROM site_shops WHERE site_id = $1`, [siteId])).toEqual([]);
  });

  it('change the fields sent, and keep the others', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const sent = { Push: 'On', TaxDifference: 'Refuse', PushAnyway: true, StockSync: 'On', RefundsIn: 'Shop' };
    const { status, body } = await put(token, siteId, sent);
    expect([status, body]).toEqual([200, { ...UNWRITTEN, ...sent }]);
    expect(await moved(siteId)).toBe(false);
    const other = await put(token, siteId, { Path: '/receive/orders' });
    const unverified = { State: 'Unverified', StateBecause: 'Its Receiver or Path was changed.' };
    expect(await moved(siteId)).toBe(true);
    expect(other.body).toEqual({ ...body, Path: '/receive/orders', ...unverified });
    expect((await put(token, siteId, { Path: null })).body).toEqual({ ...body, ...unverified });
    expect((await get(token, pathOf(siteId))).body).toEqual({ ...body, ...unverified });
  });

  it('take back the answer of a GET, and ignore what the service sets', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const { body } = await put(token, siteId, { Push: 'On' });
    expect((await put(token, siteId, body)).body).toEqual(body);
    const set = { State: 'Ready', AuthMode: 'OAuth', StateBecause: 'so', LastSyncUtc: '2026-01-01T00:00:00Z' };
    expect((await put(token, siteId, set)).body).toEqual(body);
  });

  it.each([
    [{ Push: 'Yes' }, 'Push', '"Yes" must be one of Off, On.'],
    [{ Push: true }, 'Push', 'true must be one of Off, On.'],
    [{ Push: null }, 'Push', 'must not be null: leave it out instead.'],
    [{ Receiver: 'Shopify' }, 'Receiver', '"Shopify" must be one of WooCommerceRest, Http.'],
    [{ Receiver: null }, 'Receiver', 'must not be null: leave it out instead.'],
    [{ Path: 'orders' }, 'Path', '"orders" must be a path such as /scheduled-orders/orders, without a query.'],
    [{ Path: '/orders?a=1' }, 'Path', '"/orders?a=1" must be a path'],
    [{ Path: '//evil.example' }, 'Path', '"//evil.example" must be a path'],
    [{ Path: '/a/../b' }, 'Path', '"/a/../b" must be a path'],
    [{ Path: 7 }, 'Path', '7 must be text.'],
    [{ Path: `/${'a'.repeat(255)}` }, 'Path', 'must have at most 255 characters; it has 256.'],
    [{ TaxDifference: 'Ignore' }, 'TaxDifference', '"Ignore" must be one of Accept, Refuse.'],
    [{ PushAnyway: 'yes' }, 'PushAnyway', '"yes" must be true or false.'],
    [{ StockSync: true }, 'StockSync', 'true must be one of Off, On.'],
    [{ RefundsIn: 'Both' }, 'RefundsIn', '"Both" must be one of Service, Shop.'],
    [{ Url: 'https://shop.example' }, 'Url', 'is not a field'],
    [{ Secret: 'whsec_x' }, 'Secret', 'is not a field'],
  ])('refuse %j: %s %s', async (body, field, message) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const refused = await put(token, siteId, body);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ field, message: expect.stringContaining(message) as string }],
    ]);
  });

  it.each([
    [null, 'has no Url: set it to where the shop is.'],
    ['ftp://shop.example', 'must begin with https://'],
    ['https://10.0.0.1', 'leads to 10.0.0.1, which is not a public address'],
    ['https://ada:secret@shop.example', 'must not have a user name'],
  ])('push to no Url %p', async (url, message) => {
    const { siteId, tokenAuth: token } = await given.merchant({ url });
    const refused = await put(token, siteId, { Push: 'On' });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'Push']);
    expect(refused.body.errors[0].message).toContain(message);
    expect((await put(token, siteId, { Push: 'Off', TaxDifference: 'Refuse' })).status).toBe(200);
  });

  it('are of a site that there is', async () => {
    const { tokenAuth: token } = await given.merchant();
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? {} : undefined;
      const answered = await api.request(method, pathOf(987_654), { token, body });
      expect([answered.status, answered.body.detail]).toEqual([404, 'There is no Site 987654.']);
    }
  });
});

describe('A simulated site', () => {
  const simulated = (url: string | null) => given.merchant({ url, simulated: true });

  it.each(['https://shop.example', 'https://8.8.8.8'])('never calls out: %s', async (url) => {
    const { siteId, tokenAuth: token } = await simulated(url);
    const refused = await put(token, siteId, { Push: 'On' });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          field: 'Push',
          message: expect.stringContaining(`Site ${siteId} is simulated and never calls out`) as string,
        },
      ],
    ]);
    expect((await post(token, pathOf(siteId, '/Verify'))).status).toBe(409);
  });

  it.each(['http://127.0.0.1:4000', 'http://localhost:4000'])('pushes to a shop of this machine: %s', async (url) => {
    const { siteId, tokenAuth: token } = await simulated(url);
    expect((await put(token, siteId, { Push: 'On' })).body).toMatchObject({ Push: 'On', State: 'Unverified' });
  });

  it('that is a copy has no shop', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    await put(token, siteId, { Push: 'On', TaxDifference: 'Refuse' });
    const body = { Name: 'A year', NowUtc: '2026-01-31T09:00:00Z', CopyOf: siteId };
    const { SiteId } = (await post(token, '/api/TestClocks', body)).body;
    expect((await get(token, pathOf(SiteId as number))).body).toEqual(UNWRITTEN);
    expect((await api.request('DELETE', `/api/TestClock/${SiteId}`, { token })).status).toBe(204);
  });
});

describe('Another address or other keys of the site', () => {
  const ready = async (values = {}) => {
    const merchant = await given.merchant();
    const body = { Url: 'https://shop.example', ApiKey1: 'ck_1', ApiKey2: 'cs_1' };
    await api.request('PUT', `/api/Site/${merchant.siteId}`, { token: merchant.tokenAuth, body });
    await given.shop(vault, merchant.siteId, values);
    return { ...merchant, body };
  };

  it.each([
    [{ Url: 'https://other.example' }, true],
    [{ ApiKey1: 'ck_2' }, false],
    [{ ApiKey2: null, Url: 'https://shop.example' }, false],
  ])('%j are Unverified; it is another shop: %p', async (sent, isMoved) => {
    const { siteId, tokenAuth: token } = await ready();
    await api.request('PUT', `/api/Site/${siteId}`, { token, body: sent });
    expect(await moved(siteId)).toBe(isMoved);
    expect((await get(token, pathOf(siteId))).body).toMatchObject({
      State: 'Unverified',
      StateBecause: 'The Url or the keys of the site were changed.',
    });
  });

  it('are none when they are sent again', async () => {
    const { siteId, tokenAuth: token, body } = await ready();
    await api.request('PUT', `/api/Site/${siteId}`, { token, body: { ...body, Name: 'Coffee' } });
    expect((await get(token, pathOf(siteId))).body).toMatchObject({ State: 'Ready', StateBecause: null });
  });
});

describe('…/Shop/Secret and …/Shop/RotateSecret', () => {
  itReaches(api, database, [
    {
      route: 'GET /api/Site/{id}/Shop/Secret',
      path: async ({ siteId }) => {
        await given.shop(vault, siteId);
        return pathOf(siteId, '/Secret');
      },
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
    {
      route: 'POST /api/Site/{id}/Shop/RotateSecret',
      path: ({ siteId }) => pathOf(siteId, '/RotateSecret'),
      body: () => ({}),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it('are made with the shop, encrypted, and rotate with an overlap', async () => {
    const { siteId, tokenAuth: token } = await given.merchant();
    const missing = await get(token, pathOf(siteId, '/Secret'));
    expect([missing.status, missing.body.detail]).toEqual([
      404,
      `The shop of Site ${siteId} has no secret yet: PUT /api/Site/${siteId}/Shop makes one.`,
    ]);
    await put(token, siteId, {});
    const { body: first } = await get(token, pathOf(siteId, '/Secret'));
    expect(first).toEqual({
      ...{ Secret: expect.stringMatching(/^whsec_/) as string, PreviousSecret: null, PreviousUntilUtc: null },
    });
    const [row] = await database.query<{ secret: string }>(`SELECT secret FROM site_shops WHERE site_id = $1`, [
      siteId,
    ]);
    expect(row!.secret).toMatch(/^v1\./);
    const { body: second } = await post(token, pathOf(siteId, '/RotateSecret'), {}, 'rotate-1');
    expect(second).toMatchObject({ PreviousSecret: first.Secret });
    expect(second.Secret).not.toBe(first.Secret);
    expect((await post(token, pathOf(siteId, '/RotateSecret'), {}, 'rotate-1')).body).toEqual(second);
    const third = await post(token, pathOf(siteId, '/RotateSecret'));
    expect([third.status, third.body.detail]).toEqual([
      409,
      `The previous secret of the Shop of Site ${siteId} signs until ${second.PreviousUntilUtc}: rotate again after that.`,
    ]);
    expect((await get(token, pathOf(siteId, '/Secret'))).body).toEqual(second);
    await put(token, siteId, { TaxDifference: 'Refuse' });
    expect((await get(token, pathOf(siteId, '/Secret'))).body).toEqual(second);
  });

  it('are shown to no API key, and rotated by none', async () => {
    const { siteId, userId } = await given.merchant();
    await given.shop(vault, siteId);
    for (const access of ['Full', 'Read']) {
      const { value } = await given.apiKey(userId, [siteId], { access });
      expect((await get(value, pathOf(siteId, '/Secret'))).body).toEqual({
        ...{ Secret: null, PreviousSecret: null, PreviousUntilUtc: null },
      });
      expect((await post(value, pathOf(siteId, '/RotateSecret'), {})).status).toBe(403);
    }
  });

  it.each([-1, 604_801, 'a'])('have an overlap within bounds, not %p', async (OverlapSeconds) => {
    const { siteId, tokenAuth: token } = await given.merchant();
    expect((await post(token, pathOf(siteId, '/RotateSecret'), { OverlapSeconds })).status).toBe(400);
  });
});

describe('POST /api/Site/{id}/Shop/Verify', () => {
  itReaches(api, database, [
    {
      route: 'POST /api/Site/{id}/Shop/Verify',
      path: ({ siteId }) => pathOf(siteId, '/Verify'),
      answers: { 'own account': 200, 'another account': 403, 'own customer': 403, 'another customer': 403 },
    },
  ]);

  it('of no site is not found', async () => {
    const { tokenAuth: token } = await given.merchant();
    expect((await post(token, '/api/Site/987654/Shop/Verify')).status).toBe(404);
  });

  describe('of an Http receiver', () => {
    let shop: HttpReceiverStandIn;
    beforeEach(async () => {
      shop = await HttpReceiverStandIn.start();
    });
    afterEach(() => shop.stop());

    const merchant = () => given.merchant({ url: shop.url });
    const agreeing = { Agrees: true, Message: expect.stringContaining('answers as it must') as string };

    it('lets pushes go where it answers as it must, and is what it was under its Idempotency-Key', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      await put(token, siteId, { Push: 'On' });
      shop.secret = (await get(token, pathOf(siteId, '/Secret'))).body.Secret as string;
      const verified = await post(token, pathOf(siteId, '/Verify'), undefined, 'verify-1');
      const findings = [
        { Check: 'LookUp', ...agreeing },
        { Check: 'Orders', ...agreeing },
      ];
      expect([verified.status, verified.body]).toEqual([
        200,
        { State: 'Ready', StateBecause: null, AuthMode: 'Header', Findings: findings },
      ]);
      expect((await get(token, pathOf(siteId))).body).toMatchObject({ State: 'Ready', StateBecause: null });
      expect(shop.books.size).toBe(0);
      await shop.stop();
      expect((await post(token, pathOf(siteId, '/Verify'), undefined, 'verify-1')).body).toEqual(verified.body);
      shop = await HttpReceiverStandIn.start();
    });

    it('writes the shop that nobody has written', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      expect((await post(token, pathOf(siteId, '/Verify'))).body).toMatchObject({ State: 'Ready' });
      expect((await get(token, pathOf(siteId, '/Secret'))).status).toBe(200);
    });

    it('that knows another secret is Refused, and says why', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      shop.secret = `whsec_${btoa('another secret that is long enough')}`;
      const { body } = await post(token, pathOf(siteId, '/Verify'));
      const because = 'The receiver answered 401: the secret and the keys must be those of the site.';
      expect(body).toMatchObject({ State: 'Refused', StateBecause: because });
      expect((await get(token, pathOf(siteId))).body).toMatchObject({ State: 'Refused', StateBecause: because });
    });

    it('that is elsewhere is Refused, one that breaks or is gone Unreachable', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      await put(token, siteId, { Path: '/elsewhere' });
      const elsewhere = await post(token, pathOf(siteId, '/Verify'));
      expect(elsewhere.body).toMatchObject({ State: 'Refused', Findings: [{ Agrees: true }, { Agrees: false }] });
      await put(token, siteId, { Path: null });
      shop.faults.next('failsBefore');
      expect((await post(token, pathOf(siteId, '/Verify'))).body).toMatchObject({
        State: 'Unreachable',
        StateBecause: 'The receiver answered 500: try again later.',
      });
      shop.faults.next('rateLimited');
      expect((await post(token, pathOf(siteId, '/Verify'))).body).toMatchObject({
        State: 'Unreachable',
        StateBecause: 'The receiver answered 429: try again in 7 seconds.',
      });
      await shop.stop();
      expect((await post(token, pathOf(siteId, '/Verify'))).body).toMatchObject({
        State: 'Unreachable',
        StateBecause: 'The connection was refused.',
      });
      shop = await HttpReceiverStandIn.start();
    });

    it('that is Ready stays so where only Verify had a bad second: the answer says what it found', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      await post(token, pathOf(siteId, '/Verify'));
      await database.query(`UPDATE site_shops SET failures = 3 WHERE site_id = $1`, [siteId]);
      shop.faults.next('failsBefore');
      expect((await post(token, pathOf(siteId, '/Verify'))).body).toMatchObject({ State: 'Unreachable' });
      expect((await get(token, pathOf(siteId))).body).toMatchObject({ State: 'Ready', StateBecause: null });
      const rows = await database.query(`SELECT failures FROM site_shops WHERE site_id = $1`, [siteId]);
      expect(rows).toEqual([{ failures: '3' }]);
    });

    it('is not tried from a database that is a copy', async () => {
      const { siteId, tokenAuth: token } = await merchant();
      const refused = await asCopy(database, () => post(token, pathOf(siteId, '/Verify')));
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('is a copy of another one')]);
      expect(shop.requests).toEqual([]);
    });

    it('that is changed meanwhile has to be verified again', async () => {
      const { siteId, tokenAuth: token } = await given.merchant();
      const change = () => put(token, siteId, { Path: '/other' });
      const server = http.createServer((_, reply) => void change().then(() => reply.writeHead(404).end('{}')));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const Url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await api.request('PUT', `/api/Site/${siteId}`, { token, body: { Url } });
      const refused = await post(token, pathOf(siteId, '/Verify'));
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        `Site ${siteId} or its Shop was changed while the shop was called: verify it again.`,
      ]);
      expect((await get(token, pathOf(siteId))).body).toMatchObject({ Path: '/other', State: 'Unverified' });
      await new Promise((resolve) => server.close(resolve));
    });

    it.each([
      ['order.created', 'Enabled', true],
      ['scheduled_order.*', 'Enabled', true],
      [null, 'Enabled', true],
      ['scheduled_order.failed', 'Enabled', false],
      ['order.created', 'Disabled', false],
    ])('says first what may make twins: an endpoint of %p that is %s', async (type, Status, isSaid) => {
      const { siteId, tokenAuth: token } = await merchant();
      const endpoint = { Url: 'https://back.example/hooks?key=1', EventTypes: type === null ? [] : [type], Status };
      await post(token, '/api/WebhookEndpoints', endpoint);
      const { body } = await post(token, pathOf(siteId, '/Verify'));
      const [first] = body.Findings as { Check: string; Message: string }[];
      expect([body.State, first!.Check === 'Twins']).toEqual(['Ready', isSaid]);
      if (isSaid) expect(first!.Message).toContain('Events that orders can be made of go to back.example.');
      expect(JSON.stringify(body)).not.toContain('key=1');
    });
  });

  describe('of a WooCommerce', () => {
    let shop: WooCommerceStandIn;
    beforeEach(async () => {
      shop = await WooCommerceStandIn.start();
      shop.products.set(10, { id: 10, name: 'Coffee', price: '9.99' });
    });
    afterEach(() => shop.stop());

    /** With a product that the shop has, and a customer in California, where both have the same tax. */
    async function merchant(keys: object = {}): Promise<GivenMerchant> {
      const made = await given.merchant({ url: shop.url, type: 'WooCommerce' });
      const { siteId, tokenAuth: token } = made;
      const body = { ApiKey1: 'ck_shop', ApiKey2: 'cs_shop_secret', ...keys };
      await api.request('PUT', `/api/Site/${siteId}`, { token, body });
      const productId = await given.product(siteId, { externalId: '10', title: 'Coffee', price: '9.99' });
      const address = { shippingCountry: 'US', shippingState: 'CA', shippingPostcode: '94607' };
      const customerId = await given.customer(siteId, address);
      await given.item(siteId, await given.scheduledOrder(siteId, customerId, address), productId);
      await given.shippingRate(siteId, { country: 'US', basePrice: '5' });
      await given.taxRate(siteId, { country: 'US', state: 'CA', rate: '8.25', appliesToShipping: true });
      await given.insert('site_settings', { siteId, shippingTax: 'ByRate' });
      return made;
    }

    const verify = async ({ siteId, tokenAuth }: GivenMerchant) =>
      (await post(tokenAuth, pathOf(siteId, '/Verify'))).body as {
        State: string;
        StateBecause: string | null;
        AuthMode: string | null;
        Findings: { Check: string; Agrees: boolean; Message: string }[];
      };
    type Verified = Awaited<ReturnType<typeof verify>>;
    const differing = ({ Findings }: Verified) => Findings.filter(({ Agrees }) => !Agrees).map(({ Check }) => Check);
    const messageOf = ({ Findings }: Verified, check: string) => Findings.find(({ Check }) => Check === check)!.Message;

    it('that is like the site agrees in everything, and keeps nothing of it', async () => {
      const made = await merchant();
      const { siteId } = made;
      const verified = await verify(made);
      expect(differing(verified)).toEqual([]);
      expect(verified).toMatchObject({ State: 'Ready', StateBecause: null, AuthMode: 'Header' });
      expect(verified.Findings.map(({ Check }) => Check)).toEqual([
        ...[
          'Address',
          'Receiver',
          'Keys',
          'Version',
          'Currency',
          'Decimals',
          'Cron',
          'Taxes',
          'Products',
          'Probe',
          'Hooks',
        ],
      ]);
      expect(messageOf(verified, 'Probe')).toBe('The shop comes to the same total: 16.22 USD.');
      const delivery_url = `http://127.0.0.1:1/api/Hooks/WooCommerce/${siteId}`;
      expect(shop.hooks.hooks.map((hook) => [hook.topic, hook.delivery_url])).toContainEqual([
        ...['order.updated', delivery_url],
      ]);
      const [probe] = shop.books.orders.values();
      expect(probe).toMatchObject({ isDeleted: true, customerId: 0, shipping: { country: 'US', state: 'CA' } });
      expect([shop.books.mails, JSON.stringify(probe!.billing)]).toEqual([[], expect.not.stringContaining('@')]);
    });

    it('is asked for what orders have, of many that it did not sell in turn', async () => {
      const made = await merchant();
      const { siteId } = made;
      for (let id = 1_001; id <= 1_300; id += 1)
        shop.products.set(id, { id, name: 'Tea', price: '5', status: 'draft' });
      // 150 that are not sold, of which an order has none, and 150 of which it has all.
      await database.query(
        `WITH unsold AS (INSERT INTO products (site_id, external_id, unsellable) SELECT $1, 1000 + n, 'It was not sold.' FROM generate_series(1, 300) n RETURNING id, external_id)
         INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity)
         SELECT $1, o.id, u.id, 1, 1 FROM unsold u JOIN scheduled_orders o ON o.site_id = $1 WHERE u.external_id::int > 1150`,
        [siteId],
      );
      expect(messageOf(await verify(made), 'Products')).toMatch(/^100 of 101 products cannot be ordered\. /);
      await verify(made);
      const counts = await database.query(
        `SELECT count(*) FILTER (WHERE asked_utc IS NOT NULL)::int AS looked_at, count(*)::int AS all FROM products WHERE site_id = $1 GROUP BY external_id::int > 1150 ORDER BY looked_at`,
        [siteId],
      );
      // The product that the shop has is among the first.
      expect(counts).toEqual([
        { looked_at: 1, all: 151 },
        { looked_at: 150, all: 150 },
      ]);
    });

    it('is tried with a product that it sells, as far as is known', async () => {
      const made = await merchant();
      const unsold = { externalId: '11', price: '5', unsellable: 'It is a draft.' };
      const productId = await given.product(made.siteId, unsold);
      const [order] = await database.query<{ id: string }>(`SELECT id FROM scheduled_orders WHERE site_id = $1`, [
        made.siteId,
      ]);
      await given.item(made.siteId, Number(order!.id), productId);
      expect(messageOf(await verify(made), 'Probe')).toBe('The shop comes to the same total: 16.22 USD.');
    });

    it('that comes to another total is Ready, and says by how much', async () => {
      const made = await merchant();
      await database.query(`DELETE FROM site_settings WHERE site_id = $1`, [made.siteId]);
      const verified = await verify(made);
      expect([verified.State, differing(verified)]).toEqual(['Ready', ['Probe']]);
      expect(messageOf(verified, 'Probe')).toContain(
        'The shop comes to 16.22 USD where 15.81 USD would be charged (41 minor units more)',
      );
    });

    it('whose prices have tax in them comes to the same total with an unrounded net', async () => {
      Object.assign(shop.settings, { isGross: true });
      shop.taxRates.set('US/CA', '19');
      const made = await merchant();
      const { siteId } = made;
      await database.query(`UPDATE site_settings SET prices = 'Gross', home_country = 'US' WHERE site_id = $1`, [
        siteId,
      ]);
      await database.query(`UPDATE tax_rates SET rate = 19 WHERE site_id = $1`, [siteId]);
      expect(messageOf(await verify(made), 'Probe')).toBe('The shop comes to the same total: 15.94 USD.');
    });

    it('of a site without a product or a customer is tried without a probe order', async () => {
      const { siteId, tokenAuth } = await given.merchant({ url: shop.url, type: 'WooCommerce' });
      const body = { ApiKey1: 'ck_shop', ApiKey2: 'cs_shop_secret' };
      await api.request('PUT', `/api/Site/${siteId}`, { token: tokenAuth, body });
      const verified = (await post(tokenAuth, pathOf(siteId, '/Verify'))).body;
      const message =
        'Nothing was tried: it needs a product of the shop with a price, a customer with an address, and a worker that has run.';
      expect(verified.State).toBe('Ready');
      expect(verified.Findings).toContainEqual({ Check: 'Probe', Agrees: false, Message: message });
      expect(shop.books.orders.size).toBe(0);
    });

    it.each([
      [{ ApiKey1: null }, 'The site has no consumer key (ApiKey1) or no consumer secret (ApiKey2).'],
      [{ ApiKey1: 'ck_other' }, 'the key is unknown, or its user was deleted or may not edit orders.'],
      [{ ApiKey1: 'ck_other' }, 'WordPress takes this for HTTPS when it is not (a proxy that it was not told of)'],
      [{ ApiKey1: 'ck_other' }, 'or permalinks are plain'],
      [{ ApiKey2: 'cs_other_secret' }, 'the secret is wrong, or the key may only read'],
    ])('with the keys %j is Refused, because %s', async (keys, because) => {
      const made = await merchant(keys);
      const verified = await verify(made);
      expect(verified).toMatchObject({
        State: 'Refused',
        StateBecause: expect.stringContaining(because) as string,
        AuthMode: 'Header',
      });
      expect(differing(verified)).toEqual(['Keys']);
      expect(JSON.stringify(verified)).not.toMatch(/c[ks]_other/);
      expect((await get(made.tokenAuth, pathOf(made.siteId))).body).toMatchObject({ State: 'Refused' });
    });

    it('whose key may only read is Refused', async () => {
      shop.access.keys.set('ck_shop', { secret: 'cs_shop_secret', may: 'read', role: 'administrator' });
      expect(await verify(await merchant())).toMatchObject({
        State: 'Refused',
        StateBecause: expect.stringContaining('make one with the permission Read/Write') as string,
      });
    });

    it('that is not there is Refused, and Unreachable while it breaks or is gone', async () => {
      const made = await merchant();
      const { siteId, tokenAuth: token } = made;
      await api.request('PUT', `/api/Site/${siteId}`, { token, body: { Url: `${shop.url}/blog` } });
      expect(await verify(made)).toMatchObject({
        State: 'Refused',
        Findings: [
          { Check: 'Address', Agrees: false, Message: expect.stringContaining('instead of WordPress') as string },
        ],
      });
      await api.request('PUT', `/api/Site/${siteId}`, { token, body: { Url: shop.url } });
      shop.faults.next('unavailable', { operation: 'read' });
      expect(await verify(made)).toMatchObject({
        State: 'Unreachable',
        StateBecause: 'The shop answered 503: try again in 600 seconds.',
      });
      shop.faults.next('rateLimited', { operation: 'create' });
      expect(await verify(made)).toMatchObject({
        State: 'Unreachable',
        StateBecause: 'The shop answered 429: try again in 7 seconds.',
      });
      shop.faults.next('dropsBefore', { operation: 'create' });
      expect(await verify(made)).toMatchObject({ State: 'Unreachable' });
    });

    it.each([
      [{ isHttps: false }, 'OAuth'],
      [{ stripsAuthorization: true }, 'Query'],
    ])('of the settings %j takes its keys by %s', async (settings, AuthMode) => {
      Object.assign(shop.settings, settings);
      const made = await merchant();
      expect(await verify(made)).toMatchObject({ State: 'Ready', AuthMode });
      expect((await get(made.tokenAuth, pathOf(made.siteId))).body).toMatchObject({ State: 'Ready', AuthMode });
    });

    it.each([
      [{ version: '9.8.1' }, 'Version'],
      [{ currency: 'EUR' }, 'Currency'],
      [{ decimals: 0 }, 'Decimals'],
      [{ hasCron: false }, 'Cron'],
    ])('of the settings %j is Ready, and differs in %s', async (settings, check) => {
      Object.assign(shop.settings, settings);
      const verified = await verify(await merchant());
      expect([verified.State, differing(verified)]).toEqual(['Ready', expect.arrayContaining([check])]);
    });
  });
});
