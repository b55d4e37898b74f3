import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const IN_2040 = '2040-03-15T10:00:00.000Z';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NONE = { ExternalId: null, CancelledUtc: null, CancelReason: null, Note: null };

/** Monthly on the 15th, next in 2040, unless said otherwise. */
async function shop(values: object = {}) {
  const merchant = await given.merchant();
  const { siteId, tokenAuth: token, userId } = merchant;
  const customerId = await given.customer(siteId);
  const customer = await given.token(userId, { customerId });
  const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: IN_2040, ...values });
  const path = `/api/ScheduledOrders/${id}`;
  const send = (method: string, part: string, body?: object, by = token) =>
    api.request(method, path + part, { token: by, body });
  const read = async <T = Record<string, unknown>>(part = '', by = token) =>
    (await send('GET', part, undefined, by)).body as T;
  const cancelled = async () => {
    expect((await send('POST', '/Cancel', { Reason: 'We have moved.' })).status).toBe(200);
  };
  return { ...merchant, token, customer, customerId, id, path, send, read, cancelled };
}

const logOf = async ({ read }: Awaited<ReturnType<typeof shop>>) =>
  (await read<{ ActionType: string; Description: string }[]>('/ActionLogs')).map(
    ({ ActionType, Description }) => `${ActionType}: ${Description.replace(/ by .*?([.:])/, ' by them$1')}`,
  );

const givenCycle = (siteId: number, id: number, state: string) =>
  database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt)
     VALUES ($1, $2, 1, $3, true, '2030-01-15T10:00:00Z', 1)`,
    [siteId, id, state],
  );

describe('GET and PUT /api/ScheduledOrders/{scheduledOrderId}/Terms', () => {
  it('answers null until they are set', async () => {
    const { send } = await shop();
    expect(await send('GET', '/Terms')).toMatchObject({ status: 200, body: NONE });
  });

  it('sets what is sent, logs it without the note’s words, and moves UpdatedUtc', async () => {
    const order = await shop();
    const { UpdatedUtc: before } = await order.read();
    expect((await order.send('PUT', '/Terms', { ExternalId: 'S-1042', Note: 'A secret.' })).body).toEqual({
      ...NONE,
      ExternalId: 'S-1042',
      Note: 'A secret.',
    });
    expect((await order.send('PUT', '/Terms', { ExternalId: null })).body).toEqual({ ...NONE, Note: 'A secret.' });
    expect(await order.read('/Terms')).toEqual({ ...NONE, Note: 'A secret.' });
    expect(await logOf(order)).toEqual([
      'UpdateScheduledOrder: ExternalId of the terms changed by them.',
      'UpdateScheduledOrder: ExternalId and Note of the terms changed by them.',
    ]);
    const { UpdatedUtc: after } = await order.read();
    expect(after).not.toBe(before);
    const timeline = await order.read<{ Sentence: string }[]>('/Timeline');
    expect(timeline.map(({ Sentence }) => Sentence)).toEqual([
      'Changed of its terms: ExternalId.',
      'Changed of its terms: ExternalId and Note.',
    ]);
  });

  it('takes back what was read, and changes nothing', async () => {
    const order = await shop();
    await order.cancelled();
    await order.send('PUT', '/Terms', { Note: 'A secret.' });
    const terms = await order.read<object>('/Terms');
    expect((await order.send('PUT', '/Terms', terms)).body).toEqual(terms);
    const shown = await order.read<object>('/Terms', order.customer);
    expect((await order.send('PUT', '/Terms', shown, order.customer)).body).toEqual(shown);
    expect(await logOf(order)).toHaveLength(2);
  });

  it('shows a customer no note, and lets it change neither', async () => {
    const { send, read, customer } = await shop();
    await send('PUT', '/Terms', { ExternalId: 'S-1042', Note: 'A secret.' });
    expect(await read('/Terms', customer)).toEqual({ ...NONE, ExternalId: 'S-1042' });
    for (const [body, field] of [
      [{ ExternalId: 'mine' }, 'ExternalId'],
      [{ ExternalId: null }, 'ExternalId'],
      [{ Note: 'Mine.' }, 'Note'],
    ] as const) {
      const { status, body: problem } = await send('PUT', '/Terms', body, customer);
      expect([status, problem.detail]).toEqual([403, `${field} is the shop's: a Customer token may not change it.`]);
    }
  });

  it('refuses a reference that another living order of the site has, and names it', async () => {
    const one = await shop();
    const other = await given.scheduledOrder(one.siteId, one.customerId, {});
    const setTo = (id: number, ExternalId: string) =>
      api.request('PUT', `/api/ScheduledOrders/${id}/Terms`, { token: one.token, body: { ExternalId } });
    expect((await setTo(other, 'S-1')).status).toBe(200);
    expect((await setTo(other, 'S-1')).status).toBe(200);
    expect((await one.send('PUT', '/Terms', { ExternalId: 'S-1' })).body).toMatchObject({
      status: 400,
      errors: [
        {
          field: 'ExternalId',
          message: `"S-1" belongs to ScheduledOrder ${other} already: update that one, or send another.`,
        },
      ],
    });
    await api.request('DELETE', `/api/ScheduledOrders/${other}`, { token: one.token });
    expect((await one.send('PUT', '/Terms', { ExternalId: 'S-1' })).status).toBe(200);
    const elsewhere = await shop();
    expect((await elsewhere.send('PUT', '/Terms', { ExternalId: 'S-1' })).status).toBe(200);
  });

  it('is no field of the order', async () => {
    const { send, read } = await shop();
    await send('PUT', '/Terms', { ExternalId: 'S-1042' });
    expect(Object.keys(await read())).not.toContain('ExternalId');
    expect((await send('PUT', '', { ExternalId: 'S-1043' })).status).toBe(400);
  });
});

