import { Gauge, type Registry } from 'prom-client';
import { type Backlog, readBacklog } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';

const GAUGES = {
  due: ['scheduled_orders_due', 'Orders that are due and not held, leased by any worker or none.'],
  oldestSeconds: ['scheduled_orders_due_age_seconds', 'How long the oldest due order has been due.'],
  retrying: ['scheduled_orders_retrying', 'Cycles that wait for their next try.'],
  waiting: ['scheduled_orders_awaiting_integration', 'Cycles that wait for their payment integration, or are held.'],
  integrationWaits: [
    'scheduled_orders_integration_waits',
    'Payment integrations, also missing ones, that cycles wait for: one for each site and gateway.',
  ],
  unknown: ['scheduled_orders_unknown', 'Cycles whose charge has an unknown outcome.'],
  needsPerson: [
    'scheduled_orders_needs_person',
    'Cycles that a person must decide about (cycles:stuck lists them): those of an unknown outcome that the service could not find out, and charges found after a restore.',
  ],
  uncompared: [
    'scheduled_orders_uncompared_integrations',
    'Payment integrations whose charges must be compared with the ledger before anything is charged through them.',
  ],
  openDifferences: [
    'scheduled_orders_open_differences',
    "Open differences between the gateways' books and the ledger.",
  ],
  holdingDifferences: [
    'scheduled_orders_holding_differences',
    'Open differences that hold an order: it is not charged before somebody settles them.',
  ],
  auditAgeSeconds: [
    'scheduled_orders_audit_age_seconds',
    "How long ago the charges of the payment integration that is furthest behind were compared with the gateway's books.",
  ],
} as const satisfies Readonly<Record<keyof Backlog, readonly [name: string, help: string]>>;

/** What waits, without simulated sites. The gauges describe the whole database and are read at each scrape. */
export class BacklogMetrics {
  private readonly gauges: readonly (readonly [keyof Backlog, Gauge])[];

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    this.gauges = Object.entries(GAUGES).map(([figure, [name, help]]) => [
      figure as keyof Backlog,
      new Gauge({ name, help, registers: [registry] }),
    ]);
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    const backlog = await readBacklog(this.pool);
    for (const [figure, gauge] of this.gauges) gauge.set(backlog[figure]);
  }
}
