import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENTS_CHANNEL, writeEvent } from '#libs/events';
import { Readiness } from '../../apps/worker/src/operations/readiness.js';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { eventsOf, keepEvents, numberSome } from '../support/events/events.js';
import { given } from '../support/given.js';
import { Random, SEED } from '../support/random.js';
import { until } from '../support/until.js';
import { createWorker, type GivenShop, givenShop, startWorker, stopWorkers } from '../support/worker.js';

interface Listed {
  readonly Sequence: number;
  readonly Id: string;
  readonly Type: string;
  readonly Data: { readonly ScheduledOrderId: number | null };
}

const database = useDatabase();
const api = useApi(database, { RATE_LIMIT_PER_SECOND: '0' });
afterEach(stopWorkers);

/**
 * Of each order: its events in the order of their commits, as the rows of the logs say, which are written behind its
 * lock.
 */
async function logged(siteId: number): Promise<Map<number, string[]>> {
  const rows = await database.query<{ id: string; scheduled_order_id: string }>(
    `SELECT id, scheduled_order_id, created_utc FROM action_logs WHERE site_id = $1
     UNION ALL SELECT id, scheduled_order_id, created_utc FROM event_logs WHERE site_id = $1 ORDER BY id`,
    [siteId],
  );
  const byOrder = new Map<number, string[]>();
  for (const { id, scheduled_order_id } of rows) {
    const order = Number(scheduled_order_id);
    byOrder.set(order, [...(byOrder.get(order) ?? []), id]);
  }
  return byOrder;
}

/** Reads the feed until `isOver` and nothing is left: what a poller sees. */
async function poll(token: string, isOver: () => boolean, limit = 7): Promise<Listed[]> {
  const seen: Listed[] = [];
  for (let after = 0; ;) {
    const wasOver = isOver();
    const path = `/api/Events?After=${after}&limit=${limit}&WaitSeconds=${wasOver ? 0 : 1}`;
    const { status, body } = await api.request('GET', path, { token });
    expect([status, status === 200 ? '' : body]).toEqual([200, '']);
    const events = body as Listed[];
    seen.push(...events);
    after = events.at(-1)?.Sequence ?? after;
    if (wasOver && events.length === 0) return seen;
  }
}

/** An event of one order is written first, and committed when a later one, of another order, has its number. */
async function overtake(shop: GivenShop): Promise<void> {
  const { siteId } = shop;
  const [late, early] = (await shop.dueOrders(2, { nextOccurrenceUtc: new Date(Date.now() + 90 * 86_400_000) })) as [
    number,
    number,
  ];
  const type = 'scheduled_order.updated';
  await database.pool.transaction(async (slow) => {
    await writeEvent(slow, { siteId, scheduledOrderId: late, type, facts: {} });
    await database.pool.transaction((quick) => writeEvent(quick, { siteId, scheduledOrderId: early, type, facts: {} }));
    await until(async () => {
      await numberSome(database);
      const rows = await database.query(`SELECT FROM outbox WHERE scheduled_order_id = $1 AND sequence IS NOT NULL`, [
        early,
      ]);
      return rows.length === 1;
    });
  });
}

it('numbers the events of each order in the order of their commits, whoever writes them, and a poller sees each once', async () => {
  const shop = await givenShop(database);
  await keepEvents(database, shop.siteId);
  const ids = await shop.dueOrders(12, { frequencyType: 'Days', frequency: 1 });
  const worker = createWorker(database);
  let isOver = false;
  let isWritten = false;
  const polled = poll(shop.tokenAuth, () => isOver);
  await overtake(shop);
  // Some commits are slow: others, with higher internal numbers, overtake them.
  const slow = async (id: number) => {
    const random = new Random(SEED, String(id));
    for (let round = 0; round < 6; round++)
      await database.pool.transaction(async (tx) => {
        await tx.execute(`SELECT 1 FROM scheduled_orders WHERE id = $1 FOR NO KEY UPDATE`, [id]);
        const facts = { Note: `${id}-${round}` };
        await writeEvent(tx, { siteId: shop.siteId, scheduledOrderId: id, type: 'scheduled_order.updated', facts });
        await pause(random.between(0, 40));
      });
  };
  const request = async (id: number) => {
    for (let round = 1; round <= 6; round++) {
      await api.request('PUT', `/api/ScheduledOrders/${id}`, { token: shop.tokenAuth, body: { Frequency: round + 1 } });
      await api.request('POST', `/api/ScheduledOrders/${id}/Process`, { token: shop.tokenAuth });
    }
  };
  const processing = (async () => {
    for (let round = 0; round < 10; round++) {
      await worker.drain();
      await pause(20);
    }
  })();
  const numbering = (async () => {
    while (!isWritten) {
      await numberSome(database);
      await pause(5);
    }
  })();
  await Promise.all([...ids.map(slow), ...ids.map(request), processing]);
  isWritten = true;
  await numbering;
  await worker.drain();
  await eventsOf(database, shop.siteId);
  isOver = true;
  const seen = await polled;

  const rows = await database.query<{ sequence: string; event_id: string; scheduled_order_id: string }>(
    `SELECT sequence, event_id, scheduled_order_id, log_id FROM outbox WHERE site_id = $1 ORDER BY sequence`,
    [shop.siteId],
  );
  expect(seen.map(({ Sequence, Id }) => [Sequence, Id])).toEqual(
    rows.map(({ sequence, event_id }) => [Number(sequence), `evt_${event_id}`]),
  );
  expect(seen.length).toBeGreaterThan(150);
  const overtaken = await database.query(
    `SELECT * FROM (SELECT id, lag(id) OVER (PARTITION BY scheduled_order_id ORDER BY sequence) AS before FROM outbox WHERE site_id = $1) x
     WHERE before > id`,
    [shop.siteId],
  );
  expect(overtaken).toEqual([]);
  // Between orders, commits really were in another order than the internal numbers: else this would prove nothing.
  const [between] = await database.query<{ count: string }>(
    `SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY sequence) AS before FROM outbox WHERE site_id = $1) x WHERE before > id`,
    [shop.siteId],
  );
  expect(Number(between!.count)).toBeGreaterThan(0);
  for (const [order, entries] of await logged(shop.siteId)) {
    const published = await database.query<{ log_id: string }>(
      `SELECT log_id FROM outbox WHERE scheduled_order_id = $1 AND log_id IS NOT NULL ORDER BY sequence`,
      [order],
    );
    expect([order, published.map(({ log_id }) => log_id)]).toEqual([order, entries]);
  }
  await worker.end();
});

