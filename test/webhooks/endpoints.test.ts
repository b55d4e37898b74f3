import { TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { answers, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { until } from '../support/until.js';
import { asCopy, createWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.1' };
const URL_OF_SHOP = 'https://shop.example/hooks';
const database = useDatabase();
const api = useApi(database, OPEN);
const webhooks = webhooksOf(database);

const post = (token: string, path: string, body: object = {}, key?: string) =>
  api.request('POST', path, { token, body, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });
const get = (token: string, path: string) => api.request('GET', path, { token });
const put = (token: string, id: number, body: object) =>
  api.request('PUT', `/api/WebhookEndpoint/${id}`, { token, body });

describe('POST /api/WebhookEndpoints', () => {
  it('makes an endpoint, with defaults; its secret is nowhere in it, nor in plain text in the database', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const made = await post(token, '/api/WebhookEndpoints', { Url: URL_OF_SHOP });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      Id: expect.any(Number),
      SiteId: siteId,
      Url: URL_OF_SHOP,
      Description: null,
      EventTypes: [],
      Payload: 'Thin',
      Ordered: false,
      RatePerSecond: 10,
      Status: 'Enabled',
      DisabledReason: null,
      FailingSinceUtc: null,
      CreatedUtc: expect.any(String),
      UpdatedUtc: expect.any(String),
    });
    const path = `/api/WebhookEndpoint/${made.body.Id}`;
    expect(made.headers.get('location')).toBe(path);
    expect((await get(token, path)).body).toEqual(made.body);
    expect((await get(token, '/api/WebhookEndpoints')).body).toEqual([made.body]);
    const { body: secret } = await get(token, `${path}/Secret`);
    expect(secret).toEqual({ Secret: expect.stringMatching(/^whsec_/), PreviousSecret: null, PreviousUntilUtc: null });
    const [row] = await database.query<{ secret: string }>(`SELECT secret FROM webhook_endpoints WHERE id = $1`, [
      made.body.Id,
    ]);
    expect(row!.secret).toMatch(/^v1\./);
    expect(
      await database.query(`SELECT listens_since_utc IS NOT NULL AS listens FROM sites WHERE id = $1`, [siteId]),
    ).toEqual([{ listens: true }]);
  });

  it.each([
    [{}, 'Url', 'is required'],
    [{ Url: 'nonsense' }, 'Url', 'must be a URL'],
    [{ Url: 'ftp://shop.example' }, 'Url', 'must begin with https://'],
    [{ Url: 'https://ada:secret@shop.example' }, 'Url', 'must not have a user name'],
    [{ Url: 'https://shop.example/#a' }, 'Url', 'must not have a fragment'],
    [{ Url: 'https://10.0.0.1/' }, 'Url', 'not a public address'],
    [{ Url: 'https://[::1]/' }, 'Url', 'not a public address'],
    [{ Url: 7 }, 'Url', 'must be text'],
    [{ Url: URL_OF_SHOP, EventTypes: 'order.created' }, 'EventTypes', 'must be an array'],
    [{ Url: URL_OF_SHOP, EventTypes: ['order.created', 'no.such'] }, 'EventTypes', '"no.such" is no type of event'],
    [{ Url: URL_OF_SHOP, EventTypes: ['*'] }, 'EventTypes', 'is no type of event'],
    [{ Url: URL_OF_SHOP, EventTypes: [1] }, 'EventTypes', '1 must be text'],
    [{ Url: URL_OF_SHOP, EventTypes: [['order.*']] }, 'EventTypes', 'must be text'],
    [{ Url: URL_OF_SHOP, EventTypes: Array(101).fill('order.*') }, 'EventTypes', 'at most 100'],
    [{ Url: URL_OF_SHOP, Payload: 'Half' }, 'Payload', 'must be one of Thin, Full'],
    [{ Url: URL_OF_SHOP, RatePerSecond: 0 }, 'RatePerSecond', 'from 1 to 100'],
    [{ Url: URL_OF_SHOP, RatePerSecond: 101 }, 'RatePerSecond', 'from 1 to 100'],
    [{ Url: URL_OF_SHOP, Status: 'Paused' }, 'Status', 'must be one of Enabled, Disabled'],
    [{ Url: URL_OF_SHOP, Ordered: 'yes' }, 'Ordered', 'must be true or false'],
    [{ Url: URL_OF_SHOP, Secret: 'whsec_x' }, 'Secret', 'is not a field'],
  ])('refuses %j: %s %s', async (body, field, message) => {
    const { tokenAuth: token } = await webhooks.merchant();
    const refused = await post(token, '/api/WebhookEndpoints', body);
    expect({ status: refused.status, detail: refused.body.detail }).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused.body)).toContain(field);
    expect(JSON.stringify(refused.body)).toContain(message.replaceAll('"', '\\"'));
    expect(JSON.stringify(refused.body)).not.toContain('ada:secret');
  });

  it('makes at most 20 for a site; a deleted one does not count', async () => {
    const { tokenAuth: token } = await webhooks.merchant();
    const made = await Promise.all(
      Array.from({ length: 24 }, () => post(token, '/api/WebhookEndpoints', { Url: URL_OF_SHOP })),
    );
    const statuses = made.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(4);
    const id = made.find(({ status }) => status === 201)!.body.Id as number;
    expect((await api.request('DELETE', `/api/WebhookEndpoint/${id}`, { token })).status).toBe(204);
    expect((await post(token, '/api/WebhookEndpoints', { Url: URL_OF_SHOP })).status).toBe(201);
  });

  it('is repeated under its Idempotency-Key', async () => {
    const { tokenAuth: token } = await webhooks.merchant();
    const [first, second] = [
      await post(token, '/api/WebhookEndpoints', { Url: URL_OF_SHOP }, 'k'),
      await post(token, '/api/WebhookEndpoints', { Url: URL_OF_SHOP }, 'k'),
    ];
    expect(second.body).toEqual(first.body);
    expect((await get(token, '/api/WebhookEndpoints')).body).toHaveLength(1);
  });
});

