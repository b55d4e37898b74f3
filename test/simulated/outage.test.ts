import { integrationChanged } from '#libs/ledger';
import { useApi } from '../support/api.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { givenSimulatedShop, type SimulatedShop } from '../support/shops/simulated.js';
import { givenTwin, type Twin } from '../support/shops/twin.js';
import { drainOnce, ENCRYPTION_KEY, vault } from '../support/worker.js';

const database = useDatabase();
const api = useApi(database, { ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0' });
const env = { PAYMENT_RETRY_SCHEDULE: 'P1D,P3D' };

const DAY = 86_400_000;
/** The present of the real shops. The real clock goes on while they are processed: a time counts as one of these. */
const GRID = 600_000;
const HALF_AN_HOUR = 1_800_000;
const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);

const declined = { paymentMethodId: 'pm_declined' };
/** Its shop has no integration of this type. */
const unconnected = { paymentMethodType: 'GatewayTwo', paymentMethodCustomerId: '1001', paymentMethodId: '2001' };

/** Each was due half an hour before the outage, unless it has days. */
const ORDERS: Record<string, { values: Record<string, unknown>; inDays?: number }> = {
  daily: { values: { frequencyType: 'Days' } },
  'every 7 weeks': { values: { frequencyType: 'Weeks', frequency: 7 } },
  'monthly, due within the outage': { values: { frequencyType: 'Months' }, inDays: 3 },
  'on the 31st': { values: { frequencyType: 'DayOfTheMonth', frequency: 31 } },
  'on Mondays': { values: { frequencyType: 'DayOfTheWeek', frequency: 2 } },
  'due after any outage': { values: { frequencyType: 'Months', frequency: 12 }, inDays: 200 },
  'declined daily': { values: { frequencyType: 'Days', ...declined } },
  'declined monthly': { values: { frequencyType: 'Months', ...declined } },
  'declined for good': { values: { frequencyType: 'Days', paymentMethodId: 'pm_declined_hard' } },
  'declined, another card since': { values: { frequencyType: 'Days', ...declined } },
  'waiting daily': { values: { frequencyType: 'Days', ...unconnected } },
  'waiting on the 31st': { values: { frequencyType: 'DayOfTheMonth', frequency: 31, ...unconnected } },
  'waiting, due within the outage': { values: { frequencyType: 'Weeks', ...unconnected }, inDays: 2 },
  paused: { values: { frequencyType: 'Days', status: 'Paused' } },
};

const ORDER_NAMES = Object.keys(ORDERS);

interface GivenOrders {
  readonly shop: SimulatedShop;
  readonly ids: ReadonlyMap<string, number>;
}
type Pair = GivenOrders & { readonly twin: Twin };

/** What has begun before the outage, by the clock. */
async function givenBefore(days: number): Promise<GivenOrders> {
  const startUtc = new Date(now.getTime() - days * DAY);
  const shop = await givenSimulatedShop(database, startUtc.toISOString());
  const ids = new Map<string, number>();
  for (const [name, { values, inDays = 0 }] of Object.entries(ORDERS)) {
    const due = new Date(startUtc.getTime() + inDays * DAY - HALF_AN_HOUR);
    ids.set(name, await shop.order({ ...values, nextOccurrenceUtc: due, scheduleAnchorUtc: due }));
  }
  return { shop, ids };
}

async function connect(siteId: number): Promise<void> {
  await given(database).integration(vault, siteId, { paymentMethodType: 'GatewayTwo' });
  await database.pool.transaction((tx) => integrationChanged(tx, siteId, 'GatewayTwo'));
}

async function takeAnotherCard({ ids, twin }: Pair): Promise<void> {
  const id = ids.get('declined, another card since')!;
  const both = [id, twin.orderOf.get(id)];
  await database.query(`UPDATE scheduled_orders SET payment_method_id = 'pm_card' WHERE id = ANY ($1)`, [both]);
}

/** Rows with times as whole steps of the grid from the present, also within sentences. */
function comparable<T>(rows: T): T {
  const steps = (time: number) => `present ${Math.round((time - now.getTime()) / GRID)}`;
  const text = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(TIME, (time) => steps(timeOf(time))) : value,
  );
  return JSON.parse(text) as T;
}

/** As in JSON, and as in sentences. */
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z|\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;
const timeOf = (shown: string) => Date.parse(shown.replace(' UTC', 'Z').replace(' ', 'T'));

const CYCLE = `cycle, state, attempt, due_utc, replaced_utc, missed_occurrences, payment_failures, technical_failures, retries_exhausted, waiting_since_utc,
  next_attempt_utc, ended_utc, amount, failure_code, failure_message, payment_method_type`;

/** All that the outage has led to for an order. */
async function after(id: number, copiedUtc: Date) {
  const since = (columns: string, table: string, by = 'id') =>
    database.query(
      `SELECT ${columns} FROM ${table} WHERE scheduled_order_id = $1 AND created_utc > $2 ORDER BY ${by}`,
      [id, copiedUtc],
    );
  return comparable({
    order: await database.query(
      `SELECT status, next_occurrence_utc, last_occurrence_utc, replaced_occurrence_utc, schedule_anchor_utc, cycles, total::text
       FROM scheduled_orders WHERE id = $1`,
      [id],
    ),
    cycles: await database.query<{ state: string; attempt: string; missed_occurrences: string }>(
      `SELECT ${CYCLE} FROM processing_cycles WHERE scheduled_order_id = $1 ORDER BY cycle`,
      [id],
    ),
    orders: await since('cycle, date_created, date_paid, total::text', 'orders', 'cycle'),
    events: await since('event_type, description', 'event_logs'),
    errors: await since('description', 'error_logs'),
  });
}

