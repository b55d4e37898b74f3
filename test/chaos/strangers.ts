import type { Random } from '../support/random.js';
import { repeatedly } from './actor.js';
import type { FirstState, Shop } from './shops.js';
import type { Tally } from './tally.js';
import type { StandIns } from './weather.js';

/** Other software charges on the shops' accounts, guests and our own customers: no Order may have such a payment. */
export async function strangers(
  { one, two }: StandIns,
  shops: readonly Shop[],
  first: ReadonlyMap<number, FirstState>,
  everyMs: number,
  tally: Tally,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  await repeatedly(
    signal,
    () => random.between(0.5, 1.5) * everyMs,
    () => {
      const shop = random.pick(shops);
      const { customer, card, currencyIso: currency } = first.get(random.pick(shop.orderIds))!;
      const isGuest = random.chance(0.3);
      const payment = { customer: isGuest ? null : customer, card, amount: 100 + random.below(30_000), currency };
      if (shop.type === 'GatewayOne') one.chargeElsewhere(shop.account, { ...payment, isOlder: random.chance(0.3) });
      else two.chargeElsewhere(shop.account, payment);
      tally.add(isGuest ? 'of a guest' : 'of a customer of ours');
    },
  );
}