describe('The header External-Id of POST /api/ScheduledOrders', () => {
  const post = ({ customerId, token }: Awaited<ReturnType<typeof shop>>, externalId: string, by = token) =>
    api.request('POST', '/api/ScheduledOrders', {
      token: by,
      body: { CustomerId: customerId },
      headers: { 'External-Id': externalId },
    });

  it('gives the order its reference at once, and makes no second one', async () => {
    const one = await shop();
    const { status, body } = await post(one, 'checkout 7');
    expect([
      status,
      await api.request('GET', `/api/ScheduledOrders/${body.Id}/Terms`, { token: one.token }),
    ]).toMatchObject([201, { body: { ...NONE, ExternalId: 'checkout 7' } }]);
    expect((await post(one, 'checkout 7')).body).toMatchObject({
      status: 400,
      errors: [
        { field: 'ExternalId', message: expect.stringContaining(`belongs to ScheduledOrder ${body.Id} already`) },
      ],
    });
  });

  it('is refused where it is empty, too long or not of ASCII, and from a Customer token', async () => {
    const one = await shop();
    for (const externalId of ['', 'x'.repeat(256), 'caf\u00e9']) {
      expect((await post(one, externalId)).body.errors).toEqual([
        {
          field: 'External-Id',
          message: 'must have 1 to 255 printable characters of ASCII: PUT …/Terms takes any others.',
        },
      ]);
    }
    const { status, body } = await post(one, 'mine', one.customer);
    expect([status, body.detail]).toEqual([403, "External-Id is the shop's: a Customer token may not change it."]);
  });
});

