import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Dispatcher } from '../../apps/worker/src/dispatcher/dispatcher.js';
import { WorkGuard } from '../../apps/worker/src/guards/work-guard.js';
import { itInAllCases } from '../support/all-cases.js';
import { type Json, TEST_ENCRYPTION_KEY, useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { numberSome } from '../support/events/events.js';
import { answers, type Received, WebhookReceiver } from '../support/events/webhook-receiver.js';
import { webhooksOf } from '../support/events/webhooks.js';
import { Answers } from '../support/openapi/answers.js';
import { until } from '../support/until.js';
import { createWorker, givenShop, type TestWorker } from '../support/worker.js';

const OPEN = { OUTBOUND_ALLOWED_ADDRESSES: '127.0.0.0/8' };
const database = useDatabase();
const api = useApi(database, OPEN);
const webhooks = webhooksOf(database);
let receiver: WebhookReceiver;
let worker: TestWorker;
const newWorker = () =>
  createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }, {}, { outbound: { wholeMs: 2_000 } });

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  worker = newWorker();
});
afterEach(async () => {
  await worker.end();
  await receiver.stop();
});

/** As Standard Webhooks 1.0.0 says, without the library. */
function verifies({ id, timestamp, body, signature }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signature.split(' ').some((one) => {
    const [version, value] = one.split(',') as [string, string];
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The JSON of a message: what it holds is what a test asserts. */
const parsed = ({ body }: { body: string }) => JSON.parse(body) as { type: string; data: Record<string, Json> };

const secretsOf = async (id: number, token: string) =>
  (await api.request('GET', `/api/WebhookEndpoint/${id}/Secret`, { token })).body as {
    Secret: string;
    PreviousSecret: string | null;
  };

/** Tells what is wrong with a message, by the OpenAPI document; null when nothing is. */
async function describedFaults() {
  const { body: document } = await api.request('GET', '/openapi.json');
  const described = await Answers.create(document);
  return (message: { type: string; data: Record<string, Json> }) => {
    const { schema } = document.webhooks[message.type].post.requestBody.content['application/json'];
    return described.faultOf(schema, message);
  };
}

describe('An event', () => {
  it('is sent as Standard Webhooks says: signed, with its facts, to every endpoint that wants it', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    await webhooks.endpoint(api, token, `${receiver.url}/exact`, { EventTypes: ['scheduled_order.updated'] });
    await webhooks.endpoint(api, token, `${receiver.url}/prefix`, { EventTypes: ['scheduled_order.*'] });
    await webhooks.endpoint(api, token, `${receiver.url}/other`, { EventTypes: ['order.*', 'scheduled_order.paused'] });
    await webhooks.endpoint(api, token, `${receiver.url}/off`, { Status: 'Disabled' });
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hooks', '/hooks/exact', '/hooks/prefix']);
    const [received] = receiver.at('/hooks');
    const { id: eventId, headers, body } = received!;
    expect(eventId).toMatch(/^evt_[0-9a-f-]{36}$/);
    expect(headers['content-type']).toBe('application/json');
    expect(Math.abs(Number(received!.timestamp) - Date.now() / 1_000)).toBeLessThan(60);
    const sent = JSON.parse(body);
    expect(Object.keys(sent)).toEqual(['type', 'timestamp', 'data']);
    expect(sent).toMatchObject({
      type: 'scheduled_order.updated',
      data: { SiteId: siteId, ScheduledOrderId: 77, Cycle: null, Simulated: false, Sequence: expect.any(Number) },
    });
    const { Secret: secret } = await secretsOf(id, token);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verifies(received!, secret)).toBe(true);
    expect(new Webhook(secret).verify(body, headers)).toEqual(sent);
    expect(verifies({ ...received!, body: `${body} ` }, secret)).toBe(false);
    expect(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(body, headers)).toThrow();
    expect(await webhooks.deliveries(id)).toMatchObject([
      { state: 'Delivered', tries: '1', attempts: [{ Status: 204, Error: null }] },
    ]);
  });

  it('is signed with both secrets while one is replaced', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    const { Secret: before } = await secretsOf(id, token);
    const { body: rotated } = await api.request('POST', `/api/WebhookEndpoint/${id}/RotateSecret`, {
      token,
      body: { OverlapSeconds: 60 },
    });
    expect(rotated).toMatchObject({ PreviousSecret: before, PreviousUntilUtc: expect.any(String) });
    await webhooks.happen(siteId, 1);
    await worker.drain();
    const [received] = receiver.received;
    expect(received!.signature.split(' ')).toHaveLength(2);
    for (const secret of [before, rotated.Secret]) {
      expect(verifies(received!, secret)).toBe(true);
      new Webhook(secret).verify(received!.body, received!.headers);
    }
    await database.query(
      `UPDATE webhook_endpoints SET previous_until_utc = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await secretsOf(id, token)).toEqual({
      Secret: rotated.Secret,
      PreviousSecret: null,
      PreviousUntilUtc: null,
    });
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(receiver.received[1]!.signature.split(' ')).toHaveLength(1);
    expect(verifies(receiver.received[1]!, before)).toBe(false);
  });

  it('carries the order as its log entry has it, where the endpoint wants it', async () => {
    const shop = await givenShop(database, { apiKey1: 'sandbox' });
    // The integration's key was encrypted with the worker's usual key.
    await database.query(`UPDATE payment_integrations SET api_key1 = NULL WHERE id = $1`, [shop.integrationId]);
    const thin = await webhooks.endpoint(api, shop.tokenAuth, `${receiver.url}/thin`);
    await webhooks.endpoint(api, shop.tokenAuth, `${receiver.url}/full`, { Payload: 'Full' });
    const orderId = await shop.dueOrder({ nextOccurrenceUtc: new Date(Date.now() + 86_400_000 * 90) });
    const path = `/api/ScheduledOrders/${orderId}`;
    expect((await api.request('PUT', path, { token: shop.tokenAuth, body: { ShippingCity: 'Lyon' } })).status).toBe(
      200,
    );
    const { body: order } = await api.request('GET', path, { token: shop.tokenAuth });
    expect((await api.request('DELETE', path, { token: shop.tokenAuth })).status).toBe(204);
    await worker.drain();
    const [updated, deleted] = receiver.at('/hooks/full').map(parsed);
    expect(updated!.data.ScheduledOrder).toMatchObject({
      Id: orderId,
      ShippingCity: 'Lyon',
      UpdatedUtc: order.UpdatedUtc,
    });
    const faultOf = await describedFaults();
    for (const body of [updated!, deleted!]) {
      expect(faultOf(body)).toBeNull();
      expect(faultOf({ ...body, data: { ...body.data, ScheduledOrder: { Id: 'x' } } })).not.toBeNull();
    }
    // The last event of a deleted order goes out as well.
    expect(deleted).toMatchObject({
      type: 'scheduled_order.deleted',
      data: { ScheduledOrderId: orderId, ScheduledOrder: { Id: orderId } },
    });
    const bare = receiver.at('/hooks/thin').map(parsed);
    expect(bare.map(({ type }) => type)).toEqual(['scheduled_order.updated', 'scheduled_order.deleted']);
    expect(bare[0]!.data).not.toHaveProperty('ScheduledOrder');
    expect(await webhooks.deliveries(thin)).toHaveLength(2);
  });

  it('of a customer who is deleted is the last one of each order, also of those that are due or come soon', async () => {
    const shop = await givenShop(database, { apiKey1: 'sandbox' });
    await database.query(`UPDATE payment_integrations SET api_key1 = NULL WHERE id = $1`, [shop.integrationId]);
    await webhooks.endpoint(api, shop.tokenAuth, receiver.url, { RatePerSecond: 100 });
    const inDays = (days: number) => ({ nextOccurrenceUtc: new Date(Date.now() + days * 86_400_000) });
    const ids = [await shop.dueOrder(), await shop.dueOrder(inDays(2)), await shop.dueOrder(inDays(90))];
    const { tokenAuth: token, customerId } = shop;
    expect((await api.request('DELETE', `/api/Customers/${customerId}`, { token })).status).toBe(204);
    for (const id of ids) {
      const changed = await api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Frequency: 5 } });
      expect(changed.status).toBe(404);
    }
    await worker.drain();
    await worker.drain();
    const arrived = receiver.received.map(parsed).map(({ type, data }) => [type, data.ScheduledOrderId as number]);
    expect(arrived.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual(
      ids.map((id) => ['scheduled_order.deleted', id]),
    );
  });

  it('from before an endpoint was made is not sent to it', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    await webhooks.endpoint(api, token, `${receiver.url}/first`);
    await webhooks.happen(siteId, 1);
    const later = await webhooks.endpoint(api, token, `${receiver.url}/later`);
    await worker.drain();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/first']);
    expect(await webhooks.deliveries(later)).toEqual([]);
  });
});

describe('A receiver that fails in every way', () => {
  it('gets every event at least once, under one id, with the same bytes', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { Payload: 'Full' });
    const failures = [
      (reply: { socket: { destroy(): void } | null }) => void reply.socket?.destroy(), // drops
      () => undefined, // never answers
      answers(500),
      answers(301, { location: receiver.url }),
      answers(429),
      (reply: {
        writeHead(status: number, headers: object): { write(text: string): void };
        socket: { end(): void } | null;
      }) => {
        reply.writeHead(200, { 'content-length': 100 }).write('half');
        setTimeout(() => reply.socket?.end(), 20);
      },
    ];
    for (const failure of failures) {
      const before = receiver.received.length;
      receiver.next.push(failure as never);
      await webhooks.happen(siteId, 1);
      await worker.drain();
      expect(receiver.received).toHaveLength(before + 1);
      await webhooks.comeDue(id);
      await worker.drain();
      const [first, second] = receiver.received.slice(before);
      expect({ id: first!.id, body: first!.body }).toEqual({ id: second!.id, body: second!.body });
    }
    const made = await webhooks.deliveries(id);
    expect(made).toHaveLength(failures.length);
    expect(made.map(({ state }) => state)).toEqual(made.map(() => 'Delivered'));
    expect(new Set(receiver.received.map((one) => one.id))).toEqual(new Set(made.map((one) => `evt_${one.event_id}`)));
    expect(made.map(({ attempts }) => attempts[0]!.Status)).toEqual([null, null, 500, 301, 429, 200]);
    expect(made[3]!.attempts[0]!.Error).toContain('Redirects are not followed');
  });

  it('keeps the bytes of the first sending when the endpoint wants other ones since', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.next.push(answers(500));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    await api.request('PUT', `/api/WebhookEndpoint/${id}`, { token, body: { Payload: 'Full' } });
    await database.query(`UPDATE outbox SET facts = '{"Cycle": 9}' WHERE site_id = $1`, [siteId]);
    await webhooks.comeDue(id);
    await worker.drain();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
  });

  it('is tried ten times, at the times of the schedule, and then no more', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.always = answers(500);
    await webhooks.happen(siteId, 1);
    const waits: { seconds: number; tookSeconds: number }[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      const begunMs = performance.now();
      await worker.drain();
      const tookSeconds = (performance.now() - begunMs) / 1_000;
      const [row] = await database.query<{ seconds: string | null }>(
        `SELECT extract(epoch FROM next_attempt_utc - (attempts -> -1 ->> 'StartedUtc')::timestamptz) AS seconds FROM webhook_deliveries WHERE webhook_endpoint_id = $1`,
        [id],
      );
      if (row!.seconds !== null) waits.push({ seconds: Number(row!.seconds), tookSeconds });
      await webhooks.comeDue(id);
    }
    await worker.drain();
    expect(receiver.received).toHaveLength(10);
    const hours = 3_600;
    const expected = [5, 300, 1_800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours];
    expect(waits).toHaveLength(expected.length);
    for (const [index, seconds] of expected.entries()) {
      expect(waits[index]!.seconds).toBeGreaterThanOrEqual(seconds * 0.9 - 1);
      // It is counted from when the answer was recorded.
      expect(waits[index]!.seconds).toBeLessThanOrEqual(seconds * 1.1 + 1 + waits[index]!.tookSeconds);
    }
    expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Exhausted', tries: '10' }]);
  });
});

describe('An endpoint', () => {
  itInAllCases('that answers 410 is disabled, and its site is told', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, `${receiver.url}/gone`);
    await webhooks.endpoint(api, token, `${receiver.url}/told`, { EventTypes: ['webhook_endpoint.*'] });
    receiver.next.push(answers(410));
    await webhooks.happen(siteId, 2);
    await worker.drain();
    await worker.drain();
    const { body } = await api.request('GET', `/api/WebhookEndpoint/${id}`, { token });
    expect(body).toMatchObject({
      Status: 'Disabled',
      DisabledReason: 'It answered 410 (Gone).',
      FailingSinceUtc: expect.any(String),
    });
    expect(await webhooks.row(id)).toMatchObject({ next_due_utc: null });
    const delivered = receiver.at('/hooks/told').map(parsed);
    expect(delivered).toMatchObject([
      { type: 'webhook_endpoint.disabled', data: { WebhookEndpointId: id, Reason: 'Gone' } },
    ]);
    const faultOf = await describedFaults();
    expect(faultOf(delivered[0]!)).toBeNull();
    expect(faultOf({ ...delivered[0]!, data: { ...delivered[0]!.data, Other: 1 } })).not.toBeNull();
  });

  it.each(['its next try', 'Resend'])(
    'that answered 410 and is enabled again gets the event with %s: the same bytes under the same id',
    async (way) => {
      const { siteId, tokenAuth: token } = await webhooks.merchant();
      const id = await webhooks.endpoint(api, token, receiver.url, { EventTypes: ['scheduled_order.*'] });
      const path = `/api/WebhookEndpoint/${id}`;
      receiver.next.push(answers(410));
      await webhooks.happen(siteId, 1);
      await worker.drain();
      await webhooks.comeDue(id);
      expect((await api.request('GET', path, { token })).body).toMatchObject({ Status: 'Disabled' });
      await api.request('PUT', path, { token, body: { Status: 'Enabled' } });
      const [delivery] = (await api.request('GET', `${path}/Deliveries`, { token })).body;
      expect(delivery).toMatchObject({ State: 'Waiting', Tries: 1 });
      if (way === 'Resend')
        await api.request('POST', `/api/WebhookDelivery/${delivery.Id}/Resend`, { token, body: {} });
      else await webhooks.comeDue(id);
      await worker.drain();
      const [first, second, ...more] = receiver.received;
      expect(more).toEqual([]);
      expect({ id: second!.id, body: second!.body }).toEqual({ id: first!.id, body: first!.body });
      expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Delivered' }]);
      expect(await webhooks.row(id)).toMatchObject({ status: 'Enabled', failures: '0', failing_since_utc: null });
    },
  );

  it('to which nothing could be delivered for five days is disabled', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.next.push(answers(500), answers(500));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(await webhooks.row(id)).toMatchObject({ status: 'Enabled', failures: '1' });
    await database.query(
      `UPDATE webhook_endpoints SET failures = 4, failing_since_utc = now() - interval '5 days 1 second' WHERE id = $1`,
      [id],
    );
    await webhooks.comeDue(id);
    await worker.drain();
    expect(await webhooks.row(id)).toMatchObject({
      status: 'Disabled',
      disabled_reason: 'Nothing could be delivered for 5 days.',
    });
    // Enabled again, it gets what has waited: each at its next try.
    const { body } = await api.request('PUT', `/api/WebhookEndpoint/${id}`, { token, body: { Status: 'Enabled' } });
    expect(body).toMatchObject({ Status: 'Enabled', DisabledReason: null, FailingSinceUtc: null });
    await webhooks.comeDue(id);
    await worker.drain();
    expect((await webhooks.deliveries(id))[0]).toMatchObject({ state: 'Delivered', tries: '3' });
  });

  itInAllCases('is tried five times more when no worker was running in these days', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.next.push(...Array.from({ length: 6 }, () => answers(500)));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    await database.query(
      `UPDATE webhook_endpoints SET failures = 9, failing_since_utc = now() - interval '8 days' WHERE id = $1`,
      [id],
    );
    await webhooks.comeDue(id);
    await database.query(`UPDATE webhook_endpoints SET next_due_utc = now() - interval '6 days' WHERE id = $1`, [id]);
    for (let tries = 1; tries < 5; tries++) {
      await worker.drain();
      expect(await webhooks.row(id)).toMatchObject({ status: 'Enabled', failures: String(9 + tries) });
      await webhooks.comeDue(id);
    }
    await worker.drain();
    expect(await webhooks.row(id)).toMatchObject({ status: 'Disabled', failures: '14' });
  });

  itInAllCases('is disabled after five days also when a worker runs only now and then', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.always = answers(500);
    await webhooks.happen(siteId, 1);
    for (let run = 1; run <= 5; run++) {
      await worker.drain();
      expect(await webhooks.row(id)).toMatchObject({ status: run < 5 ? 'Enabled' : 'Disabled', failures: String(run) });
      await webhooks.comeDue(id);
      await database.query(
        `UPDATE webhook_endpoints SET failing_since_utc = now() - interval '5 days', next_due_utc = now() - interval '2 hours' WHERE id = $1`,
        [id],
      );
    }
  });

  it.each([
    [429, '120', 120],
    [503, '600', 600],
    [503, '99999999', 86_400],
  ])('that answers %i with Retry-After %s is left alone for %i seconds', async (status, header, seconds) => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    receiver.next.push(answers(status, { 'retry-after': header }));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(receiver.received).toHaveLength(1);
    const held = Number((await webhooks.row(id)).held_seconds);
    expect(held).toBeGreaterThan(seconds - 30);
    expect(held).toBeLessThanOrEqual(seconds);
  });

  it('that fails five times in a row is probed with one delivery; the others wait without using up tries', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { RatePerSecond: 5 });
    receiver.always = answers(500);
    await webhooks.happen(siteId, 40);
    await worker.drain();
    expect(receiver.received).toHaveLength(5);
    expect(await webhooks.row(id)).toMatchObject({ failures: '5' });
    await worker.drain();
    expect(receiver.received).toHaveLength(5);
    await webhooks.comeDue(id);
    await worker.drain();
    expect(receiver.received).toHaveLength(6);
    const tries = (await webhooks.deliveries(id)).map((one) => Number(one.tries));
    expect(tries.filter((count) => count === 0)).toHaveLength(
      40 - new Set(receiver.received.map((one) => one.id)).size,
    );
    receiver.always = answers(200);
    await webhooks.comeDue(id);
    const startedAt = performance.now();
    await worker.drain();
    // The probe, then the rest at its rate.
    expect(performance.now() - startedAt).toBeGreaterThan(5_000);
    expect((await webhooks.deliveries(id)).every(({ state }) => state === 'Delivered')).toBe(true);
    expect(await webhooks.row(id)).toMatchObject({ failures: '0', failing_since_utc: null });
  });

  it('that is Ordered gets the events of one order one after the other, and those of others meanwhile', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url, { Ordered: true });
    const dataOf = () =>
      receiver.received.map(({ body }) => JSON.parse(body).data as { ScheduledOrderId: number; Sequence: number });
    receiver.next.push(answers(500));
    await webhooks.happen(siteId, 3, 1);
    await worker.drain();
    await webhooks.happen(siteId, 2, 1);
    await webhooks.happen(siteId, 2, 2);
    await worker.drain();
    expect(dataOf().map((one) => one.ScheduledOrderId)).toEqual([1, 2, 2]);
    await webhooks.comeDue(id);
    await worker.drain();
    const first = dataOf()
      .filter((one) => one.ScheduledOrderId === 1)
      .map((one) => one.Sequence);
    expect(first).toHaveLength(6);
    expect(first.slice(1)).toEqual(first.slice(1).toSorted((a, b) => a - b));
    expect((await webhooks.deliveries(id)).every(({ state }) => state === 'Delivered')).toBe(true);
  });

  it('that was deleted gets nothing more', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    await webhooks.endpoint(api, token, `${receiver.url}/stays`);
    receiver.next.push(answers(500), answers(500));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    const before = receiver.at('/hooks').length;
    expect((await api.request('DELETE', `/api/WebhookEndpoint/${id}`, { token })).status).toBe(204);
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(receiver.at('/hooks')).toHaveLength(before);
    expect(await webhooks.row(id)).toMatchObject({ next_due_utc: null });
    // Not when its delivery is due either, and endpoints are looked for that were forgotten.
    await database.query(`UPDATE webhook_deliveries SET next_attempt_utc = now() WHERE webhook_endpoint_id = $1`, [id]);
    await worker.end();
    worker = newWorker();
    await (await worker.part(Dispatcher)).tick();
    await worker.drain();
    expect(receiver.at('/hooks')).toHaveLength(before);
    expect(await webhooks.row(id)).toMatchObject({ next_due_utc: null });
    expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Waiting', tries: '1' }]);
  });
});

describe('A tick', () => {
  it('sees what other processes have left: numbered events, endpoints that are due, and now and then one that was forgotten', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    await worker.drain();
    const tick = async () => (await worker.part(Dispatcher)).tick();
    const arrived = (count: number) => until(() => receiver.received.length === count);
    // PostgreSQL plans a statement for its values five times.
    for (let time = 0; time < 8; time++) await tick();
    expect(receiver.received).toHaveLength(0);

    await webhooks.happen(siteId, 1);
    await numberSome(database);
    receiver.next.push(answers(500));
    await tick();
    await arrived(1);
    await until(async () => (await webhooks.deliveries(id))[0]?.tries === '1');
    await tick();
    expect(receiver.received).toHaveLength(1);

    receiver.next.push(answers(500));
    await webhooks.comeDue(id);
    await tick();
    await arrived(2);
    await until(async () => (await webhooks.deliveries(id))[0]?.tries === '2');

    await webhooks.comeDue(id);
    await database.query(`UPDATE webhook_endpoints SET next_due_utc = NULL WHERE id = $1`, [id]);
    await tick();
    expect(await webhooks.row(id)).toMatchObject({ next_due_utc: null });
    await worker.end();
    worker = newWorker();
    await tick();
    await arrived(3);
    await until(async () => (await webhooks.deliveries(id))[0]?.state === 'Delivered');
  });
});

describe('A database that is a copy', () => {
  it('sends nothing, not even what waits and is due', async () => {
    const { siteId, tokenAuth: token } = await webhooks.merchant();
    const id = await webhooks.endpoint(api, token, receiver.url);
    const copy = createWorker(database, { ...OPEN, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, DEPLOYMENT_ID: 'a-test' });
    receiver.next.push(answers(500));
    await webhooks.happen(siteId, 1);
    await worker.drain();
    expect(receiver.received).toHaveLength(1);
    await database.query(`UPDATE deployment SET deployment_id = 'production'`);
    await webhooks.comeDue(id);
    await webhooks.happen(siteId, 1);
    await copy.drain();
    expect((await copy.part(WorkGuard)).refusal).toContain('this database belongs to "production"');
    expect(receiver.received).toHaveLength(1);
    expect(await webhooks.deliveries(id)).toMatchObject([{ state: 'Waiting', tries: '1' }]);
    await copy.end();
  });
});
