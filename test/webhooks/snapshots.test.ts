import { SNAPSHOTS } from '../../apps/worker/src/dispatcher/deliveries.sql.js';
import { useDatabase } from '../support/database.js';

const database = useDatabase();

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

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

async function explained(values: readonly unknown[], mode: string): Promise<Plan> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.query(`SET plan_cache_mode = ${mode}`);
    await runner.query(`PREPARE asked AS ${SNAPSHOTS}`);
    const literals = values.map((value) => `'${String(value)}'`).join(', ');
    const rows = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked (${literals})`)) as [
      { 'QUERY PLAN': [{ Plan: Plan }] },
    ];
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await runner.query('DEALLOCATE asked');
    await runner.query('RESET plan_cache_mode');
    await runner.release();
  }
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

  it.each(['force_custom_plan', 'force_generic_plan'])(
    'is read once, in the months beside it alone (%s)',
    async (mode) => {
      const { id, occurred } = await entryOf(6);
      const plan = await explained(['{1}', `{${ORDER}}`, `{${id}}`, `{"${occurred}"}`], mode);
      const read = nodesOf(plan).flatMap((node) => (node['Actual Loops'] > 0 ? (node['Relation Name'] ?? []) : []));
      expect(read.sort()).toEqual(['event_logs_of_month_6', 'event_logs_of_month_7']);
    },
  );
});