describe('GET /api/ScheduledOrders?ExternalId=', () => {
  const idsOf = async (query: string, token: string) => {
    const { body } = await api.request('GET', `/api/ScheduledOrders?${query}`, { token });
    return (body as unknown as { Id: number }[]).map(({ Id }) => Id);
  };

  it('lists the one order with this reference, for whoever may read it', async () => {
    const [one, elsewhere] = [await shop(), await shop()];
    for (const { send } of [one, elsewhere]) await send('PUT', '/Terms', { ExternalId: 'S-7' });
    await given.scheduledOrder(one.siteId, one.customerId, {});
    for (const by of [one.token, one.customer]) {
      expect(await idsOf('ExternalId=S-7', by)).toEqual([one.id]);
      expect(await idsOf('ExternalId=S-7&sort=-NextOccurrenceUtc&Status=Active', by)).toEqual([one.id]);
      expect(await idsOf('ExternalId=s-7', by)).toEqual([]);
    }
    const counted = await api.request('GET', '/api/ScheduledOrders/Count?ExternalId=S-7', { token: one.token });
    expect(counted.body).toMatchObject({ Count: 1 });
    await api.request('DELETE', one.path, { token: one.token });
    expect(await idsOf('ExternalId=S-7', one.token)).toEqual([]);
    const deleted = await api.request('GET', '/api/ScheduledOrders?ExternalId=S-7&Deleted=true', { token: one.token });
    expect([deleted.status, deleted.body.errors]).toMatchObject([400, [{ field: 'ExternalId' }]]);
  });
});

describe('POST /api/ScheduledOrders/{scheduledOrderId}/Cancel', () => {
  it('ends the order, which stays readable, and logs it with the reason', async () => {
    const order = await shop();
    expect(await order.send('POST', '/Cancel', { Reason: 'We have moved.' })).toMatchObject({
      status: 200,
      body: { Status: 'Paused', NextOccurrenceUtc: null },
    });
    expect(await order.read('/Terms')).toEqual({ ...NONE, CancelledUtc: TIME, CancelReason: 'We have moved.' });
    expect(await logOf(order)).toEqual(['PauseScheduledOrder: Cancelled by them: We have moved.']);
    const { When } = await order.read<{ When: { Reason: string; Sentence: string } }>('/Explain');
    expect(When).toMatchObject({
      Reason: 'Cancelled',
      Sentence: expect.stringMatching(/^The order was cancelled on /),
    });
    expect(await order.read('/Upcoming')).toEqual([]);
    const [{ Sentence } = { Sentence: '' }] = await order.read<{ Sentence: string }[]>('/Timeline');
    expect(Sentence).toMatch(/^The order was cancelled\./);
  });

  it('takes no reason, from a customer too; a second one changes nothing', async () => {
    const order = await shop({ status: 'Pending' });
    expect((await order.send('POST', '/Cancel', undefined, order.customer)).status).toBe(200);
    const terms = await order.read('/Terms');
    expect(terms).toEqual({ ...NONE, CancelledUtc: TIME });
    expect((await order.send('POST', '/Cancel', { Reason: 'Again.' })).body).toMatchObject({ Status: 'Paused' });
    expect(await order.read('/Terms')).toEqual(terms);
    expect(await logOf(order)).toEqual(['PauseScheduledOrder: Cancelled by them.']);
  });

  it('ends a wait for another try, and stops what is being charged', async () => {
    for (const [state, after] of [
      ['Retrying', 'Failed'],
      ['Charging', 'Charging'],
    ] as const) {
      const order = await shop();
      await givenCycle(order.siteId, order.id, state);
      await order.cancelled();
      const [cycle] = await database.query<{ state: string; stopped: boolean; keeps: boolean }>(
        `SELECT state, stopped_utc IS NOT NULL AS stopped, rescheduled_meanwhile AS keeps
         FROM processing_cycles WHERE scheduled_order_id = $1`,
        [order.id],
      );
      const isSent = after === 'Charging';
      expect(cycle).toEqual({ state: after, stopped: isSent, keeps: isSent });
      expect((await order.read()).NextOccurrenceUtc).toBeNull();
    }
  });

  it('leaves nothing to do with the order’s status and dates, for anybody', async () => {
    const order = await shop();
    await order.cancelled();
    for (const [method, part, body] of [
      ['POST', '/Skip', undefined],
      ['POST', '/Process', undefined],
      ['PUT', '/NextOccurrenceUtc', { NextOccurrenceUtc: IN_2040 }],
      ['PUT', '', { Status: 'Active' }],
      ['PUT', '', { FrequencyType: 'Weeks', Frequency: 2 }],
    ] as const) {
      for (const by of [order.token, order.customer]) {
        const { status, body: problem } = await order.send(method, part, body, by);
        expect([status, problem.detail]).toEqual([
          409,
          expect.stringMatching(/^The order was cancelled at \d{4}-\d\d-\d\d \d\d:\d\d UTC: Reactivate it first\.$/),
        ]);
      }
    }
    expect((await order.send('PUT', '', { Status: 'Pending' })).status).toBe(409);
    const { MayNow } = await order.read<{ MayNow: { Action: string; Allowed: boolean }[] }>('/Explain');
    expect(MayNow.filter(({ Allowed }) => Allowed).map(({ Action }) => Action)).toEqual([
      'Pause',
      'Cancel',
      'Reactivate',
    ]);
    expect((await order.send('PUT', '', { Status: 'Paused', ShippingCity: 'Berkeley' })).status).toBe(200);
  });
});

