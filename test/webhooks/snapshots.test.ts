import { SNAPSHOTS } from '../../apps/worker/src/dispatcher/deliveries.sql.js';
import { useDatabase } from '../support/database.js';
import { nodesOf, PLAN_MODES, planOf } from '../support/sql/query-plan.js';

const database = useDatabase();

const ORDER = 17;
const MONTHS = 30;
/** The months before it have partitions. */
const TURN = `timestamptz '2012-01-01Z'`;

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

const COLUMNS = {
  event_logs: ['event_type', 'scheduled_order'],
  action_logs: ['action_type', 'new_scheduled_order'],
};

/** An entry that was written a second before the turn of a month; its event occurred a second after it. */
async function entryOf(log: keyof typeof COLUMNS, monthsBefore: number) {
  const [event] = await database.query<{ id: string; occurred: string }>(
    `INSERT INTO ${log} (id, created_utc, site_id, scheduled_order_id, description, ${COLUMNS[log].join(', ')})
     VALUES (uuid_v7(), ${TURN} - $1 * interval '1 month' - interval '1 second', 1, $2, 'What happened', 'Test', $3)
     RETURNING id, (created_utc + interval '2 seconds')::text AS occurred`,
    [monthsBefore, ORDER, JSON.stringify({ Log: log, Months: monthsBefore })],
  );
  return event!;
}

describe('The snapshot of an event', () => {
  it('is found across the turn of a month', async () => {
    const entries = [await entryOf('event_logs', 0), await entryOf('event_logs', 12), await entryOf('action_logs', 7)];
    const found = await database.query(SNAPSHOTS, [
      [1, 2, 3],
      entries.map(() => ORDER),
      entries.map(({ id }) => id),
      entries.map(({ occurred }) => occurred),
    ]);
    expect(found).toEqual([
      { id: '1', text: '{"Log":"event_logs","Months":0}' },
      { id: '2', text: '{"Log":"event_logs","Months":12}' },
      { id: '3', text: '{"Log":"action_logs","Months":7}' },
    ]);
  });

  it.each(PLAN_MODES)('is read once, in the months beside it alone (%s)', async (mode) => {
    const { id, occurred } = await entryOf('event_logs', 6);
    const plan = await planOf(database, SNAPSHOTS, [[1], [ORDER], [id], [occurred]], mode);
    const read = nodesOf(plan).flatMap((node) => (node['Actual Loops'] > 0 ? (node['Relation Name'] ?? []) : []));
    expect(read.sort()).toEqual(['event_logs_of_month_6', 'event_logs_of_month_7']);
  });
});
