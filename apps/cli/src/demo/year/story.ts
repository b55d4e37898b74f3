import { joins, orders, type Step } from './customers-do.js';
import { planJoinings } from './orders.js';
import { OVERRIDES, type Plot, PLOTS } from './plots.js';
import { connects, opens, setsUp } from './shop-does.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Orders fall due at the time of day at which they were made; customers of one continent shop at the same time. */
const HOURS = [0, 5, 9];

/** Steps at one instant of the shop's clock. */
export interface Moment {
  readonly afterMs: number;
  readonly steps: readonly Step[];
}

const afterMs = ({ day, hours }: Pick<Plot, 'day' | 'hours'>) => day * DAY_MS + hours * HOUR_MS;

/** Everything that happens in the year, by time. It is the same for every shop. */
export function story(): readonly Moment[] {
  const joinings = planJoinings(OVERRIDES).flatMap(({ person, day, orders: planned }, index): Plot[] => {
    const hours = HOURS[index % HOURS.length]!;
    const ordered = planned.map((order) => ({ day: order.day, hours, steps: [orders(order)] }));
    return [{ day, hours, steps: [joins(person)] }, ...ordered];
  });
  const opening = [...opens, setsUp({ KeepEvents: false }), connects('GatewayOne'), connects('GatewayTwo')];
  const moments = new Map<number, Step[]>();
  for (const plot of [{ day: 0, hours: 0, steps: opening }, ...joinings, ...PLOTS]) {
    const at = afterMs(plot);
    moments.set(at, [...(moments.get(at) ?? []), ...plot.steps]);
  }
  return [...moments].map(([at, steps]) => ({ afterMs: at, steps })).sort((one, other) => one.afterMs - other.afterMs);
}
