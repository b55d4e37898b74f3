import { Gauge, type Registry } from 'prom-client';
import { IS_UNCOMPARED } from '#libs/cycles';
import type { SqlExecutor } from '#libs/database';

/** An order that is held keeps its due date: no worker can do anything about it. uq_processing_cycles_open. */
const DUE = `o.status = 'Active' AND o.deleted_utc IS NULL AND NOT o.simulated AND o.next_occurrence_utc <= now()
    AND NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = o.id AND c.open AND c.held_for IS NOT NULL)`;

/**
 * ix_scheduled_orders_due, ix_processing_cycles_next_attempt, ix_integration_waits_next_probe, ix_payment_differences_holding. `uncompared` and
 * `audit_age_seconds` look at integrations, `open_differences` at differences: there are few of them compared with orders. A worker that cannot compare
 * puts it off again and again: so the age counts from the latest comparison, also while the next one is not due.
 */
const BACKLOG = `SELECT
  (SELECT count(*) FROM scheduled_orders o WHERE ${DUE}) AS due,
  coalesce((SELECT extract(epoch FROM now() - min(o.next_occurrence_utc)) FROM scheduled_orders o WHERE ${DUE}), 0) AS oldest_seconds,
  (SELECT count(*) FROM payment_integrations i WHERE i.deleted_utc IS NULL AND ${IS_UNCOMPARED}) AS uncompared,
  (SELECT count(*) FROM payment_differences d WHERE d.state = 'Open') AS open_differences,
  (SELECT count(*) FROM payment_differences d WHERE d.holds) AS holding_differences,
  coalesce((SELECT extract(epoch FROM now() - min(coalesce(a.audited_utc, a.next_audit_utc))) FROM integration_audits a
    JOIN payment_integrations i ON i.id = a.payment_integration_id
    WHERE i.deleted_utc IS NULL AND coalesce(a.audited_utc, a.next_audit_utc) <= now()), 0) AS audit_age_seconds,
  (SELECT count(*) FROM integration_waits w
   WHERE w.next_probe_utc IS NOT NULL AND NOT w.simulated AND w.waiting_since_utc IS NOT NULL) AS integration_waits,
  count(*) FILTER (WHERE c.state = 'Retrying') AS retrying,
  count(*) FILTER (WHERE c.state = 'Waiting') AS waiting,
  count(*) FILTER (WHERE c.state = 'Unknown') AS unknown,
  count(*) FILTER (WHERE c.state = 'Unknown' AND c.retries_exhausted OR c.resolution = 'Held') AS needs_person
FROM processing_cycles c WHERE c.open AND c.next_attempt_utc IS NOT NULL AND NOT c.simulated`;

const GAUGES = {
  due: ['scheduled_orders_due', 'Orders that are due and not held, leased by any worker or none.'],
  oldest_seconds: ['scheduled_orders_due_age_seconds', 'How long the oldest of them has been due.'],
  retrying: ['scheduled_orders_retrying', 'Cycles that wait for their next try.'],
  waiting: ['scheduled_orders_awaiting_integration', 'Cycles that wait for their payment integration, or are held.'],
  integration_waits: [
    'scheduled_orders_integration_waits',
    'Payment integrations, also missing ones, that cycles wait for: one for each site and gateway.',
  ],
  unknown: ['scheduled_orders_unknown', 'Cycles whose charge has an unknown outcome.'],
  needs_person: [
    'scheduled_orders_needs_person',
    'Cycles that a person must decide about (cycles:stuck lists them): those of an unknown outcome that the service could not find out, and charges found after a restore.',
  ],
  uncompared: [
    'scheduled_orders_uncompared_integrations',
    'Payment integrations whose charges must be compared with the ledger before anything is charged through them.',
  ],
  open_differences: [
    'scheduled_orders_open_differences',
    "Open differences between the gateways' books and the ledger.",
  ],
  holding_differences: [
    'scheduled_orders_holding_differences',
    'Those of them that hold an order: it is not charged before somebody settles them.',
  ],
  audit_age_seconds: [
    'scheduled_orders_audit_age_seconds',
    "How long ago the charges of the payment integration that is furthest behind were compared with the gateway's books.",
  ],
} as const;

type Figure = keyof typeof GAUGES;

/** What waits, without simulated sites. The gauges describe the whole database and are read at each scrape. */
export class BacklogMetrics {
  private readonly gauges: readonly (readonly [Figure, Gauge])[];

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    this.gauges = Object.entries(GAUGES).map(([figure, [name, help]]) => [
      figure as Figure,
      new Gauge({ name, help, registers: [registry] }),
    ]);
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    const [row] = await this.pool.execute<Record<Figure, string>>(BACKLOG);
    for (const [figure, gauge] of this.gauges) gauge.set(Number(row![figure]));
  }
}
