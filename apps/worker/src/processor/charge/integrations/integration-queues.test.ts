import type { LeasedCycle } from '../../cycle/cycle.js';
import { PricingTurns } from '../../prepare/pricing-turns.js';
import { IntegrationQueues } from './integration-queues.js';

const queuesThat = (mayCharge: (siteId: number) => boolean) =>
  new IntegrationQueues({ gatewayConcurrency: 20 }, { mayCharge }, new PricingTurns());

describe('The queues of all integrations', () => {
  const cyclesOf = (siteId: number, count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        ({
          siteId,
          paymentMethodType: 'GatewayOneV1',
          scheduledOrderId: index + 1,
          cycle: 1,
          state: 'Claimed',
        }) as unknown as LeasedCycle,
    );
  const push = (queues: IntegrationQueues, cycles: readonly LeasedCycle[]) => {
    for (const cycle of cycles) queues.for(cycle).push(cycle);
  };
  const leave = (queues: IntegrationQueues, cycle: LeasedCycle, count: number) => {
    for (let left = count; left > 0; left--) queues.for(cycle).leave();
  };

  it('gives one batch of all, when one of them has room for enough', () => {
    const queues = queuesThat(() => true);
    const [one, other] = [cyclesOf(1, 100), cyclesOf(2, 100)];
    push(queues, [...one, ...other]);
    for (const cycle of [one[0]!, other[0]!]) queues.for(cycle).chargeTook(500);
    expect(queues.take(500)).toHaveLength(60);
    leave(queues, one[0]!, 6);
    leave(queues, other[0]!, 2);
    expect(queues.take(500)).toEqual([]);
    leave(queues, one[0]!, 1);
    expect(queues.take(500).map(({ siteId }) => siteId)).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2]);
  });

  it('lets no integration that is refused or may not be charged end the batches of the others', () => {
    const queues = queuesThat((siteId) => siteId !== 3);
    const [refused, forbidden, working] = [cyclesOf(2, 1), cyclesOf(3, 1), cyclesOf(1, 100)];
    queues.for(refused[0]!).markRefused();
    push(queues, [...forbidden, ...working]);
    queues.for(working[0]!).chargeTook(500);
    expect(queues.take(500)).toHaveLength(30);
    leave(queues, working[0]!, 1);
    expect(queues.take(500)).toEqual([]);
  });

  it('forgets a queue that has nothing to do, and with it how long its charges took', () => {
    const queues = queuesThat(() => true);
    const [cycle] = cyclesOf(1, 1);
    push(queues, [cycle!]);
    queues.for(cycle!).chargeTook(500);
    expect(queues.take(500)).toEqual([cycle]);
    leave(queues, cycle!, 1);
    expect(queues.for(cycle!).roomAtOnce).toBe(30);
    expect(queues.take(500)).toEqual([]);
    expect(queues.for(cycle!).roomAtOnce).toBe(20);
  });
});
