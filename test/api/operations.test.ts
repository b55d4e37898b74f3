import { useApi } from '../support/api.js';
import { itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const IN_2040 = '2040-03-15T10:00:00.000Z';

/** Monthly on the 15th at 10:00, next in 2040, unless said otherwise. */
async function shop(values: object = {}) {
  const merchant = await given.merchant();
  const { siteId, tokenAuth: token } = merchant;
  const customerId = await given.customer(siteId);
  const id = await given.scheduledOrder(siteId, customerId, { nextOccurrenceUtc: IN_2040, ...values });
  const path = `/api/ScheduledOrders/${id}`;
  const read = async (part = '') => (await api.request('GET', path + part, { token })).body as Record<string, unknown>;
  const operate = (verb: 'Skip' | 'Process', body?: object, headers?: Record<string, string>) =>
    api.request('POST', `${path}/${verb}`, { token, body, headers });
  const reschedule = (body: object) => api.request('PUT', `${path}/NextOccurrenceUtc`, { token, body });
  const row = async () =>
    (
      await database.query<{ anchor: Date; replaced: Date | null }>(
        `SELECT schedule_anchor_utc AS anchor, replaced_occurrence_utc AS replaced FROM scheduled_orders WHERE id = ${id}`,
      )
    )[0]!;
  return { ...merchant, token, customerId, id, path, read, operate, reschedule, row };
}

type Shop = Awaited<ReturnType<typeof shop>>;

const OPEN = { failureCode: 2000, attempt: 1, dueUtc: '2030-01-15T10:00:00Z' };

/** A cycle that the processor has under way, or gave up. */
function givenCycle({ id, siteId }: Shop, state: string, values: object = {}) {
  const open = !['Completed', 'Skipped', 'Failed'].includes(state);
  return database.query(
    `INSERT INTO processing_cycles (site_id, scheduled_order_id, cycle, state, open, due_utc, attempt, retries_exhausted)
     VALUES ($1, $2, 1, $3, $4, $5, $6, $7)`,
    [siteId, id, state, open, OPEN.dueUtc, OPEN.attempt, 'retriesExhausted' in values],
  );
}

const cyclesOf = async ({ read }: Shop) =>
  ((await read('/Cycles')) as unknown as { Cycle: number; State: string; DueUtc: string }[]).map(
    ({ Cycle, State, DueUtc }) => [Cycle, State, DueUtc],
  );

const lastAction = async ({ read }: Shop) =>
  (
    (await read('/ActionLogs')) as unknown as {
      ActionType: string;
      PreviousScheduledOrder: unknown;
      NewScheduledOrder: unknown;
      Description: string;
    }[]
  ).map(({ ActionType, PreviousScheduledOrder, NewScheduledOrder, Description }) => ({
    ActionType,
    PreviousScheduledOrder,
    NewScheduledOrder,
    Description,
  }))[0];

/** For what no occurrence would follow. */
async function expectsRefusal(world: Shop, operate: () => ReturnType<Shop['operate']>) {
  const before = await world.read();
  const { status, body } = await operate();
  const message = 'The schedule has no further occurrence before 10000-01-01.';
  expect([status, body.errors]).toEqual([400, [{ field: 'NextOccurrenceUtc', message }]]);
  expect([await world.read(), await cyclesOf(world)]).toEqual([before, []]);
}

const IN_PROGRESS = ['Claimed', 'Charging', 'Unknown'];

describe('PUT /api/ScheduledOrders/{scheduledOrderId}/NextOccurrenceUtc', () => {
  it('moves the next occurrence to exactly that instant, from which later ones are counted, and logs it', async () => {
    const world = await shop();
    const before = await world.read();
    const answered = await world.reschedule({ NextOccurrenceUtc: '2040-03-10T23:30:15.250+01:00' });
    const moved = { ...before, NextOccurrenceUtc: '2040-03-10T22:30:15.250Z', UpdatedUtc: TIME };
    expect([answered.status, answered.body]).toEqual([200, moved]);
    expect(await world.read()).toEqual(answered.body);
    expect(await world.row()).toEqual({ anchor: new Date('2040-03-10T22:30:15.250Z'), replaced: new Date(IN_2040) });
    expect(await lastAction(world)).toEqual({
      ActionType: 'RescheduleScheduledOrder',
      PreviousScheduledOrder: before,
      NewScheduledOrder: answered.body,
      Description: 'Rescheduled to 2040-03-10T22:30:15.250Z by a Merchant token.',
    });
    const upcoming = (await world.read('/Upcoming?count=3')) as unknown as { OccurrenceUtc: string }[];
    expect(upcoming.map(({ OccurrenceUtc }) => OccurrenceUtc)).toEqual([
      '2040-03-10T22:30:15.250Z',
      '2040-04-10T22:30:15.000Z',
      '2040-05-10T22:30:15.000Z',
    ]);
  });

  it('takes the past: the order is due at once', async () => {
    const { reschedule } = await shop();
    const { body } = await reschedule({ NextOccurrenceUtc: '2020-01-01' });
    expect([body.Status, body.NextOccurrenceUtc]).toEqual(['Active', '2020-01-01T00:00:00.000Z']);
  });

  it('moves the next try of a cycle that waits', async () => {
    const world = await shop();
    await givenCycle(world, 'Retrying');
    await world.reschedule({ NextOccurrenceUtc: IN_2040 });
    expect(await world.read('/Cycles')).toMatchObject([{ State: 'Retrying', NextAttemptUtc: IN_2040 }]);
  });

  it.each([
    [{}, 'is required.'],
    [{ NextOccurrenceUtc: null }, 'is required.'],
    [{ NextOccurrenceUtc: 'soon' }, '"soon" must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z.'],
    [{ NextOccurrenceUtc: 2040 }, '2040 must be an ISO 8601 time such as 2026-01-31T09:00:00.000Z.'],
    [{ NextOccurrenceUtc: '9999-12-31T23:00:00Z' }, 'The schedule has no further occurrence before 10000-01-01.'],
  ])('refuses %j', async (sent, message) => {
    const { reschedule, read } = await shop();
    const before = await read();
    const { status, body } = await reschedule(sent);
    expect([status, body.errors]).toEqual([400, [{ field: 'NextOccurrenceUtc', message }]]);
    expect(await read()).toEqual(before);
  });

  it('refuses an order without a frequency', async () => {
    const { reschedule } = await shop({
      status: 'Pending',
      frequencyType: null,
      frequency: null,
      nextOccurrenceUtc: null,
    });
    const { status, body } = await reschedule({ NextOccurrenceUtc: IN_2040 });
    const message = 'The order has none yet: set it and FrequencyType first.';
    expect([status, body.errors]).toEqual([400, [{ field: 'Frequency', message }]]);
  });
});

describe('POST /api/ScheduledOrders/{scheduledOrderId}/Skip', () => {
  it('passes over the next occurrence, which becomes a skipped cycle, and logs it', async () => {
    const world = await shop();
    const before = await world.read();
    const answered = await world.operate('Skip');
    const after = { ...before, NextOccurrenceUtc: '2040-04-15T10:00:00.000Z', UpdatedUtc: TIME };
    expect([answered.status, answered.body]).toEqual([200, after]);
    expect(answered.headers.get('location')).toBeNull();
    expect(await cyclesOf(world)).toEqual([[1, 'Skipped', IN_2040]]);
    expect(await lastAction(world)).toEqual({
      ActionType: 'SkipScheduledOrder',
      PreviousScheduledOrder: before,
      NewScheduledOrder: answered.body,
      Description: 'Skipped by a Merchant token.',
    });
  });

  it('is a cycle with a number after those of the archive, also where the ledger has lost its newest cycles', async () => {
    const world = await shop({ archivedCycle: 7 });
    await world.operate('Skip');
    expect(await cyclesOf(world)).toEqual([[8, 'Skipped', IN_2040]]);
  });

  it('passes over what waits for another try', async () => {
    const world = await shop({ nextOccurrenceUtc: '2030-01-16T10:00:00Z' });
    await givenCycle(world, 'Retrying');
    const { body } = await world.operate('Skip');
    expect(body.NextOccurrenceUtc).toBe('2030-02-15T10:00:00.000Z');
    expect(await cyclesOf(world)).toEqual([[1, 'Skipped', '2030-01-15T10:00:00.000Z']]);
  });

  it.each(IN_PROGRESS)('is a Conflict while the cycle is %s', async (state) => {
    const world = await shop();
    await givenCycle(world, state);
    const before = await world.read();
    const { status, body } = await world.operate('Skip');
    const words = {
      known: 'The occurrence of 2030-01-15 10:00 UTC is being processed',
      unknown: 'Whether the occurrence of 2030-01-15 10:00 UTC was charged is not known yet',
    };
    const detail = `${state === 'Unknown' ? words.unknown : words.known}, so that the order cannot be skipped`;
    expect([status, body.detail]).toEqual([409, expect.stringContaining(detail)]);
    expect(await world.read()).toEqual(before);
  });

  it('passes over what waits and was rescheduled: its new instant does not come round again', async () => {
    const world = await shop();
    await givenCycle(world, 'Retrying');
    await world.reschedule({ NextOccurrenceUtc: '2041-01-20T09:00:00.000Z' });
    const skipped = await world.operate('Skip', { ExpectedNextOccurrenceUtc: '2041-01-20T09:00:00.000Z' });
    expect([skipped.status, skipped.body.NextOccurrenceUtc]).toEqual([200, '2041-02-20T09:00:00.000Z']);
    expect(await cyclesOf(world)).toEqual([[1, 'Skipped', '2030-01-15T10:00:00.000Z']]);
  });

  it('refuses an order without a next occurrence', async () => {
    const { operate } = await shop({ status: 'Paused', nextOccurrenceUtc: null });
    const { status, body } = await operate('Skip', {});
    const message = 'This order has no next occurrence to pass over.';
    expect([status, body.errors]).toEqual([400, [{ field: 'NextOccurrenceUtc', message }]]);
  });

  it.each([
    ['the last one', '9999-12-31T10:00:00Z'],
    ['the last but one: none would follow the last', '9999-12-30T10:00:00Z'],
  ])('refuses %s of the calendar', async (_, next) => {
    const world = await shop({ frequencyType: 'Days', nextOccurrenceUtc: next });
    await expectsRefusal(world, () => world.operate('Skip'));
  });

  it('makes one of two clicks: the second expects what is no more', async () => {
    const world = await shop();
    const body = { ExpectedNextOccurrenceUtc: IN_2040 };
    const answers = await Promise.all([world.operate('Skip', body), world.operate('Skip', body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.detail).toBe(
      'The next occurrence is 2040-04-15T10:00:00.000Z, not the one that was expected: read the order again and decide again.',
    );
    expect(await cyclesOf(world)).toEqual([[1, 'Skipped', IN_2040]]);
  });

  it('is done once for an Idempotency-Key, however often it is sent', async () => {
    const world = await shop();
    const send = () => world.operate('Skip', undefined, { 'idempotency-key': 'click' });
    const first = await send();
    const again = await send();
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await cyclesOf(world)).toHaveLength(1);
    const other = await world.operate('Skip', { ExpectedNextOccurrenceUtc: null }, { 'idempotency-key': 'click' });
    expect(other.status).toBe(422);
  });
});

describe('POST /api/ScheduledOrders/{scheduledOrderId}/Process', () => {
  it('makes the order due now, in place of its next occurrence, and logs it', async () => {
    const world = await shop();
    const before = await world.read();
    const answered = await world.operate('Process');
    expect([answered.status, answered.body]).toEqual([202, { ...before, NextOccurrenceUtc: TIME, UpdatedUtc: TIME }]);
    const due = Date.parse(answered.body.NextOccurrenceUtc as string);
    expect(Math.abs(due - Date.parse(answered.body.UpdatedUtc as string))).toBeLessThan(5_000);
    expect((await world.row()).replaced).toEqual(new Date(IN_2040));
    expect(await lastAction(world)).toEqual({
      ActionType: 'RetryScheduledOrder',
      PreviousScheduledOrder: before,
      NewScheduledOrder: answered.body,
      Description: 'Made due at once by a Merchant token.',
    });
  });

  it('makes a Pending order Active', async () => {
    const { operate } = await shop({ status: 'Pending' });
    const { status, body } = await operate('Process', {});
    expect([status, body.Status]).toEqual([202, 'Active']);
  });

  it('takes a given-up cycle up again', async () => {
    const world = await shop({ status: 'Pending' });
    await givenCycle(world, 'Failed', { retriesExhausted: true });
    expect((await world.operate('Process')).body.Status).toBe('Active');
    expect(await cyclesOf(world)).toEqual([[1, 'Retrying', '2030-01-15T10:00:00.000Z']]);
  });

  it('ends a wait for another try', async () => {
    const world = await shop();
    await givenCycle(world, 'Waiting');
    expect((await world.operate('Process')).status).toBe(202);
    const [cycle] = (await world.read('/Cycles')) as unknown as { State: string; NextAttemptUtc: string }[];
    expect(cycle!.State).toBe('Retrying');
    expect(Date.parse(cycle!.NextAttemptUtc)).toBeLessThanOrEqual(Date.now() + 5_000);
  });

  it.each(IN_PROGRESS)('is a Conflict while the cycle is %s', async (state) => {
    const world = await shop();
    await givenCycle(world, state);
    expect((await world.operate('Process')).status).toBe(409);
  });

  it('refuses to process now what stands for the last occurrence of the calendar: none would follow', async () => {
    const world = await shop({ frequencyType: 'Days', nextOccurrenceUtc: '9999-12-31T10:00:00Z' });
    await expectsRefusal(world, () => world.operate('Process'));
    // What is asked for instead of it stands for it too.
    await expectsRefusal(world, () => world.reschedule({ NextOccurrenceUtc: IN_2040 }));
  });

  it('is a Conflict for a Paused order', async () => {
    const { operate } = await shop({ status: 'Paused' });
    const { status, body } = await operate('Process');
    const detail = 'The order is Paused. Set its Status to Active before you process it.';
    expect([status, body.detail]).toEqual([409, detail]);
  });

  it('refuses an order without a frequency', async () => {
    const { operate } = await shop({
      status: 'Pending',
      frequencyType: null,
      frequency: null,
      nextOccurrenceUtc: null,
    });
    const { status, body } = await operate('Process');
    expect([status, body.errors[0].field]).toEqual([400, 'Frequency']);
  });

  it.each([
    ['2040-03-15T10:00:00Z', 202],
    ['2040-03-15T11:00:00+01:00', 202],
    ['2040-03-15T10:00:00.001Z', 409],
    [null, 409],
  ])('that expects %s is %i', async (ExpectedNextOccurrenceUtc, status) => {
    const { operate } = await shop();
    expect((await operate('Process', { ExpectedNextOccurrenceUtc })).status).toBe(status);
  });

  it('expects none where there is none', async () => {
    const { operate } = await shop({ status: 'Pending', nextOccurrenceUtc: null });
    const expecting = await operate('Process', { ExpectedNextOccurrenceUtc: IN_2040 });
    expect([expecting.status, expecting.body.detail]).toEqual([
      409,
      'The order has no next occurrence, not the one that was expected: read the order again and decide again.',
    ]);
    expect((await operate('Process', { ExpectedNextOccurrenceUtc: null })).status).toBe(202);
  });

  it.each([
    ['[]', 'The body must be a JSON object.'],
    ['{"Expected":1}', 'is not a field of this resource; its fields are ExpectedNextOccurrenceUtc.'],
  ])('refuses the body %s', async (body, message) => {
    const { path, token } = await shop();
    const answered = await api.request('POST', `${path}/Process`, { token, body });
    expect([answered.status, answered.body.errors[0].message]).toEqual([400, message]);
  });
});

describe('Operations on the same order at the same time', () => {
  it('each log entry’s Previous is the state that its New replaced', async () => {
    const world = await shop();
    const before = await world.read();
    await Promise.all([
      world.operate('Skip'),
      world.reschedule({ NextOccurrenceUtc: '2041-01-01' }),
      world.operate('Skip'),
      api.request('PUT', world.path, { token: world.token, body: { Cycles: 7 } }),
      world.reschedule({ NextOccurrenceUtc: '2042-01-01' }),
    ]);
    const log = (await world.read('/ActionLogs')) as unknown as Record<string, unknown>[];
    expect(log).toHaveLength(5);
    expect([...log.slice(1).map((entry) => entry.NewScheduledOrder), before]).toEqual(
      log.map((entry) => entry.PreviousScheduledOrder),
    );
    expect(log[0]!.NewScheduledOrder).toEqual(await world.read());
  });
});

describe('Who operates on a scheduled order', () => {
  const path = (operation: string) => async (world: World) =>
    `/api/ScheduledOrders/${await given.scheduledOrder(world.siteId, world.customerId)}/${operation}`;
  const answers = (status: number) => ({
    'own account': status,
    'another account': 403,
    'own customer': status,
    'another customer': 403,
  });
  const order = '/api/ScheduledOrders/{scheduledOrderId}';
  itReaches(api, database, [
    {
      route: `PUT ${order}/NextOccurrenceUtc`,
      path: path('NextOccurrenceUtc'),
      body: () => ({ NextOccurrenceUtc: IN_2040 }),
      answers: answers(200),
    },
    { route: `POST ${order}/Skip`, path: path('Skip'), answers: answers(200) },
    { route: `POST ${order}/Process`, path: path('Process'), answers: answers(202) },
    { route: `GET ${order}/Quote`, path: path('Quote'), answers: answers(200) },
    { route: `GET ${order}/Upcoming`, path: path('Upcoming'), answers: answers(200) },
  ]);

  it.each(['PUT NextOccurrenceUtc', 'POST Skip', 'POST Process', 'GET Quote', 'GET Upcoming'])(
    '%s of no order, or of a deleted one, is Not Found',
    async (operation) => {
      const { siteId, customerId, token } = await shop();
      const [method, name] = operation.split(' ');
      const deleted = await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
      const body = method === 'PUT' ? { NextOccurrenceUtc: IN_2040 } : undefined;
      for (const id of [deleted, 999_999]) {
        const { status } = await api.request(method!, `/api/ScheduledOrders/${id}/${name}`, { token, body });
        expect(status).toBe(404);
      }
    },
  );
});