describe('POST /api/ScheduledOrders/{scheduledOrderId}/Reactivate', () => {
  it('leaves the order Paused, which then goes on with the first occurrence after now', async () => {
    const order = await shop();
    await order.cancelled();
    expect(await order.send('POST', '/Reactivate')).toMatchObject({
      status: 200,
      body: { Status: 'Paused', NextOccurrenceUtc: null },
    });
    expect(await order.read('/Terms')).toEqual(NONE);
    const { body } = await order.send('PUT', '', { Status: 'Active' });
    expect(body).toMatchObject({ Status: 'Active', NextOccurrenceUtc: TIME });
    expect(Date.parse(body.NextOccurrenceUtc as string)).toBeGreaterThan(Date.now());
    expect((await logOf(order)).toReversed()).toEqual([
      'PauseScheduledOrder: Cancelled by them: We have moved.',
      'UpdateScheduledOrder: Reactivated by them.',
      'ActivateScheduledOrder: ActivateScheduledOrder by them.',
    ]);
  });

  it('changes nothing of an order that was not cancelled', async () => {
    const order = await shop();
    expect((await order.send('POST', '/Reactivate')).body).toEqual(await order.read());
    expect(await logOf(order)).toEqual([]);
  });
});

describe('Who reads and changes terms', () => {
  const path = (part: string) => async (world: World) =>
    `/api/ScheduledOrders/${await given.scheduledOrder(world.siteId, world.customerId)}/${part}`;
  const answers = (merchant: number, customer: number) => ({
    'own account': merchant,
    'another account': 403,
    'own customer': customer,
    'another customer': 403,
  });
  const order = '/api/ScheduledOrders/{scheduledOrderId}';
  itReaches(api, database, [
    { route: `GET ${order}/Terms`, path: path('Terms'), answers: answers(200, 200) },
    { route: `PUT ${order}/Terms`, path: path('Terms'), body: () => ({ Note: 'x' }), answers: answers(200, 403) },
    { route: `POST ${order}/Cancel`, path: path('Cancel'), answers: answers(200, 200) },
    { route: `POST ${order}/Reactivate`, path: path('Reactivate'), answers: answers(200, 403) },
  ]);

  it('of no order, or of a deleted one, is Not Found', async () => {
    const { siteId, customerId, token } = await shop();
    const deleted = await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
    for (const [method, part] of [
      ['GET', 'Terms'],
      ['PUT', 'Terms'],
      ['POST', 'Cancel'],
      ['POST', 'Reactivate'],
    ] as const) {
      for (const id of [deleted, 999_999]) {
        const body = method === 'PUT' ? {} : undefined;
        expect((await api.request(method, `/api/ScheduledOrders/${id}/${part}`, { token, body })).status).toBe(404);
      }
    }
  });
});
