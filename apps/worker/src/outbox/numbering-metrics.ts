import { Gauge, type Registry } from 'prom-client';
import type { SqlExecutor } from '#libs/platform';

/** ix_outbox_unnumbered. */
const UNNUMBERED = `SELECT count(*) AS unnumbered, coalesce(extract(epoch FROM now() - min(x.occurred_utc)), 0)::float8 AS age
FROM outbox x WHERE x.sequence IS NULL`;

/**
 * What a worker tells Prometheus about events without a number. The gauges describe the whole database and are read at
 * each scrape.
 */
export class NumberingMetrics {
  private readonly unnumbered: Gauge;
  private readonly age: Gauge;

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
    this.unnumbered = gauge(
      'scheduled_orders_events_unnumbered',
      'Events that nobody is told of before a worker numbers them.',
    );
    this.age = gauge(
      'scheduled_orders_events_unnumbered_age_seconds',
      'How long the oldest unnumbered event has waited.',
    );
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    const [row] = await this.pool.execute<Record<'unnumbered' | 'age', number>>(UNNUMBERED);
    this.unnumbered.set(row!.unnumbered);
    this.age.set(row!.age);
  }
}