describe('PUT and DELETE /api/WebhookEndpoint/{id}', () => {
  it('change the fields sent; the last deleted one ends the listening', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, URL_OF_SHOP);
    const changes = {
      Url: 'https://other.example/',
      Description: 'mine',
      EventTypes: ['order.*'],
      Payload: 'Full',
      Ordered: true,
      RatePerSecond: 3,
      Status: 'Disabled',
    };
    const { body } = await put(token, id, changes);
    expect(body).toMatchObject({ ...changes, DisabledReason: null });
    expect((await put(token, id, { Url: 'https://127.0.0.2/' })).status).toBe(400);
    expect((await put(token, id, body)).body).toMatchObject(changes);
    expect((await api.request('DELETE', `/api/WebhookEndpoint/${id}`, { token })).status).toBe(204);
    expect((await get(token, `/api/WebhookEndpoint/${id}`)).status).toBe(404);
    expect((await get(token, `/api/WebhookEndpoint/${id}/Secret`)).status).toBe(404);
    expect(await database.query(`SELECT listens_since_utc FROM sites WHERE id = $1`, [siteId])).toEqual([
      { listens_since_utc: null },
    ]);
  });
});

describe('POST …/RotateSecret', () => {
  it('replaces the secret at once without an overlap, and refuses a second rotation within one', async () => {
    const { tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, URL_OF_SHOP);
    const path = `/api/WebhookEndpoint/${id}`;
    const { body: before } = await get(token, `${path}/Secret`);
    const { body: first } = await post(token, `${path}/RotateSecret`, { OverlapSeconds: 0 });
    expect(first).toEqual({ Secret: expect.stringMatching(/^whsec_/), PreviousSecret: null, PreviousUntilUtc: null });
    expect(first.Secret).not.toBe(before.Secret);
    const { body: second } = await post(token, `${path}/RotateSecret`, {}, 'rotate-1');
    expect(second).toMatchObject({ PreviousSecret: first.Secret });
    expect(Date.parse(second.PreviousUntilUtc) - Date.now()).toBeGreaterThan(86_000_000);
    expect((await post(token, `${path}/RotateSecret`, {}, 'rotate-1')).body).toEqual(second);
    const third = await post(token, `${path}/RotateSecret`);
    expect(third.status).toBe(409);
    expect(third.body.detail).toContain('signs until');
    expect((await get(token, `${path}/Secret`)).body).toEqual(second);
    for (const OverlapSeconds of [-1, 604_801, 'a'])
      expect((await post(token, `${path}/RotateSecret`, { OverlapSeconds })).status).toBe(400);
  });
});

