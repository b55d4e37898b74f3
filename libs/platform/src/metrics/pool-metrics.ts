import { Gauge, type Registry } from 'prom-client';
import type { ConnectionPool } from '../database/index.js';

/** The connections of a process by pool, as they are at each scrape. The names are OpenTelemetry's. */
export function poolMetrics(registry: Registry, pools: Readonly<Record<string, ConnectionPool>>): void {
  const ofEach = (name: string, help: string, set: (gauge: Gauge, name: string, pool: ConnectionPool) => void) =>
    new Gauge({
      name,
      help,
      labelNames: name.endsWith('_count') ? ['pool', 'state'] : ['pool'],
      registers: [registry],
      collect() {
        for (const [name, pool] of Object.entries(pools)) set(this, name, pool);
      },
    });
  ofEach(
    'db_client_connection_count',
    'Connections to the database, by state: idle, or used by a statement or a transaction.',
    (gauge, pool, { connections: { idle, used } }) => {
      gauge.set({ pool, state: 'idle' }, idle);
      gauge.set({ pool, state: 'used' }, used);
    },
  );
  ofEach('db_client_connection_max', 'The most connections that the pool makes.', (gauge, pool, { connections }) =>
    gauge.set({ pool }, connections.most),
  );
  ofEach(
    'db_client_connection_pending_requests',
    'Statements and transactions that wait for a connection.',
    (gauge, pool, { connections }) => gauge.set({ pool }, connections.waiting),
  );
}
