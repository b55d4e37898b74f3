import { FREQUENCY_TYPES } from '#libs/rules';
import { ALL_CASES, itInAllCases } from '../support/all-cases.js';
import { measured } from '../support/bounds.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { givenSimulatedShop } from '../support/shops/simulated.js';
import { createWorker } from '../support/worker.js';

const database = useDatabase();
const START = '2023-12-31T00:00:00.000Z';
/** Half of the year has months of all lengths, too. */
const TARGET = ALL_CASES ? '2024-12-31T00:00:00.000Z' : '2024-07-01T00:00:00.000Z';
/** Every kind of order comes again after 60. */
const COUNT = ALL_CASES ? 1_000 : 60;
/** How often: common ones of each type. */
const FREQUENCIES = {
  Days: [1, 7, 10, 30],
  Weeks: [1, 2, 4],
  Months: [1, 2, 3],
  DayOfTheWeek: [1, 4, 7],
  DayOfTheMonth: [1, 15, 29, 31],
};
/** Hours of the day at which the orders were made. */
const HOURS = [0, 9];

/** PostgreSQL's own calendar: the occurrences of each order after its anchor, up to the target. $1 site, $2 target. */
const EXPECTED = `SELECT o.id::int AS "orderId", to_char(t.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "dueUtc"
FROM (SELECT o.*, o.schedule_anchor_utc AT TIME ZONE 'UTC' AS anchor, $2::timestamptz AT TIME ZONE 'UTC' AS until FROM scheduled_orders o WHERE o.site_id = $1) o
CROSS JOIN LATERAL (
  SELECT o.anchor + k * o.frequency * CASE o.frequency_type WHEN 'Days' THEN interval '1 day' WHEN 'Weeks' THEN interval '1 week' ELSE interval '1 month' END AS at
  FROM generate_series(0, 400) k WHERE o.frequency_type IN ('Days', 'Weeks', 'Months')
  UNION ALL
  SELECT day FROM generate_series(o.anchor, o.until, interval '1 day') day
  WHERE o.frequency_type = 'DayOfTheWeek' AND extract(dow FROM day) + 1 = o.frequency
    OR o.frequency_type = 'DayOfTheMonth' AND (extract(day FROM day) = o.frequency
      OR extract(day FROM day) < o.frequency AND extract(day FROM day + interval '1 day') = 1)) t
WHERE t.at > o.anchor AND t.at <= o.until
ORDER BY o.id, t.at`;

itInAllCases(`a year of ${COUNT} orders of all types is what PostgreSQL's calendar says`, async () => {
  const shop = await givenSimulatedShop(database, START);
  const real = await given(database).merchant();
  const realOrder = await given(database).scheduledOrder(real.siteId, await given(database).customer(real.siteId));
  await database.query(
    `WITH made AS (
       INSERT INTO scheduled_orders (site_id, customer_id, status, frequency_type, frequency, currency_iso, schedule_anchor_utc, next_occurrence_utc,
         payment_method_type, payment_method_customer_id, payment_method_id)
       SELECT $1, $2, 'Active', f.type, f.frequency, 'USD', f.anchor, f.next, 'GatewayOne', 'cus_1', 'pm_card'
       FROM json_to_recordset($3) AS f (type text, frequency int, anchor timestamptz, next timestamptz)
       RETURNING id)
     INSERT INTO scheduled_order_items (site_id, scheduled_order_id, product_id, price, quantity) SELECT $1, id, $4, 12.50, 1 FROM made`,
    [shop.siteId, shop.customerId, JSON.stringify(series()), shop.productId],
  );
  await database.query(
    `UPDATE scheduled_orders o SET next_occurrence_utc = e.due FROM (
       SELECT "orderId" AS id, min("dueUtc")::timestamptz AS due FROM (${EXPECTED}) x GROUP BY 1) e WHERE o.id = e.id`,
    [shop.siteId, TARGET],
  );
  await shop.advance(TARGET);
  // More than one batch, where most are due at once.
  const worker = createWorker(database, { CLAIM_BATCH: String(COUNT / 2) });
  const from = performance.now();
  await worker.drain();
  expect(performance.now() - from).toBeLessThan(measured(60_000));
  await worker.end();
  const expected = await database.query(EXPECTED, [shop.siteId, TARGET]);
  expect(await shop.clock()).toEqual({ nowUtc: TARGET, state: 'Ready', cycles: expected.length, worker: null });
  const found = await database.query(
    `SELECT c.scheduled_order_id::int AS "orderId", to_char(c.due_utc AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "dueUtc"
     FROM processing_cycles c JOIN orders o ON o.scheduled_order_id = c.scheduled_order_id AND o.cycle = c.cycle
     WHERE c.site_id = $1 AND c.state = 'Completed' AND c.due_utc = c.occurred_utc AND o.date_paid = c.due_utc AND o.total = 12.50
     ORDER BY c.scheduled_order_id, c.cycle`,
    [shop.siteId],
  );
  expect(found.length).toBe(expected.length);
  expect(found).toEqual(expected);
  expect(await database.query(`SELECT cycles FROM scheduled_orders WHERE id = $1`, [realOrder])).toEqual([
    { cycles: '0' },
  ]);
});

function series() {
  return Array.from({ length: COUNT }, (_, index) => {
    const type = FREQUENCY_TYPES[index % FREQUENCY_TYPES.length]!;
    const choice = FREQUENCIES[type];
    const frequency = choice[Math.floor(index / FREQUENCY_TYPES.length) % choice.length];
    const anchor = new Date(Date.parse(START) - HOURS[index % HOURS.length]! * 3_600_000);
    return { type, frequency, anchor, next: START };
  });
}
