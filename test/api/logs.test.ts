import { insertErrorsSql, insertEventsSql } from '#libs/events';
import { allCyclesSql, archiveCycles } from '#libs/ledger';
import { useApi } from '../support/api.js';
import { givenWorld, itReaches, type World } from '../support/api/reach.js';
import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { until } from '../support/until.js';

const database = useDatabase();
const api = useApi(database);
const given = givenIn(database);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID_V7 = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** A scheduled order with an item, and its JSON. */
async function shop(siteValues = {}) {
  const merchant = await given.merchant(siteValues);
  const customerId = await given.customer(merchant.siteId);
  const id = await given.scheduledOrder(merchant.siteId, customerId);
  await given.item(merchant.siteId, id, await given.product(merchant.siteId));
  const token = merchant.tokenAuth;
  const read = async (part = ''): Promise<unknown> =>
    (await api.request('GET', `/api/ScheduledOrders/${id}${part}`, { token })).body;
  const put = (body: object) => api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body });
  return { ...merchant, token, customerId, id, read, put };
}

const relation = (id: number, columns: string) => `(SELECT o.*, ${columns} FROM scheduled_orders o WHERE o.id = ${id})`;

describe('GET /api/ScheduledOrders/{scheduledOrderId}/ActionLogs', () => {
  it('gives who did what, with the whole order before and after, and no secret', async () => {
    const { read, put, userId, siteId, token, id } = await shop();
    const before = await read();
    const { body: after } = await put({ Status: 'Paused' });
    expect(await read('/ActionLogs')).toEqual([
      {
        Id: UUID_V7,
        SiteId: siteId,
        ScheduledOrderId: id,
        ActionType: 'PauseScheduledOrder',
        AccessToken: {
          Id: Number(Buffer.from(token, 'base64').toString().split(':')[0]),
          UserId: userId,
          TokenAuth: null,
          AccessScope: 'Merchant',
          CustomerId: null,
          CreatedUtc: TIME,
          UpdatedUtc: TIME,
          ExpiresUtc: TIME,
        },
        PreviousScheduledOrder: before,
        NewScheduledOrder: after,
        Description: expect.any(String),
        CreatedUtc: TIME,
        UpdatedUtc: TIME,
      },
    ]);
    expect(after.Status).toBe('Paused');
  });

  it('gives the last 20, newest first', async () => {
    const { read, put } = await shop();
    for (let cycles = 1; cycles <= 22; cycles++) await put({ Cycles: cycles });
    const entries = (await read('/ActionLogs')) as { Id: string; NewScheduledOrder: { Cycles: number } }[];
    expect(entries.map(({ NewScheduledOrder }) => NewScheduledOrder.Cycles)).toEqual(
      Array.from({ length: 20 }, (_, index) => 22 - index),
    );
    const ids = entries.map(({ Id }) => Id);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('begins with the creation, and what the customer did', async () => {
    const { userId, customerId } = await shop();
    const token = await given.token(userId, { customerId });
    const { body: order } = await api.request('POST', '/api/ScheduledOrders', { token, body: {} });
    const { body } = await api.request('GET', `/api/ScheduledOrders/${order.Id}/ActionLogs`, { token });
    expect(body).toMatchObject([
      {
        ActionType: 'CreateScheduledOrder',
        AccessToken: { AccessScope: 'Customer', CustomerId: customerId },
        PreviousScheduledOrder: null,
        NewScheduledOrder: order,
      },
    ]);
  });
});

describe('GET /api/ScheduledOrders/{scheduledOrderId}/EventLogs', () => {
  it('gives what the processor did, newest first', async () => {
    const { id, siteId, read } = await shop();
    for (const type of ['ScheduledOrderRetryScheduled', 'ScheduledOrderFailed']) {
      const columns = `uuid_v7() AS event_log_id, '${type}' AS event_type, '2000 PaymentFailed: Declined.' AS event_description`;
      await database.query(insertEventsSql(relation(id, columns)));
    }
    const ScheduledOrder = await read();
    const entry = {
      Id: UUID_V7,
      SiteId: siteId,
      ScheduledOrderId: id,
      ScheduledOrder,
      Description: '2000 PaymentFailed: Declined.',
      CreatedUtc: TIME,
      UpdatedUtc: TIME,
    };
    expect(await read('/EventLogs')).toEqual([
      { ...entry, EventType: 'ScheduledOrderFailed' },
      { ...entry, EventType: 'ScheduledOrderRetryScheduled' },
    ]);
  });

  it('is empty before anything happened', async () => {
    expect(await (await shop()).read('/EventLogs')).toEqual([]);
  });
});

describe('GET /api/ScheduledOrders/{scheduledOrderId}/ErrorLog', () => {
  it('gives nested causes, the site without its keys, and the order', async () => {
    const { id, siteId, userId, read } = await shop({
      apiKey1: 'v1.encrypted',
      type: 'woocommerce',
      email: 'a@b.example',
    });
    const info = {
      Message: 'The card was declined.',
      InnerExceptionInfo: { Message: 'do_not_honor', InnerExceptionInfo: null },
    };
    const columns = `'2000 PaymentFailed: Declined.' AS error_description, '${JSON.stringify(info)}'::json AS exception_info`;
    await database.query(insertErrorsSql(relation(id, columns)));
    expect(await read('/ErrorLog')).toEqual([
      {
        Id: UUID_V7,
        SiteId: siteId,
        ScheduledOrderId: id,
        ExceptionInfo: info,
        Site: {
          Id: siteId,
          UserId: userId,
          Url: 'https://shop.example',
          Type: 'woocommerce',
          Name: expect.stringMatching(/^Shop /),
          Email: 'a@b.example',
          ApiKey1: null,
          ApiKey2: null,
          ApiKey3: null,
          CurrencyIso: 'USD',
          CreatedUtc: TIME,
          UpdatedUtc: TIME,
        },
        Entity: await read(),
        Description: '2000 PaymentFailed: Declined.',
        CreatedUtc: TIME,
        UpdatedUtc: TIME,
      },
    ]);
  });
});

describe('GET /api/ScheduledOrders/{scheduledOrderId}/Cycles', () => {
  const cycle = async (siteId: number, scheduledOrderId: number, number: number, values: object) =>
    database.query(`INSERT INTO processing_cycles SELECT (jsonb_populate_record(NULL::processing_cycles, $1)).*`, [
      JSON.stringify({
        site_id: siteId,
        scheduled_order_id: scheduledOrderId,
        cycle: number,
        open: false,
        due_utc: '2026-01-15T10:00:00Z',
        missed_occurrences: 0,
        attempt: 1,
        payment_failures: 0,
        technical_failures: 0,
        retries_exhausted: false,
        made_pending: false,
        known_to_gateway: false,
        claim: 1,
        look_ups: 0,
        simulated: false,
        rescheduled_meanwhile: false,
        prices_mixed: false,
        created_utc: '2026-01-15T10:00:01Z',
        updated_utc: '2026-01-15T10:00:02Z',
        ...values,
      }),
    ]);

  it('gives the ledger, newest first; an order only once it is written', async () => {
    const { id, siteId, customerId, read } = await shop();
    const orderId = await given.order(siteId, customerId);
    const charged = {
      order_id: orderId,
      amount: 1250,
      currency_iso: 'USD',
      payment_method_type: 'GatewayOne',
      gateway_transaction_id: 'pi_1',
    };
    await cycle(siteId, id, 1, { state: 'Completed', ...charged, missed_occurrences: 2 });
    await cycle(siteId, id, 2, {
      state: 'Retrying',
      open: true,
      ...charged,
      gateway_transaction_id: null,
      attempt: 2,
      failure_code: 2000,
      next_attempt_utc: '2026-02-16T10:00:00Z',
    });
    const first = {
      Cycle: 1,
      State: 'Completed',
      DueUtc: '2026-01-15T10:00:00.000Z',
      PassedOver: 2,
      Attempts: 1,
      OrderId: orderId,
      Amount: 1250,
      CurrencyIso: 'USD',
      PaymentMethodType: 'GatewayOne',
      GatewayTransactionId: 'pi_1',
      FailureCode: null,
      NextAttemptUtc: null,
      CreatedUtc: '2026-01-15T10:00:01.000Z',
      UpdatedUtc: '2026-01-15T10:00:02.000Z',
    };
    expect(await read('/Cycles')).toEqual([
      {
        ...first,
        Cycle: 2,
        State: 'Retrying',
        PassedOver: 0,
        Attempts: 2,
        OrderId: null,
        GatewayTransactionId: null,
        FailureCode: 2000,
        NextAttemptUtc: '2026-02-16T10:00:00.000Z',
      },
      first,
    ]);
  });

  it('is paged: 100 a page, with links', async () => {
    const { id, siteId, token } = await shop();
    for (let number = 1; number <= 201; number++) await cycle(siteId, id, number, { state: 'Skipped', attempt: 0 });
    const path = `/api/ScheduledOrders/${id}/Cycles`;
    const numbers = async (query: string) => {
      const { body, headers } = await api.request('GET', path + query, { token });
      return [(body as { Cycle: number }[]).map(({ Cycle }) => Cycle), headers.get('link')];
    };
    const from = (first: number, length: number) => Array.from({ length }, (_, index) => first - index);
    const link = (rel: string, page: number) => `<${path}?page=${page}>; rel="${rel}"`;
    expect(await numbers('')).toEqual([from(201, 100), `${link('first', 1)}, ${link('next', 2)}`]);
    expect(await numbers('?page=2')).toEqual([
      from(101, 100),
      `${link('first', 1)}, ${link('prev', 1)}, ${link('next', 3)}`,
    ]);
    expect(await numbers('?page=3')).toEqual([[1], `${link('first', 1)}, ${link('prev', 2)}`]);
    expect(await numbers('?page=2147483647')).toEqual([[], `${link('first', 1)}, ${link('prev', 2147483646)}`]);
    expect((await api.request('GET', `${path}?page=0`, { token })).status).toBe(400);
  });

  it('gives archived cycles as before, to the last column', async () => {
    const { id, siteId, token } = await shop();
    const ended = { created_utc: '2020-01-15T10:00:01.007Z', updated_utc: '2020-01-15T10:00:02.123Z' };
    const charged = { state: 'Completed', order_id: 9007199254740991, amount: 1250, currency_iso: 'USD', ...ended };
    const declined = [{ Attempt: 1, FailureCode: 2000, GatewayTransactionId: null }];
    for (let number = 1; number <= 201; number++) {
      const completed = { ...charged, gateway_transaction_id: `pi_${number}`, past_attempts: declined };
      const failed = { state: 'Failed', ...ended, failure_code: 2000, failure_message: 'Declined: "£" \\ \n' };
      await cycle(siteId, id, number, number % 3 === 0 ? failed : completed);
    }
    const pages = () =>
      Promise.all(
        [1, 2, 3].map(async (page) => {
          const path = `/api/ScheduledOrders/${id}/Cycles?page=${page}`;
          const { body, headers } = await api.request('GET', path, { token });
          return { body, link: headers.get('link') };
        }),
      );
    const LEDGER = '(SELECT * FROM processing_cycles)';
    const rows = (cycles: string) =>
      database.query(
        `SELECT c::text FROM scheduled_orders o CROSS JOIN LATERAL ${cycles} c WHERE o.id = $1 AND c.scheduled_order_id = $1 ORDER BY c.cycle`,
        [id],
      );
    const before = [await pages(), await rows(LEDGER)];
    await archiveCycles(database.pool, 3);
    expect(await rows(LEDGER)).toHaveLength(2);
    expect([await pages(), await rows(allCyclesSql('o'))]).toEqual(before);
  });
});

describe('A log that is kept for ever', () => {
  /** Events so many months ago, with ids as they were given then; `size`: of the snapshot, in random hexadecimals. */
  const givenEvents = (orderId: number, monthsAgo: number[], size = 0) =>
    database.query(
      `INSERT INTO event_logs (id, site_id, scheduled_order_id, event_type, description, scheduled_order, created_utc)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substring(replace(uuid_v7()::text, '-', '') FROM 13))::uuid,
         1, $1, 'ScheduledOrderProcessed', months::text, to_json((SELECT coalesce(string_agg(md5(random()::text), ''), '') FROM generate_series(1, $3::int))), at
       FROM unnest($2::int[]) WITH ORDINALITY m (months, n) CROSS JOIN LATERAL (SELECT now() - months * interval '1 month' - n * interval '1 second' AS at) t`,
      [orderId, monthsAgo, size / 32],
    );
  const orderOfAge = async (age: string) => {
    const made = await shop();
    await database.query(`UPDATE scheduled_orders SET created_utc = now() - $2::interval WHERE id = $1`, [
      made.id,
      age,
    ]);
    const read = async () =>
      ((await made.read('/EventLogs')) as { Description: string }[]).map(({ Description }) => Number(Description));
    return { ...made, read };
  };
  const scans = async () => {
    const rows = await database.query<{ name: string; count: string }>(
      `SELECT relname AS name, seq_scan + coalesce(idx_scan, 0) AS count FROM pg_stat_user_tables WHERE relname IN ('event_logs_rest', 'event_logs_2010_01')`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
  };
  const times = (count: number, months: number) => Array.from({ length: count }, () => months);

  it('is looked into as far back as the last 20 lie', async () => {
    const { id, read } = await orderOfAge('9 years');
    await givenEvents(id, times(3, 100));
    expect(await read()).toEqual(times(3, 100));
    await givenEvents(id, times(15, 30));
    expect(await read()).toEqual([...times(15, 30), ...times(3, 100)]);
    await givenEvents(id, times(4, 2));
    expect(await read()).toEqual([...times(4, 2), ...times(15, 30), 100]);
    await givenEvents(id, times(16, 1));
    expect(await read()).toEqual([...times(16, 1), ...times(4, 2)]);
  });

  it('shows what a clock that was set back since has written', async () => {
    const { id, read } = await orderOfAge('1 hour');
    await database.query(`UPDATE scheduled_orders SET created_utc = now() + interval '2 days' WHERE id = $1`, [id]);
    await givenEvents(id, [0]);
    expect(await read()).toEqual([0]);
  });

  it.each([
    ['small', 0],
    ['large', 1_200_000],
  ])('is not searched in months in which no entry can be, for %s ones', async (_, size) => {
    const [young, busy] = [await orderOfAge('1 year'), await orderOfAge('20 years')];
    await givenEvents(young.id, times(2, 3), size);
    await givenEvents(busy.id, times(20, 3), size / 10);
    await database.query(
      `CREATE TABLE IF NOT EXISTS event_logs_2010_01 PARTITION OF event_logs FOR VALUES FROM ('2010-01-01Z') TO ('2010-02-01Z')`,
    );
    const before = await scans();
    // What a session has read shows a little later, of all tables at once.
    const after = await until(async () => {
      expect([await young.read(), await busy.read()]).toEqual([times(2, 3), times(20, 3)]);
      const now = await scans();
      return now.event_logs_rest! > before.event_logs_rest! + 10 ? now : null;
    });
    // To make its index was one.
    expect(after.event_logs_2010_01! - before.event_logs_2010_01!).toBeLessThanOrEqual(1);
  });
});

describe('Who reads the logs', () => {
  const logs = ['ActionLogs', 'EventLogs', 'ErrorLog', 'Cycles'];
  const answers = { 'own account': 200, 'another account': 403, 'own customer': 200, 'another customer': 403 };
  itReaches(
    api,
    database,
    logs.map((log) => ({
      route: `GET /api/ScheduledOrders/{scheduledOrderId}/${log}`,
      path: async ({ siteId, customerId }: World) =>
        `/api/ScheduledOrders/${await given.scheduledOrder(siteId, customerId)}/${log}`,
      answers: log === 'ErrorLog' || log === 'Cycles' ? { ...answers, 'own customer': 403 } : answers,
    })),
  );

  it.each(logs)('%s of no order, or of a deleted one, is Not Found', async (log) => {
    const { siteId, customerId, merchant } = await givenWorld(database);
    const deleted = await given.scheduledOrder(siteId, customerId, { deletedUtc: new Date() });
    for (const id of [deleted, 999_999]) {
      const { status } = await api.request('GET', `/api/ScheduledOrders/${id}/${log}`, { token: merchant.tokenAuth });
      expect(status).toBe(404);
    }
  });
});
