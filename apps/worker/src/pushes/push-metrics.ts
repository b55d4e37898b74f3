import { Counter, Gauge, type Registry } from 'prom-client';
import type { PushState } from '#libs/entities';
import { MOST_PUSHES, type Places } from './places.js';

const ENDS = ['Pushed', 'Differs', 'Failed'] as const;

/** What a worker with the role tells Prometheus about its pushes. */
export class PushMetrics {
  private readonly ended: Counter<'state'>;
  private readonly underWay: Gauge;

  constructor(
    private readonly places: Places,
    registry: Registry,
  ) {
    const registers = [registry];
    this.ended = new Counter({
      name: 'scheduled_orders_pushes_total',
      help: `Pushes of Orders into shops that have come to an end. States: ${ENDS.join(', ')}.`,
      labelNames: ['state'],
      registers,
    });
    for (const state of ENDS) this.ended.inc({ state }, 0);
    const help = `Pushes that this worker is sending (at most ${MOST_PUSHES}).`;
    this.underWay = new Gauge({ name: 'scheduled_orders_pushes_in_flight', help, registers });
  }

  recorded(before: PushState, after: PushState): void {
    const state = ENDS.find((one) => one === after);
    if (state !== undefined && before !== after) this.ended.inc({ state });
  }

  /** Reads the gauge. */
  read(): Promise<void> {
    this.underWay.set(this.places.taken);
    return Promise.resolve();
  }
}
