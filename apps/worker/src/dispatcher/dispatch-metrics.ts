import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { BREAKER_FAILURES } from '#libs/events';
import type { OutboundAnswer, SqlExecutor } from '#libs/platform';
import { type InFlight, LANES, MOST } from './in-flight.js';

const OUTCOMES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

/**
 * Of endpoints that may be sent to. ix_webhook_deliveries_due, ix_webhook_deliveries_ordered: what is finished is not
 * read. ix_webhook_endpoints_due: an endpoint that waits for the next try of its deliveries is not due.
 */
const BACKLOG = `SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(w.created_utc)), 0)::float8 AS age,
  coalesce((SELECT extract(epoch FROM now() - min(e.next_due_utc)) FROM webhook_endpoints e WHERE e.next_due_utc <= now()), 0)::float8 AS due_age,
  (SELECT count(*) FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Enabled' AND e.failures >= ${BREAKER_FAILURES}) AS open,
  (SELECT count(*) FROM webhook_endpoints e WHERE e.deleted_utc IS NULL AND e.status = 'Disabled' AND e.disabled_reason IS NOT NULL) AS disabled
FROM (SELECT d.webhook_endpoint_id, d.created_utc FROM webhook_deliveries d WHERE d.next_attempt_utc IS NOT NULL
  UNION ALL SELECT d.webhook_endpoint_id, d.created_utc FROM webhook_deliveries d
  WHERE d.ordered AND d.state = 'Waiting' AND d.next_attempt_utc IS NULL) w
JOIN webhook_endpoints e ON e.id = w.webhook_endpoint_id AND e.status = 'Enabled' AND e.deleted_utc IS NULL`;

/**
 * What a worker tells Prometheus about webhooks. The gauges are read at each scrape. All but that of what is in flight
 * describe the whole database.
 */
export class DispatchMetrics {
  readonly delivered: Counter;
  readonly failed: Counter;
  readonly exhausted: Counter;
  private readonly waiting: Gauge;
  private readonly age: Gauge;
  private readonly dueAge: Gauge;
  private readonly requests: Histogram<'outcome'>;
  private readonly open: Gauge;
  private readonly disabled: Gauge;
  private readonly sending: Gauge<'lane'>;

  constructor(
    private readonly pool: SqlExecutor,
    private readonly inFlight: InFlight,
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
    this.age = gauge('scheduled_orders_webhooks_waiting_age_seconds', 'How long the oldest delivery has waited.');
    this.dueAge = gauge(
      'scheduled_orders_webhooks_due_age_seconds',
      'How long the endpoint that is due longest has waited for a worker.',
    );
    this.requests = new Histogram({
      name: 'scheduled_orders_webhooks_request_seconds',
      help: `Time from sending a webhook to the end of its answer, by the class of its status; none: no whole answer. Outcomes: ${OUTCOMES.join(', ')}.`,
      labelNames: ['outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    for (const outcome of OUTCOMES) this.requests.zero({ outcome });
    this.open = gauge('scheduled_orders_webhooks_breakers_open', 'Endpoints that only one delivery is tried at.');
    this.disabled = gauge('scheduled_orders_webhooks_endpoints_disabled', 'Endpoints that the service has disabled.');
    this.sending = new Gauge({
      name: 'scheduled_orders_webhooks_in_flight',
      help: `Webhook deliveries that this worker is sending. Lanes: quick (at most ${MOST.quick}); slow (at most ${MOST.slow}): to endpoints whose latest answer took more than a second, or that have failed lately.`,
      labelNames: ['lane'],
      registers,
    });
  }

  /** @param error why there is no whole answer; null when there is one. */
  answered({ status, error, milliseconds }: Pick<OutboundAnswer, 'status' | 'error' | 'milliseconds'>): void {
    const outcome = OUTCOMES.find((one) => error === null && one.startsWith(String(status).slice(0, 1))) ?? 'none';
    this.requests.observe({ outcome }, milliseconds / 1_000);
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    for (const lane of LANES) this.sending.set({ lane }, this.inFlight.count(lane));
    const [row] = await this.pool.execute<Record<'waiting' | 'age' | 'dueAge' | 'open' | 'disabled', number>>(BACKLOG);
    this.waiting.set(row!.waiting);
    this.age.set(row!.age);
    this.dueAge.set(row!.dueAge);
    this.open.set(row!.open);
    this.disabled.set(row!.disabled);
  }
}
