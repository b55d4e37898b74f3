import { Counter, Gauge, type Registry } from 'prom-client';
import type { PushState } from '#libs/entities';
import { readPushBacklog } from '#libs/ledger';
import type { SqlExecutor } from '#libs/platform';
import { MOST_PUSHES, type Places } from './places.js';

const ENDS = ['Pushed', 'Differs', 'Failed'] as const;

/** What a worker tells Prometheus about pushes. All but what is under way describe the whole database. */
export class PushMetrics {
  private readonly ended: Counter<'state'>;
  private readonly waiting: Gauge;
  private readonly unknown: Gauge;
  private readonly dueAge: Gauge;
  private readonly shops: Gauge<'state'>;
  private readonly underWay: Gauge;

  constructor(
    private readonly database: SqlExecutor,
    private readonly places: Places,
    registry: Registry,
  ) {
    const registers = [registry];
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.ended = new Counter({
      name: 'scheduled_orders_pushes_total',
      help: `Pushes of Orders into shops that have come to an end, by state: ${ENDS.join(', ')}.`,
      labelNames: ['state'],
      registers,
    });
    for (const state of ENDS) this.ended.inc({ state }, 0);
    this.waiting = gauge('scheduled_orders_pushes_waiting', 'Orders that have not arrived in their shops yet.');
    this.unknown = gauge('scheduled_orders_pushes_unknown', 'Of these, pushes whose outcome is being looked up.');
    this.dueAge = gauge(
      'scheduled_orders_pushes_due_age_seconds',
      'How long the push that is due longest, into a shop that may be sent to, has waited for a worker.',
    );
    this.shops = new Gauge({
      name: 'scheduled_orders_shops_stopped',
      help: 'Shops whose pushes wait until they are verified, by state: Unverified, Refused, Unreachable.',
      labelNames: ['state'],
      registers,
    });
    this.underWay = gauge('scheduled_orders_pushes_in_flight', `Pushes that this worker is sending, at most ${MOST_PUSHES}.`);
  }

  recorded(before: PushState, after: PushState): void {
    const state = ENDS.find((one) => one === after);
    if (state !== undefined && before !== after) this.ended.inc({ state });
  }

  /** Reads the gauges. */
  async read(): Promise<void> {
    this.underWay.set(this.places.taken);
    const { waiting, unknown, dueAge, unverified, refused, unreachable } = await readPushBacklog(this.database);
    this.waiting.set(waiting);
    this.unknown.set(unknown);
    this.dueAge.set(dueAge);
    this.shops.set({ state: 'Unverified' }, unverified);
    this.shops.set({ state: 'Refused' }, refused);
    this.shops.set({ state: 'Unreachable' }, unreachable);
  }
}