describe('POST …/Test', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => (receiver = await WebhookReceiver.start()));
  afterAll(() => receiver.stop());

  it('sends a synthetic event now, also to a disabled endpoint, and answers how it went', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { Status: 'Disabled' });
    receiver.next.push(answers(418, {}, 'x'.repeat(2_000)));
    const tested = await post(token, `/api/WebhookEndpoint/${id}/Test`, { EventType: 'order.created' }, 'test-1');
    expect(tested).toMatchObject({
      status: 200,
      body: { Status: 418, Milliseconds: expect.any(Number), Reply: 'x'.repeat(1_024), Error: null },
    });
    const [received] = receiver.received;
    expect(JSON.parse(received!.body)).toMatchObject({
      type: 'order.created',
      data: { SiteId: siteId, Simulated: true },
    });
    expect(received!.signature).toMatch(/^v1,/);
    const again = await post(token, `/api/WebhookEndpoint/${id}/Test`, { EventType: 'order.created' }, 'test-1');
    expect(again.body).toEqual(tested.body);
    expect(receiver.received).toHaveLength(1);
    expect((await get(token, `/api/WebhookEndpoint/${id}/Deliveries`)).body).toEqual([]);
  });

  it('sends nothing from a database that is a copy', async () => {
    const { tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, `${receiver.url}/copy`);
    const refused = await asCopy(database, () => post(token, `/api/WebhookEndpoint/${id}/Test`, {}, 'copy-1'));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('is a copy of another one')]);
    expect(receiver.at('/hooks/copy')).toEqual([]);
    expect(await post(token, `/api/WebhookEndpoint/${id}/Test`, {}, 'copy-1')).toMatchObject({ status: 200 });
  });

  it('answers why nothing came back', async () => {
    const { tokenAuth: token } = await webhooks.merchant();
    const reserved = await webhooks.endpoint(api, token, URL_OF_SHOP);
    expect((await post(token, `/api/WebhookEndpoint/${reserved}/Test`)).body).toMatchObject({
      Status: null,
      Reply: null,
      Error: 'The name shop.example is not known in DNS.',
    });
    const closed = await webhooks.endpoint(api, token, 'http://127.0.0.1:1/');
    expect((await post(token, `/api/WebhookEndpoint/${closed}/Test`)).body).toMatchObject({
      Status: null,
      Error: 'The connection was refused.',
    });
    expect((await post(token, `/api/WebhookEndpoint/${closed}/Test`, { EventType: 'no.such' })).status).toBe(400);
  });
});

