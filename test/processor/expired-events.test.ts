import { useDatabase } from '../support/database.js';
import { workUntil } from '../support/worker.js';

const database = useDatabase();

it('A worker deletes events beyond EVENT_RETENTION, and notices of occurrences that have passed', async () => {
  await database.query(
    `INSERT INTO outbox (site_id, type, sequence, occurred_utc)
     SELECT 1, 'order.created', n, now() - (CASE WHEN n <= 2500 THEN interval '8 days' ELSE interval '4 days' END) FROM generate_series(1, 2600) n`,
  );
  await database.query(`SELECT setval('outbox_sequence_seq', 2600)`);
  await database.query(
    `INSERT INTO upcoming_notices (scheduled_order_id, occurrence_utc)
     SELECT n, now() + (n - 3) * interval '1 day' FROM generate_series(1, 4) n`,
  );
  const left = () =>
    database.query(
      `SELECT count(*)::int AS events, min(sequence)::int AS first, max(sequence)::int AS last,
         (SELECT array_agg(scheduled_order_id::int ORDER BY 1) FROM upcoming_notices) AS notices FROM outbox`,
    );
  const isDone = async () => /"events":100,.*"notices":\[3,4\]/.test(JSON.stringify(await left()));
  await workUntil(database, isDone, { EVENT_RETENTION: 'P7D' });
  expect(await left()).toEqual([{ events: 100, first: 2501, last: 2600, notices: [3, 4] }]);
});