it('never gives a number below one that was seen: a late commit gets a later number', async () => {
  const { siteId } = await given(database).merchant();
  await keepEvents(database, siteId);
  const write = (OrderId: number) => (tx: Parameters<typeof writeEvent>[0]) =>
    writeEvent(tx, { siteId, type: 'order.created', facts: { OrderId } });
  let commit = () => {};
  const late = database.pool.transaction(async (tx) => {
    await write(1)(tx);
    await new Promise<void>((resolve) => (commit = resolve));
  });
  await until(async () => {
    const [row] = await database.query<{ called: boolean }>(`SELECT is_called AS called FROM outbox_id_seq`);
    return row!.called;
  });
  await pause(50);
  await database.pool.transaction(write(2));
  const [early] = await eventsOf(database, siteId);
  expect(early!.Data.OrderId).toBe(2);
  commit();
  await late;
  const events = await eventsOf(database, siteId);
  expect(events.map(({ Data }) => Data.OrderId)).toEqual([2, 1]);
});

itInAllCases(
  'loses nothing when the process that numbers is killed, and one that is numbering stops nobody',
  async () => {
    const { siteId } = await given(database).merchant();
    await keepEvents(database, siteId);
    const KILLS = ALL_CASES ? 4 : 1;
    const EVENTS = 3_000;
    const write = (count = EVENTS) =>
      database.query(
        `INSERT INTO outbox (site_id, type, facts) SELECT $1, 'order.created', jsonb_build_object('OrderId', n) FROM generate_series(1, $2::int) n`,
        [siteId, count],
      );
    const unnumbered = async () => {
      const [row] = await database.query<{ count: string }>(`SELECT count(*) FROM outbox WHERE sequence IS NULL`);
      return Number(row!.count);
    };
    for (let round = 0; round < KILLS; round++) {
      const worker = await startWorker(database, { LOG_LEVEL: 'info' });
      await write();
      await database.query(`NOTIFY ${EVENTS_CHANNEL}`);
      await pause(ALL_CASES ? 15 * round : 20);
      worker.kill('SIGKILL');
      await worker.exited;
    }
    // One dies in the middle of its statement for certain.
    await database.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(12); RETURN NULL; END $$`,
    );
    await database.query(`CREATE TRIGGER slow BEFORE UPDATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION slow()`);
    const isNumbering = async () => {
      const rows = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE '%outbox_sequence_seq%'`,
      );
      return rows.length > 0;
    };
    const doomed = await startWorker(database);
    await write();
    await until(isNumbering);
    const before = await unnumbered();
    expect(before).toBeGreaterThan(0);
    await write(1);
    expect({ isNumbering: await isNumbering(), unnumbered: await unnumbered() }).toEqual({
      isNumbering: true,
      unnumbered: before + 1,
    });
    doomed.kill('SIGKILL');
    expect(await doomed.exited).toBe('SIGKILL');
    await database.query(`DROP FUNCTION slow CASCADE`);
    await until(async () => {
      await numberSome(database);
      return (await unnumbered()) === 0;
    });
    const [row] = await database.query(
      `SELECT count(*)::int AS events, count(DISTINCT sequence)::int AS numbers, bool_and(in_order) AS in_order
     FROM (SELECT sequence, sequence > coalesce(lag(sequence) OVER (ORDER BY id), 0) AS in_order FROM outbox WHERE site_id = $1) x`,
      [siteId],
    );
    const events = (KILLS + 1) * EVENTS + 1;
    expect(row).toEqual({ events, numbers: events, in_order: true });
  },
);

