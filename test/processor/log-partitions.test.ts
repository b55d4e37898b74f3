import { createLogger } from '#libs/platform';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { LogPartitions } from '../../apps/worker/src/housekeeping/log-partitions.js';
import { useDatabase } from '../support/database.js';

describe('The partitions of the logs', () => {
  const database = useDatabase();
  const log = createLogger('worker', { logLevel: 'silent', logFormat: 'json' });

  const partitions = async (): Promise<string[]> => {
    const rows = await database.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'event_logs'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const nameOf = (months: number): string => {
    const at = new Date();
    const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months));
    return `event_logs_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  };

  it('are there for this month and the next three, and made again where they are missing, entries and all', async () => {
    const usual = [0, 1, 2, 3].map(nameOf);
    expect(await partitions()).toEqual([...usual, 'event_logs_rest'].sort());
    await database.query(`DROP TABLE ${nameOf(0)}`);
    await database.query(
      `INSERT INTO event_logs (site_id, scheduled_order_id, event_type, description) VALUES (1, 7, 'ScheduledOrderProcessed', 'x')`,
    );
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    await new LogPartitions(pool, undefined, log).run();
    expect(await partitions()).toEqual([...usual, 'event_logs_rest'].sort());
    expect(
      await database.query(`SELECT scheduled_order_id::int, tableoid::regclass::text AS lies FROM event_logs`),
    ).toEqual([{ scheduled_order_id: 7, lies: nameOf(0) }]);
    await pool.end();
  });

  it('are dropped when they are older than LOG_RETENTION', async () => {
    for (const months of [-1, -2, -3]) {
      const [from, to] = [nameOf(months), nameOf(months + 1)].map(
        (name) => `${name.slice(11).replace('_', '-')}-01T00:00:00Z`,
      );
      await database.query(
        `CREATE TABLE ${nameOf(months)} PARTITION OF event_logs FOR VALUES FROM ('${from}') TO ('${to}')`,
      );
    }
    const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
    await new LogPartitions(pool, 2, log).run();
    expect(await partitions()).toEqual([-2, -1, 0, 1, 2, 3].map(nameOf).concat('event_logs_rest').sort());
    await pool.end();
  });

  describe('that were missing while no worker ran', () => {
    /** Entries of the month so many months ago, one a minute; ids are as they would have been then. */
    const givenEntries = (log: string, type: string, monthsAgo: number, count: number) =>
      database.query(
        `INSERT INTO ${log} (id, site_id, scheduled_order_id, ${type}, created_utc)
         SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substring(replace(uuid_v7()::text, '-', '') FROM 13))::uuid,
           1, 7, 'x', at
         FROM generate_series(1, $2::int) n CROSS JOIN LATERAL (SELECT
           (date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') - $1 * interval '1 month' + n * interval '1 minute' AS at) t`,
        [monthsAgo, count],
      );
    const inRest = async (log: string) =>
      (
        await database.query<{ months: number; count: number }>(
          `SELECT (extract(year FROM age) * 12 + extract(month FROM age))::int AS months, count(*)::int AS count
           FROM (SELECT age(date_trunc('month', now() AT TIME ZONE 'UTC'), date_trunc('month', created_utc AT TIME ZONE 'UTC')) FROM ${log}_rest) a
           GROUP BY 1 ORDER BY 1`,
        )
      ).map(({ months, count }) => [months, count]);

    beforeEach(async () => {
      await database.query(`TRUNCATE event_logs_rest, action_logs_rest`);
      await givenEntries('event_logs', 'event_type', 9, 12_000);
      await givenEntries('event_logs', 'event_type', 8, 10);
      await givenEntries('event_logs', 'event_type', 7, 10);
      await givenEntries('action_logs', 'action_type', 8, 10);
      await givenEntries('action_logs', 'action_type', 6, 10);
    });

    it('go with the retention, chunk by chunk, and what is kept stays readable', async () => {
      const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
      await new LogPartitions(pool, 7, log).run();
      expect([await inRest('event_logs'), await inRest('action_logs')]).toEqual([[[7, 10]], [[6, 10]]]);
      await new LogPartitions(pool, 6, log).run();
      expect([await inRest('event_logs'), await inRest('action_logs')]).toEqual([[], [[6, 10]]]);
      await pool.end();
    });

    it('wait for nobody, and keep nobody waiting', async () => {
      const reader = database.dataSource.createQueryRunner();
      await reader.startTransaction();
      await reader.query(
        `SELECT 1 FROM event_logs_rest WHERE created_utc < now() - interval '8 months' ORDER BY id LIMIT 5 FOR SHARE`,
      );
      const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
      await new LogPartitions(pool, 7, log).run();
      expect(await inRest('event_logs')).toEqual([
        [7, 10],
        [9, 5],
      ]);
      await reader.rollbackTransaction();
      await reader.release();
      await new LogPartitions(pool, 7, log).run();
      expect(await inRest('event_logs')).toEqual([[7, 10]]);
      await pool.end();
    });

    it('stay for ever without a retention', async () => {
      const pool = createPool({ url: database.url, connections: 1, onLost: () => undefined });
      await new LogPartitions(pool, undefined, log).run();
      expect(await inRest('event_logs')).toEqual([
        [7, 10],
        [8, 10],
        [9, 12_000],
      ]);
      await pool.end();
    });
  });
});
