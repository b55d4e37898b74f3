import { Gauge, type Registry } from 'prom-client';
import { type ConnectionPool, Reading } from '#libs/platform';
import { NEWEST_MIGRATION, SCHEMA_VERSION } from './migrated.js';

/** 0: the database has none. */
const SCHEMA = `SELECT coalesce((${NEWEST_MIGRATION}), 0) AS version, coalesce((SELECT m.schema_version FROM minimum_version m), 0) AS minimum`;

/**
 * Whether a process can do its work, and how its version and the database's schema fit together: read at each scrape.
 */
export function schemaMetrics(
  registry: Registry,
  pool: ConnectionPool,
  unreadyBecause: () => Promise<string | null>,
): void {
  const gauge = (name: string, help: string, collect: (this: Gauge) => void | Promise<void>) =>
    new Gauge({ name, help, registers: [registry], collect });
  let isReady = false;
  const readiness = new Reading(async () => void (isReady = (await unreadyBecause()) === null));
  gauge('scheduled_orders_ready', 'Whether the process can work now, as GET /health/ready says.', async function () {
    this.set((await readiness.now()) && isReady ? 1 : 0);
  });
  let [version, minimum] = [0, 0];
  const schema = new Reading(async () => {
    const [row] = await pool.execute<{ version: number; minimum: number }>(SCHEMA);
    ({ version, minimum } = row!);
  });
  gauge(
    'scheduled_orders_schema_version',
    'The schema version of the database: the number of its newest migration.',
    async function () {
      if (await schema.now()) this.set(version);
    },
  );
  gauge(
    'scheduled_orders_schema_version_minimum',
    'The oldest schema version that the database allows a process to have.',
    async function () {
      if (await schema.now()) this.set(minimum);
    },
  );
  gauge('scheduled_orders_schema_version_expected', 'The schema version that the process is written for.', function () {
    this.set(SCHEMA_VERSION);
  });
}