describe('Deliveries', () => {
  let receiver: WebhookReceiver;
  const worker = () => createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  const drain = async () => {
    const one = worker();
    await one.drain();
    await one.end();
  };
  beforeAll(async () => (receiver = await WebhookReceiver.start()));
  afterAll(() => receiver.stop());

  it('are listed newest first by state and type, page by page, and shown with their tries', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { RatePerSecond: 100 });
    const path = `/api/WebhookEndpoint/${id}/Deliveries`;
    await webhooks.happen(siteId, 129);
    await drain();
    receiver.next.push(answers(500, {}, 'sorry'));
    await webhooks.happen(siteId, 1);
    await drain();
    const first = await get(token, path);
    expect(first.body).toHaveLength(100);
    const ids = (first.body as { Id: number }[]).map(({ Id }) => Id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const link = /<(.+)>; rel="next"/.exec(first.headers.get('link')!)![1]!;
    const second = await get(token, link);
    expect(second.body).toHaveLength(30);
    expect(second.headers.get('link')).toBeNull();
    const waiting = await get(token, `${path}?State=Waiting`);
    expect(waiting.body).toHaveLength(1);
    expect((await get(token, `${path}?State=Delivered&EventType=order.created`)).body).toEqual([]);
    const { body } = await get(token, `/api/WebhookDelivery/${waiting.body[0].Id}`);
    expect(body).toMatchObject({
      ...waiting.body[0],
      WebhookEndpointId: id,
      EventType: 'scheduled_order.updated',
      State: 'Waiting',
      Tries: 1,
      Attempts: [
        {
          StartedUtc: expect.any(String),
          Milliseconds: expect.any(Number),
          Status: 500,
          Error: 'The reply is 500: only 2xx is success.',
          Reply: 'sorry',
        },
      ],
    });
    expect(JSON.parse(body.Body).data.Sequence).toBe(body.Sequence);
    expect(JSON.stringify(body)).not.toContain('whsec_');
  });

  it.each([
    ['State=Lost', 'State'],
    ['EventType=no.such', 'EventType'],
    ['cursor=abc', 'cursor'],
    ['cursor=-1', 'cursor'],
    ['cursor=1&cursor=2', 'cursor'],
    ['state=Waiting', 'state'],
  ])('refuse the query %s', async (query, field) => {
    const { tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, URL_OF_SHOP);
    const refused = await get(token, `/api/WebhookEndpoint/${id}/Deliveries?${query}`);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(field);
  });

  it('are sent again by Resend: the same bytes under the same id', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, `${receiver.url}/again`);
    await webhooks.happen(siteId, 1);
    await drain();
    const [delivery] = (await get(token, `/api/WebhookEndpoint/${id}/Deliveries`)).body;
    const resent = await post(token, `/api/WebhookDelivery/${delivery.Id}/Resend`, {}, 'again-1');
    expect(resent).toMatchObject({ status: 202, body: { Id: delivery.Id, State: 'Waiting' } });
    await post(token, `/api/WebhookDelivery/${delivery.Id}/Resend`, {}, 'again-1');
    await drain();
    const [first, second, ...more] = receiver.at('/hooks/again');
    expect(more).toEqual([]);
    expect({ id: second!.id, body: second!.body }).toEqual({ id: first!.id, body: first!.body });
    expect((await get(token, `/api/WebhookDelivery/${delivery.Id}`)).body).toMatchObject({
      State: 'Delivered',
      Tries: 1,
      Attempts: [{ Status: 204 }, { Status: 204 }],
    });
    await put(token, id, { Status: 'Disabled' });
    const refused = await post(token, `/api/WebhookDelivery/${delivery.Id}/Resend`);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('is disabled')]);
    expect((await post(token, '/api/WebhookDelivery/999999999/Resend')).status).toBe(404);
  });

  it('are not there for Resend when they are deleted while it waits', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, `${receiver.url}/deleted`);
    await webhooks.happen(siteId, 1);
    await drain();
    const [delivery] = (await get(token, `/api/WebhookEndpoint/${id}/Deliveries`)).body;
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'api' AND wait_event_type = 'Lock'`;
    const resent = await database.pool.transaction(async (tx) => {
      await tx.execute(`SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`, [id]);
      const sent = post(token, `/api/WebhookDelivery/${delivery.Id}/Resend`);
      await until(async () => (await database.query(waiting)).length > 0);
      await tx.execute(`DELETE FROM webhook_deliveries WHERE id = $1`, [delivery.Id]);
      return [sent] as const;
    });
    expect(await resent[0]).toMatchObject({
      status: 404,
      body: { detail: `There is no WebhookDelivery ${delivery.Id}.` },
    });
  });

  it('are made by Recover for what happened while the endpoint was disabled, was exhausted, or for all', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, `${receiver.url}/recovered`, { RatePerSecond: 100 });
    const path = `/api/WebhookEndpoint/${id}/Recover`;
    const SinceUtc = new Date(Date.now() - 3_600_000).toISOString();
    const seen = () => receiver.at('/hooks/recovered').length;
    await webhooks.happen(siteId, 2);
    await drain();
    await put(token, id, { Status: 'Disabled' });
    await webhooks.happen(siteId, 3);
    await drain();
    const refused = await post(token, path, { SinceUtc, Which: 'NotSent' });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('is disabled')]);
    await put(token, id, { Status: 'Enabled' });
    const recovered = await post(token, path, { SinceUtc, Which: 'NotSent' }, 'recover-1');
    expect(recovered).toMatchObject({ status: 202, body: { Deliveries: 3, ListensSinceUtc: expect.any(String) } });
    expect((await post(token, path, { SinceUtc, Which: 'NotSent' }, 'recover-1')).body).toEqual(recovered.body);
    await drain();
    expect(seen()).toBe(5);
    await database.query(
      `UPDATE webhook_deliveries SET state = 'Exhausted' WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE webhook_endpoint_id = $1)`,
      [id],
    );
    expect((await post(token, path, { SinceUtc, Which: 'Failed' })).body.Deliveries).toBe(1);
    await drain();
    expect((await post(token, path, { SinceUtc, Which: 'All' })).body.Deliveries).toBe(5);
    await drain();
    expect(seen()).toBe(11);
    expect(new Set(receiver.at('/hooks/recovered').map((one) => one.id)).size).toBe(5);
    expect((await post(token, path, { SinceUtc, UntilUtc: SinceUtc, Which: 'All' })).body.Deliveries).toBe(0);
  });

  it('are made by Recover also for what happened before the endpoint was made', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    await webhooks.endpoint(api, token, `${receiver.url}/early`, { RatePerSecond: 100 });
    await webhooks.happen(siteId, 3);
    await drain();
    const late = await webhooks.endpoint(api, token, `${receiver.url}/late`, { RatePerSecond: 100 });
    await drain();
    expect(receiver.at('/hooks/late')).toEqual([]);
    const SinceUtc = new Date(Date.now() - 3_600_000).toISOString();
    const recovered = await post(token, `/api/WebhookEndpoint/${late}/Recover`, { SinceUtc, Which: 'NotSent' });
    expect(recovered).toMatchObject({ status: 202, body: { Deliveries: 3 } });
    await drain();
    const sent = (path: string) => receiver.at(path).map(({ id, body }) => `${id} ${body}`);
    expect(sent('/hooks/late').sort()).toEqual(sent('/hooks/early').sort());
    expect(sent('/hooks/late')).toHaveLength(3);
  });

  it.each([
    [{ Which: 'All' }, 'SinceUtc'],
    [{ SinceUtc: '2026-01-01' }, 'Which'],
    [{ SinceUtc: '2026-01-01', Which: 'Some' }, 'Which'],
    [{ SinceUtc: 'yesterday', Which: 'All' }, 'SinceUtc'],
    [{ SinceUtc: '2026-01-02', UntilUtc: '2026-01-01', Which: 'All' }, 'UntilUtc'],
  ])('are not made by Recover with %j', async (body, field) => {
    const { tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, URL_OF_SHOP);
    const refused = await post(token, `/api/WebhookEndpoint/${id}/Recover`, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(field);
  });
});
