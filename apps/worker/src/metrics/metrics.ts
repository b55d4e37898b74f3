import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ConnectionPool, poolMetrics, processMetrics, productVersion, Reading, type Settings } from '#libs/platform';
import { FAILURE_CODES } from '#libs/rules';
import { DISPATCH_POOL, SETTINGS } from '../tokens.js';
import { BacklogMetrics } from './backlog-metrics.js';
import { EndpointMetrics } from './endpoint-metrics.js';
import { GatewayMetrics } from './gateway-metrics.js';
import { ShopMetrics } from './shop-metrics.js';

const ROLES = ['processor', 'dispatcher', 'pushes'] as const;

interface Readable {
  read(): Promise<void>;
}

/** A worker's Prometheus metrics. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly gateways: GatewayMetrics;
  private readonly readings: Reading[] = [];
  private readonly register = [this.registry];

  readonly claimed = new Counter({
    name: 'scheduled_orders_claimed_total',
    help: 'Cycles that this worker has claimed, retried or taken over.',
    registers: this.register,
  });
  readonly processed = new Counter({
    name: 'scheduled_orders_processed_total',
    help: 'Cycles that this worker has completed, without those of simulated sites.',
    registers: this.register,
  });
  readonly simulated = new Counter({
    name: 'scheduled_orders_simulated_processed_total',
    help: 'Cycles of simulated sites that this worker has completed.',
    registers: this.register,
  });
  readonly failed = new Counter({
    name: 'scheduled_orders_failed_total',
    help: 'Tries that did not complete their cycle, by failure code (decisions.md §9), without those of simulated sites.',
    labelNames: ['code'],
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
  private readonly role = new Gauge({
    name: 'scheduled_orders_worker_role',
    help: 'Whether this worker has the role: 1 or 0 (WORKER_ROLES).',
    labelNames: ['role'],
    registers: this.register,
  });
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
    'Batches that this worker may process at once: 2 while it gives way to the API, else 4.',
  );
  private readonly recording = this.gauge(
    'scheduled_orders_recording',
    'Whether charges can be recorded: 0 when recording fails again and again, and nothing is charged.',
  );

  constructor(
    pool: ConnectionPool,
    @Inject(DISPATCH_POOL) dispatchPool: ConnectionPool,
    @Inject(SETTINGS) { workerRoles }: Settings,
  ) {
    processMetrics(this.registry, productVersion());
    this.gateways = new GatewayMetrics(this.registry);
    this.also(new BacklogMetrics(pool, this.registry));
    this.also(new ShopMetrics(pool, this.registry));
    this.also(new EndpointMetrics(pool, this.registry));
    // From zero on, so that the first failure of a kind is an increase.
    for (const { code } of Object.values(FAILURE_CODES)) this.failed.inc({ code }, 0);
    this.mayCharge.set(1);
    this.recording.set(1);
    for (const role of ROLES) this.role.set({ role }, workerRoles.includes(role) ? 1 : 0);
    poolMetrics(this.registry, { main: pool, ...(dispatchPool !== pool && { dispatcher: dispatchPool }) });
  }

  /** The gauges of another part of the worker are read at each scrape as well. */
  also<Part extends Readable>(part: Part): Part {
    this.readings.push(new Reading(() => part.read()));
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

  /** The metrics as text. While the database cannot be asked, its gauges keep their last values. */
  async text(): Promise<string> {
    await Promise.all(this.readings.map((reading) => reading.now()));
    return this.registry.metrics();
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: this.register });
  }
}
