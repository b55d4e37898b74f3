import type { LeasedCycle } from '../../cycle/cycle.js';
import { IntegrationQueue } from './integration-queue.js';

describe('A queue', () => {
  const cycles = (count: number, state: LeasedCycle['state'] = 'Claimed') =>
    Array.from({ length: count }, (_, index) => ({ scheduledOrderId: index + 1, cycle: 1, state }) as LeasedCycle);
  const laneOf = (hasGateway: boolean, ...waiting: readonly LeasedCycle[]): IntegrationQueue => {
    const queue = new IntegrationQueue(1, 4, hasGateway, () => true);
    for (const cycle of waiting) queue.push(cycle);
    return queue;
  };
  const leave = (queue: IntegrationQueue, count: number) => {
    for (let left = count; left > 0; left--) queue.leave();
  };

  it('lets as many go on as its width, what was sent before first', () => {
    const [sent, unsent] = [cycles(3, 'Unknown'), cycles(3)];
    const queue = laneOf(true, ...unsent, ...sent);
    expect(queue.take(100)).toEqual([...sent, unsent[0]]);
    expect(queue.take(100)).toEqual([]);
    leave(queue, 1);
    expect(queue.take(100)).toEqual([unsent[1]]);
  });

  it('freezes some ahead where charges are quick, but asks about no more', () => {
    const queue = laneOf(true, ...cycles(9));
    queue.chargeTook(999);
    expect(queue.take(100)).toHaveLength(6);
    queue.chargeTook(1_000);
    leave(queue, 2);
    expect(queue.take(100)).toHaveLength(0);
    leave(queue, 1);
    expect(queue.take(100)).toHaveLength(1);
    const asking = laneOf(true, ...cycles(9, 'Charging'));
    asking.chargeTook(1);
    expect(asking.take(100)).toHaveLength(4);
  });

  describe('with some frozen ahead', () => {
    const busy = (latestMs: number, waiting = 100): IntegrationQueue => {
      const queue = new IntegrationQueue(1, 20, true, () => true);
      for (const cycle of cycles(waiting)) queue.push(cycle);
      queue.chargeTook(latestMs);
      expect(queue.take(100)).toHaveLength(30);
      return queue;
    };
    const readyAfter = (queue: IntegrationQueue): number => {
      let left = 0;
      for (; !queue.isReady && left < 30; left++) queue.leave();
      return left;
    };

    it('is ready again as soon as the rest lasts just as long as a preparation may take', () => {
      // Of ten ahead, 50 ms × 30 ÷ 500 ms are sent in the meantime.
      expect(readyAfter(busy(500))).toBe(7);
      expect(readyAfter(busy(250))).toBe(4);
      expect(readyAfter(busy(100))).toBe(1);
      expect(readyAfter(busy(999))).toBe(8);
    });

    it('is ready for each one where charges take so long that none is ahead', () => {
      const queue = busy(500);
      queue.chargeTook(1_000);
      expect(readyAfter(queue)).toBe(11);
      expect(queue.take(100)).toHaveLength(1);
      expect(readyAfter(queue)).toBe(1);
    });

    it('is ready for what was sent before when there is room for a call', () => {
      const queue = busy(500, 30);
      for (const cycle of cycles(1, 'Unknown')) queue.push(cycle);
      expect(readyAfter(queue)).toBe(11);
    });

    it('is not ready when it would give nothing', () => {
      const empty = new IntegrationQueue(1, 20, true, () => true);
      expect(empty.isReady).toBe(false);
      empty.markRefused();
      expect(empty.isReady).toBe(false);
      const forbidden = new IntegrationQueue(1, 20, true, () => false);
      forbidden.push(cycles(1)[0]!);
      expect(forbidden.isReady).toBe(false);
      const probed = laneOf(true, ...cycles(3));
      probed.markRefused();
      expect(probed.isReady).toBe(true);
      expect(probed.take(100)).toHaveLength(1);
      expect(probed.isReady).toBe(false);
      const asking = laneOf(true, ...cycles(9, 'Unknown'));
      expect(asking.take(100)).toHaveLength(4);
      expect(asking.isReady).toBe(false);
    });
  });

  it('lets one go on while its integration is refused, and asks about what was sent all the same', () => {
    const queue = laneOf(true, ...cycles(3));
    queue.markRefused();
    expect(queue.take(100)).toHaveLength(1);
    expect(queue.take(100)).toHaveLength(0);
    for (const cycle of cycles(5, 'Unknown')) queue.push(cycle);
    expect(queue.take(100)).toHaveLength(3);
    leave(queue, 4);
    expect(queue.markWorking()).toBe(true);
    expect(queue.take(100)).toHaveLength(4);
    expect(queue.markWorking()).toBe(false);
  });

  it('has one try an integration that has not answered, and the others keep their places', () => {
    const waiting = cycles(5);
    const queue = laneOf(true, ...waiting);
    const one = queue.take(2);
    const other = queue.take(2);
    // Two batches came to know it at the same time: the one that is later knows that nothing else is under way.
    expect(queue.probe(one)).toEqual([]);
    expect(queue.probe(other)).toEqual([waiting[2]]);
    expect(queue.take(100)).toEqual([]);
    leave(queue, 1);
    expect(queue.markWorking()).toBe(false);
    expect(new Set(queue.take(100))).toEqual(new Set(waiting.filter((cycle) => cycle !== waiting[2])));
  });

  it('is never in doubt, nor bounded, where there is no gateway', () => {
    const queue = laneOf(false, ...cycles(20));
    queue.markRefused();
    expect(queue.take(10)).toHaveLength(10);
    expect(queue.take(100)).toHaveLength(10);
    expect(queue.isIdle).toBe(false);
    leave(queue, 20);
    expect(queue.isIdle).toBe(true);
  });

  it('is remembered while its integration is refused', () => {
    const queue = laneOf(true);
    queue.markRefused();
    expect(queue.isIdle).toBe(false);
    queue.markWorking();
    expect(queue.isIdle).toBe(true);
  });

  it('gives up what waits in it, unsent and sent apart', () => {
    const queue = laneOf(true, ...cycles(2), ...cycles(1, 'Unknown'));
    expect(queue.drainUnsent()).toHaveLength(2);
    expect(queue.drainInDoubt()).toHaveLength(1);
    expect(queue.take(100)).toEqual([]);
    queue.setLimited(false);
    expect(queue.isIdle).toBe(true);
  });
});