it('numbers on after the sequence had fallen behind, and when nothing is left of what was numbered', async () => {
  const { siteId } = await given(database).merchant();
  await keepEvents(database, siteId);
  const write = () => database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: {} }));
  await write();
  const [first] = await eventsOf(database, siteId);
  await database.query(`SELECT setval('outbox_sequence_seq', 1)`);
  await write();
  const [, second] = await eventsOf(database, siteId);
  expect(second!.Sequence).toBeGreaterThan(first!.Sequence);
  await database.query(`DELETE FROM outbox`);
  await write();
  const [third] = await eventsOf(database, siteId);
  expect(third!.Sequence).toBeGreaterThan(second!.Sequence);
});

it('lets one process number at a time', async () => {
  const { siteId } = await given(database).merchant();
  await keepEvents(database, siteId);
  await database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: {} }));
  await database.pool.transaction(async (tx) => {
    await tx.execute(`SELECT pg_advisory_xact_lock(hashtextextended('outbox', 0))`);
    expect(await numberSome(database)).toMatchObject({ count: 0, isBusy: true });
  });
  expect(await numberSome(database)).toMatchObject({ count: 1, isBusy: false });
});

it('gives no number again after hours without a worker: the database may have been restored', async () => {
  const { siteId } = await given(database).merchant();
  await keepEvents(database, siteId);
  const happen = () => database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: {} }));
  const last = async () => (await eventsOf(database, siteId)).at(-1)!.Sequence;
  await happen();
  const kept = await last();
  await happen();
  const seen = await last();
  expect(seen).toBeGreaterThan(kept);
  // A disk of before is put back.
  await database.query(`DELETE FROM outbox WHERE sequence > $1`, [kept]);
  await database.query(`SELECT setval('outbox_sequence_seq', $1)`, [kept]);
  await database.query(`UPDATE deployment SET seen_utc = now() - interval '7 hours'`);
  await happen();
  expect(await last()).toBeGreaterThan(seen);
  expect(await database.query(`SELECT cause FROM required_reconciliations`)).toEqual([{ cause: 'gap' }]);
});

it('is told of when it fails for long: by readiness, by two gauges, and by one line of the log', async () => {
  const { siteId } = await given(database).merchant();
  await keepEvents(database, siteId);
  await database.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
  );
  await database.query(`CREATE TRIGGER refuse BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await database.pool.transaction((tx) => writeEvent(tx, { siteId, type: 'order.created', facts: {} }));
  const log = new PassThrough();
  let output = '';
  log.on('data', (chunk) => (output += String(chunk)));
  const made = createWorker(database, { LOG_LEVEL: 'info' }, {}, {}, log);
  await made.start();
  const readiness = await made.part(Readiness);
  const metrics = () => made.metrics();
  try {
    await until(async () => (await readiness.unreadyBecause())?.includes('could not be numbered'));
    // Two more ticks fail.
    await pause(2_500);
    expect(output.match(/Events could not be numbered/g)).toHaveLength(1);
    expect(await metrics()).toMatch(/^scheduled_orders_events_unnumbered 1$/m);
    const [, age] = /^scheduled_orders_events_unnumbered_age_seconds (.*)$/m.exec(await metrics())!;
    expect(Number(age)).toBeGreaterThan(2);
  } finally {
    await database.query(`DROP FUNCTION refuse CASCADE`);
  }
  await until(async () => (await readiness.unreadyBecause()) === null);
  expect(await metrics()).toMatch(/^scheduled_orders_events_unnumbered 0$/m);
  await made.end();
});

it('is woken by a commit of a request that wrote events, and not by one of a site that does not listen', async () => {
  const listening = await givenShop(database);
  const other = await givenShop(database);
  await keepEvents(database, listening.siteId);
  const [one, two] = [await listening.dueOrder(), await other.dueOrder()];
  const heard: string[] = [];
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  client.on('notification', ({ channel }) => void heard.push(channel));
  await client.query(`LISTEN ${EVENTS_CHANNEL}`);
  const change = (id: number, token: string) =>
    api.request('PUT', `/api/ScheduledOrders/${id}`, { token, body: { Frequency: 5 } });
  await change(two, other.tokenAuth);
  await client.query('SELECT 1');
  expect(heard).toEqual([]);
  await change(one, listening.tokenAuth);
  await until(() => heard.length > 0);
  await client.end();
  const rows = await database.query(`SELECT 1 FROM outbox WHERE site_id = $1`, [other.siteId]);
  expect(rows).toEqual([]);
});