const waitsOf = async (siteId: number) =>
  comparable(
    await database.query(
      `SELECT payment_method_type, waiting_since_utc, next_probe_utc FROM integration_waits WHERE site_id = $1`,
      [siteId],
    ),
  );

const CASES = [
  { days: 10, isConnected: false },
  { days: 10, isConnected: true },
  { days: 90, isConnected: false },
  { days: 90, isConnected: true },
];

/** The newest cycle of some orders, as state, attempts and missed occurrences, by the rules of decisions.md §9. */
const EXPECTED: Record<string, (days: number, isConnected: boolean) => [string, number, number]> = {
  daily: (days) => ['Completed', 1, days - 1],
  'declined daily': () => ['Retrying', 2, 0],
  'declined for good': () => ['Failed', 1, 0],
  'declined, another card since': (days) => ['Completed', 2, days],
  // They have waited for 30 days, or will.
  'waiting daily': (days, isConnected) =>
    isConnected ? ['Completed', 1, days] : days < 30 ? ['Waiting', 0, 0] : ['Failed', 0, days],
  'waiting, due within the outage': (days, isConnected) =>
    isConnected ? ['Completed', 1, Math.floor((days - 2) / 7)] : ['Waiting', 0, 0],
};

describe('An Outage does what an outage of that length does to a real shop', () => {
  const pairs: Pair[] = [];
  let copiedUtc: Date;

  beforeAll(async () => {
    const before: GivenOrders[] = [];
    for (const { days } of CASES) before.push(await givenBefore(days));
    await drainOnce(database, env);
    for (const given of before) pairs.push({ ...given, twin: await givenTwin(database, given.shop) });
    [{ copiedUtc }] = (await database.query<{ copiedUtc: Date }>(`SELECT now() AS "copiedUtc"`)) as [
      { copiedUtc: Date },
    ];
    for (const [index, { days, isConnected }] of CASES.entries()) {
      const { shop, twin } = pairs[index]!;
      const { status, body } = await api.request('POST', `/api/TestClock/${shop.siteId}/Outage`, {
        token: shop.tokenAuth,
        body: { By: `P${days}D` },
      });
      expect([status, body]).toMatchObject([200, { NowUtc: now.toISOString(), State: 'Ready' }]);
      await takeAnotherCard(pairs[index]!);
      if (isConnected) for (const siteId of [shop.siteId, twin.siteId]) await connect(siteId);
    }
    await drainOnce(database, env);
  });

  it.each(CASES.map((one, index) => ({ ...one, index })))(
    '$days days, GatewayTwo connected in the meantime: $isConnected',
    async ({ days, isConnected, index }) => {
      const { shop, ids, twin } = pairs[index]!;
      const simulated: Record<string, Awaited<ReturnType<typeof after>>> = {};
      const real: typeof simulated = {};
      for (const [name, id] of ids) {
        simulated[name] = await after(id, copiedUtc);
        real[name] = await after(twin.orderOf.get(id)!, copiedUtc);
      }
      expect(simulated).toEqual(real);
      expect(await waitsOf(shop.siteId)).toEqual(await waitsOf(twin.siteId));
      for (const [name, expected] of Object.entries(EXPECTED)) {
        const { state, attempt, missed_occurrences } = simulated[name]!.cycles.at(-1)!;
        expect([name, state, Number(attempt), Number(missed_occurrences)]).toEqual([
          name,
          ...expected(days, isConnected),
        ]);
      }
    },
  );

  it('and an Advance goes on from there: orders that waited are paid before the clock moves', async () => {
    const { shop, ids } = pairs[0]!;
    await connect(shop.siteId);
    // Those that waited are woken in a transaction of its own, which takes longer than a step of the clock.
    await database.query(
      `CREATE FUNCTION slow_end() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN OLD; END'`,
    );
    await database.query(
      `CREATE TRIGGER slow_end BEFORE DELETE ON integration_waits FOR EACH ROW EXECUTE FUNCTION slow_end()`,
    );
    await shop.advance(new Date(now.getTime() + 4 * DAY).toISOString());
    await drainOnce(database, env);
    const cyclesOf = (name: string) =>
      database.query<{ state: string; occurred: Date }>(
        `SELECT state, occurred_utc AS occurred FROM processing_cycles WHERE scheduled_order_id = $1 AND occurred_utc >= $2 ORDER BY cycle`,
        [ids.get(name), now],
      );
    for (const name of ORDER_NAMES.filter((one) => one.startsWith('waiting')))
      expect([name, (await cyclesOf(name))[0]]).toEqual([name, { state: 'Completed', occurred: now }]);
    // The retry after the present one is the last.
    expect(await cyclesOf('declined daily')).toEqual([
      { state: 'Failed', occurred: new Date(now.getTime() + 3 * DAY) },
    ]);
    const daily = await cyclesOf('daily');
    const due = Array.from({ length: 4 }, (_, n) => new Date(now.getTime() + (n + 1) * DAY - HALF_AN_HOUR));
    expect(daily.map(({ occurred }) => occurred)).toEqual([now, ...due]);
  });
});
