import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { IS_UNCOMPARED } from '#libs/cycles';
import type { SqlExecutor } from '#libs/database';

/** ix_scheduled_orders_due, ix_processing_cycles_next_attempt. `uncompared` counts integrations, of which there are few compared with orders. */
const BACKLOG = `SELECT
  (SELECT count(*) FROM scheduled_orders o
   WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated AND o.next_occurrence_utc <= now()) AS due,
  coalesce((SELECT extract(epoch FROM now() - min(o.next_occurrence_utc)) FROM scheduled_orders o
   WHERE o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated AND o.next_occurrence_utc <= now()), 0) AS oldest_seconds,
  (SELECT count(*) FROM payment_integrations i WHERE i.deleted_utc IS NULL AND ${IS_UNCOMPARED}) AS uncompared,
  count(*) FILTER (WHERE c.state = 'Retrying') AS retrying,
  count(*) FILTER (WHERE c.state = 'Waiting') AS waiting,
  count(*) FILTER (WHERE c.state = 'Unknown') AS unknown
FROM processing_cycles c WHERE c.open AND c.next_attempt_utc IS NOT NULL AND NOT c.simulated`;

interface Readable {
  read(): Promise<void>;
}

/** A worker's Prometheus metrics. The gauges describe the whole database and are read at each scrape. */
export class Metrics {
  readonly registry = new Registry();
  private readonly others: Readable[] = [];
  private readonly register = [this.registry];

  readonly claimed = new Counter({
    name: 'scheduled_orders_claimed_total',
    help: 'Cycles that this worker has claimed, retried or taken over.',
    registers: this.register,
  });
  readonly processed = new Counter({
    name: 'scheduled_orders_processed_total',
    help: 'Cycles that this worker has completed.',
    registers: this.register,
  });
  readonly failed = new Counter({
    name: 'scheduled_orders_failed_total',
    help: 'Tries that did not complete their cycle, by failure code (decisions.md §9).',
    labelNames: ['code'],
    registers: this.register,
  });
  readonly chargeSeconds = new Histogram({
    name: 'scheduled_orders_charge_seconds',
    help: 'Time from sending a charge to its answer.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: this.register,
  });
  readonly batchSize = new Histogram({
    name: 'scheduled_orders_batch_size',
    help: 'Cycles that were claimed together.',
    buckets: [1, 10, 50, 100, 250, 500, 1000, 5000],
    registers: this.register,
  });
  readonly openBreakers = this.gauge(
    'scheduled_orders_breakers_open',
    'Payment integrations that this worker does not call at the moment, because their gateway does not answer.',
  );
  private readonly due = this.gauge('scheduled_orders_due', 'Orders that are due, leased by any worker or none.');
  private readonly oldest = this.gauge('scheduled_orders_due_age_seconds', 'How long the oldest of them has been due.');
  private readonly retrying = this.gauge('scheduled_orders_retrying', 'Cycles that wait for their next try.');
  private readonly waiting = this.gauge(
    'scheduled_orders_awaiting_integration',
    'Cycles that wait for their payment integration.',
  );
  private readonly unknown = this.gauge('scheduled_orders_unknown', 'Cycles whose charge has an unknown outcome.');
  private readonly uncompared = this.gauge(
    'scheduled_orders_uncompared_integrations',
    'Payment integrations whose charges must be compared with the ledger before anything is charged through them.',
  );
  private readonly mayCharge = this.gauge(
    'scheduled_orders_may_charge',
    'Whether this worker may charge: 0 when the database is a copy.',
  );

  private readonly clockSkew = this.gauge(
    'scheduled_orders_gateway_clock_skew_seconds',
    "How far the most wrong gateway clock is ahead of the database's clock, by the Date of its answers.",
  );
  private readonly batchLimit = this.gauge(
    'scheduled_orders_batches_at_once',
    'Batches that this worker may process at once: 1 while it gives way to the API, else 4.',
  );
  private readonly recording = this.gauge(
    'scheduled_orders_recording',
    'Whether charges can be recorded: 0 when recording fails again and again, and nothing is charged.',
  );

  constructor(private readonly pool: SqlExecutor) {
    collectDefaultMetrics({ register: this.registry });
    this.mayCharge.set(1);
    this.recording.set(1);
  }

  /** The gauges of another part of the worker are read at each scrape as well. */
  also<Part extends Readable>(part: Part): Part {
    this.others.push(part);
    return part;
  }

  setMayCharge(mayCharge: boolean): void {
    this.mayCharge.set(mayCharge ? 1 : 0);
  }

  /** Of the gateway whose clock is most wrong. */
  setClockSkew(seconds: number): void {
    this.clockSkew.set(seconds);
  }

  countClaimed(cycles: number): void {
    this.claimed.inc(cycles);
    this.batchSize.observe(cycles);
  }

  setBatchLimit(batches: number): void {
    this.batchLimit.set(batches);
  }

  setRecording(isRecording: boolean): void {
    this.recording.set(isRecording ? 1 : 0);
  }

  /** The metrics as text. When the database cannot be reached, its gauges keep their last values. */
  async text(): Promise<string> {
    try {
      const [row] = await this.pool.execute<Record<string, string>>(BACKLOG);
      this.due.set(Number(row!.due));
      this.oldest.set(Number(row!.oldest_seconds));
      this.retrying.set(Number(row!.retrying));
      this.waiting.set(Number(row!.waiting));
      this.unknown.set(Number(row!.unknown));
      this.uncompared.set(Number(row!.uncompared));
    } catch {
      // A scrape must work without the database: that is when it is needed most.
    }
    await Promise.all(this.others.map((other) => other.read()));
    return this.registry.metrics();
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: this.register });
  }
}
