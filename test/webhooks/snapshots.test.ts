import { SNAPSHOTS } from '../../apps/worker/src/dispatcher/deliveries.sql.js';
import { useDatabase } from '../support/database.js';
import { nodesOf, PLAN_MODES, planOf } from '../support/query-plan.js';

const database = useDatabase();

const ORDER = 17;
const MONTHS = 30;
/** The first instant of the month. */
const TURN = `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

beforeAll(async () => {
  // As a service has them that has run for years.
  for (const log of ['event_logs', 'action_logs']) {
    await database.query(`DO $$ BEGIN
      FOR n IN 1..${MONTHS} LOOP
        EXECUTE format('CREATE TABLE ${log}_of_month_%s PARTITION OF ${log} FOR VALUES FROM (%L) TO (%L)', n,
          ${TURN} - n * interval '1 month', ${TURN} - (n - 1) * interval '1 month');
      END LOOP;
    END $$`);
  }
});

/** An entry that was written a second before the turn of a month, `months` ago; its event a second after it. */
async function entryOf(months: number) {
  const [event] = await database.query<{ id: string; occurred: string }>(
    `INSERT INTO event_logs (id, created_utc, site_id, scheduled_order_id, event_type, description, scheduled_order)
     VALUES (uuid_v7(), ${TURN} - $1 * interval '1 month' - interval '1 second', 1, $2, 'ScheduledOrderProcessed', 'Processed', $3)
     RETURNING id, (created_utc + interval '2 seconds')::text AS occurred`,
    [months, ORDER, JSON.stringify({ Months: months })],
  );
  return event!;
}

describe('The snapshot of an event', () => {
  it('is found across the turn of a month', async () => {
    const entries = [await entryOf(0), await entryOf(12)];
    const found = await database.query(SNAPSHOTS, [
      [1, 2],
      entries.map(() => ORDER),
      entries.map(({ id }) => id),
      entries.map(({ occurred }) => occurred),
    ]);
    expect(found).toEqual([
      { id: '1', text: '{"Months":0}' },
      { id: '2', text: '{"Months":12}' },
    ]);
  });

  it.each(PLAN_MODES)('is read once, in the months beside it alone (%s)', async (mode) => {
    const { id, occurred } = await entryOf(6);
    const plan = await planOf(database, SNAPSHOTS, [[1], [ORDER], [id], [`"${occurred}"`]], mode);
    const read = nodesOf(plan).flatMap((node) => (node['Actual Loops'] > 0 ? (node['Relation Name'] ?? []) : []));
    expect(read.sort()).toEqual(['event_logs_of_month_6', 'event_logs_of_month_7']);
  });
});
