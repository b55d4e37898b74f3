import { createLogger } from '#libs/config';
import { createPool } from '../../apps/worker/src/database/pool.js';
import { LogPartitions } from '../../apps/worker/src/operations/log-partitions.js';
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
    await new LogPartitions(pool, undefined, log).keep();
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
    await new LogPartitions(pool, 2, log).keep();
    expect(await partitions()).toEqual([-2, -1, 0, 1, 2, 3].map(nameOf).concat('event_logs_rest').sort());
    await pool.end();
  });
});
