import { Gauge, type Registry } from 'prom-client';
import type { SqlExecutor } from '#libs/platform';

const ENDPOINTS = `SELECT count(*) FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Enabled'`;

/** Where webhooks are sent to. Every worker shows it, for the whole database: so a missing dispatcher is seen. */
export class EndpointMetrics {
  private readonly endpoints: Gauge;

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    const help = 'Endpoints that webhooks are sent to.';
    this.endpoints = new Gauge({ name: 'scheduled_orders_webhooks_endpoints', help, registers: [registry] });
  }

  /** Reads the gauge. */
  async read(): Promise<void> {
    const [row] = await this.pool.execute<{ count: number }>(ENDPOINTS);
    this.endpoints.set(row!.count);
  }
}
