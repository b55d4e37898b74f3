import type { AuthorizeNetStandIn, Fault, StripeStandIn } from '../support/gateways/index.js';
import type { Random } from '../support/random.js';
import { repeatedly } from './actor.js';
import type { LateLists } from './late-lists.js';
import { SLOW_ACCOUNT } from './shops.js';
import type { Tally } from './tally.js';

export type StandIns = { readonly one: StripeStandIn; readonly two: AuthorizeNetStandIn };

const HOUR_MS = 3_600_000;
const STORMY: Partial<Record<Fault, number>> = {
  loseBefore: 0.03,
  loseAfter: 0.05,
  silentBefore: 0.01,
  silentAfter: 0.02,
  resetBefore: 0.02,
  resetAfter: 0.03,
  rateLimited: 0.03,
  unavailable: 0.02,
  errorBefore: 0.03,
  errorAfter: 0.04,
  malformed: 0.03,
  cutShort: 0.03,
  undecided: 0.02,
};
const DOWN: Partial<Record<Fault, number>> = { unavailable: 0.5, resetBefore: 0.2, silentAfter: 0.1, errorAfter: 0.1 };
const FAIR: Partial<Record<Fault, number>> = { loseAfter: 0.05, errorAfter: 0.05, undecided: 0.02 };
const LOOK_UP_FAULTS: readonly Fault[] = [
  'loseBefore',
  'resetAfter',
  'rateLimited',
  'unavailable',
  'malformed',
  'cutShort',
];

export interface WeatherOptions {
  /** Nobody waits so long for one shop's gateway. */
  readonly slowMs: number;
  readonly lists: Pick<LateLists, 'delayMs'>;
  /** Clocks may be so far off, both ways. */
  readonly clockHours: number;
  /** In a storm so many of each hundred charges arrive late. */
  readonly heldPercent: number;
}

/**
 * What the gateways do: by turns fair, stormy and down, quick and late; one shop's always takes so long that nobody
 * waits for it.
 */
export async function weather(
  gateways: StandIns,
  options: WeatherOptions,
  skews: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  gateways.one.latencyOf.set(SLOW_ACCOUNT, options.slowMs);
  const change = () => {
    for (const gateway of [gateways.one, gateways.two]) misjudge(gateway, options, skews, random);
    for (const gateway of [gateways.one, gateways.two]) {
      const stormy = { ...STORMY, held: options.heldPercent / 100 };
      const mix = { fair: FAIR, stormy, down: DOWN }[random.weighted({ fair: 0.25, stormy: 0.7, down: 0.05 })];
      gateway.faults.none();
      gateway.faults.randomly(mix, random.below(2 ** 31));
      gateway.faults.retryAfterSeconds = random.pick([0, 1]);
      gateway.latencyMs = random.pick([0, 10, 50, 200, 600]);
      for (const fault of LOOK_UP_FAULTS) if (random.chance(0.1)) gateway.faults.next(fault, { operation: 'lookUp' });
      // Most of what was held comes after its time-out.
      if (random.chance(0.3)) gateway.letArrive();
    }
    decide(gateways, random, 0.5);
  };
  change();
  await repeatedly(signal, () => random.between(400, 1_500), change);
}

/** Its clock is wrong, by another amount at times, and its lists are late. */
function misjudge(
  gateway: StripeStandIn | AuthorizeNetStandIn,
  { lists, clockHours }: WeatherOptions,
  skews: Tally,
  random: Random,
): void {
  gateway.listDelayMs = lists.delayMs(random);
  if (!random.chance(0.1)) return;
  gateway.clockAheadMs = Math.round(random.between(-clockHours, clockHours) * HOUR_MS);
  skews.add(gateway.clockAheadMs < 0 ? 'gateway behind' : 'gateway ahead');
}

/** What was held for review, or still processing, comes to an end one way or the other. */
function decide({ one, two }: StandIns, random: Random, share: number): void {
  for (const id of one.undecidedIds) {
    if (random.chance(share)) one.finish(id, random.chance(0.8) ? 'succeeded' : 'requires_payment_method');
  }
  for (const id of two.undecidedIds) {
    if (random.chance(share)) two.finish(id, random.chance(0.8) ? 'capturedPendingSettlement' : 'declined');
  }
}

export function clearUp(gateways: StandIns, random: Random): void {
  for (const gateway of [gateways.one, gateways.two]) {
    gateway.faults.none();
    gateway.latencyMs = 0;
    gateway.listDelayMs = 0;
    gateway.latencyOf.clear();
    gateway.letArrive();
  }
  decide(gateways, random, 1);
}
