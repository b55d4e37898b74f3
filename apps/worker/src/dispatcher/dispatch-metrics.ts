import { Counter, Gauge, type Registry } from 'prom-client';
import type { SqlExecutor } from '#libs/database';
import { BREAKER_FAILURES } from '#libs/webhooks';

/** Of endpoints that may be sent to. ix_webhook_deliveries_due, ix_webhook_deliveries_ordered: what is finished is not read. */
const BACKLOG = `SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(w.created_utc)), 0) AS age,
  (SELECT count(*) FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Enabled' AND e.failures >= ${BREAKER_FAILURES}) AS open,
  (SELECT count(*) FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Disabled' AND e.disabled_reason IS NOT NULL) AS disabled
FROM (SELECT d.webhook_endpoint_id, d.created_utc FROM webhook_deliveries d WHERE d.next_attempt_utc IS NOT NULL
  UNION ALL SELECT d.webhook_endpoint_id, d.created_utc FROM webhook_deliveries d
  WHERE d.ordered AND d.state = 'Waiting' AND d.next_attempt_utc IS NULL) w
JOIN webhook_endpoints e ON e.id = w.webhook_endpoint_id AND e.status = 'Enabled' AND e.deleted_utc IS NULL`;

/** What a worker tells Prometheus about webhooks. The gauges describe the whole database and are read at each scrape. */
export class DispatchMetrics {
  readonly delivered: Counter;
  readonly failed: Counter;
  readonly exhausted: Counter;
  private readonly waiting: Gauge;
  private readonly age: Gauge;
  private readonly open: Gauge;
  private readonly disabled: Gauge;

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    const registers = [registry];
    const counter = (name: string, help: string) => new Counter({ name, help, registers });
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.delivered = counter('scheduled_orders_webhooks_delivered_total', 'Webhook deliveries that were answered 2xx.');
    this.failed = counter('scheduled_orders_webhooks_failed_total', 'Tries to deliver that were not answered 2xx.');
    this.exhausted = counter(
      'scheduled_orders_webhooks_exhausted_total',
      'Webhook deliveries that are not tried any more.',
    );
    this.waiting = gauge(
      'scheduled_orders_webhooks_waiting',
      'Webhook deliveries that wait for their first or next try.',
    );
    this.age = gauge('scheduled_orders_webhooks_waiting_age_seconds', 'How long the oldest of them has waited.');
    this.open = gauge('scheduled_orders_webhooks_breakers_open', 'Endpoints that only one delivery is tried at.');
    this.disabled = gauge('scheduled_orders_webhooks_endpoints_disabled', 'Endpoints that the service has disabled.');
  }

  /** Reads the gauges. While the database cannot be asked they keep their values: a scrape must work then, too. */
  async read(): Promise<void> {
    try {
      const [row] = await this.pool.execute<Record<'waiting' | 'age' | 'open' | 'disabled', string>>(BACKLOG);
      this.waiting.set(Number(row!.waiting));
      this.age.set(Number(row!.age));
      this.open.set(Number(row!.open));
      this.disabled.set(Number(row!.disabled));
    } catch {
      // As it says.
    }
  }
}
