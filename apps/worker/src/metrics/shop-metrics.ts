import { Gauge, type Registry } from 'prom-client';
import { SHOP_STATES } from '#libs/entities';
import { readPushBacklog } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';

/**
 * What has not arrived in the shops. Every worker shows it, for the whole database: so it is seen when none has the
 * role that pushes.
 */
export class ShopMetrics {
  private readonly waiting: Gauge;
  private readonly unknown: Gauge;
  private readonly unknownAge: Gauge;
  private readonly dueAge: Gauge;
  private readonly shops: Gauge<'state'>;

  constructor(
    private readonly pool: SqlExecutor,
    registry: Registry,
  ) {
    const registers = [registry];
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.waiting = gauge('scheduled_orders_pushes_waiting', 'Orders that have not arrived in their shops yet.');
    this.unknown = gauge('scheduled_orders_pushes_unknown', 'Of these, pushes whose outcome is being looked up.');
    this.unknownAge = gauge(
      'scheduled_orders_pushes_unknown_age_seconds',
      'How long ago the oldest of these was sent, into a shop that is Ready.',
    );
    this.dueAge = gauge(
      'scheduled_orders_pushes_due_age_seconds',
      'How long the push that is due longest, into a shop that may be sent to, has waited for a worker.',
    );
    this.shops = new Gauge({
      name: 'scheduled_orders_shops',
      help: `Shops that Orders are pushed into. States: ${SHOP_STATES.join(', ')}; into one that is not Ready nothing is sent before it is verified.`,
      labelNames: ['state'],
      registers,
    });
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    const { waiting, unknown, unknownAge, dueAge, shops } = await readPushBacklog(this.pool);
    this.waiting.set(waiting);
    this.unknown.set(unknown);
    this.unknownAge.set(unknownAge);
    this.dueAge.set(dueAge);
    for (const state of SHOP_STATES) this.shops.set({ state }, shops?.[state] ?? 0);
  }
}
