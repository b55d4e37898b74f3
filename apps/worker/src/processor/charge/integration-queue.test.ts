import type { LeasedCycle } from '../cycle.js';
import { IntegrationQueue } from './integration-queue.js';

describe('A lane', () => {
  const cycles = (count: number, state: LeasedCycle['state'] = 'Claimed') =>
    Array.from({ length: count }, (_, index) => ({ scheduledOrderId: index + 1, cycle: 1, state }) as LeasedCycle);
  const laneOf = (hasGateway: boolean, ...waiting: readonly LeasedCycle[]): IntegrationQueue => {
    const lane = new IntegrationQueue(4, hasGateway, () => true);
    for (const cycle of waiting) lane.push(cycle);
    return lane;
  };
  const leave = (lane: IntegrationQueue, count: number) => {
    for (let left = count; left > 0; left--) lane.leave();
  };

  it('lets as many go on as its width, what was sent before first', () => {
    const [sent, unsent] = [cycles(3, 'Unknown'), cycles(3)];
    const lane = laneOf(true, ...unsent, ...sent);
    expect(lane.take(100)).toEqual([...sent, unsent[0]]);
    expect(lane.take(100)).toEqual([]);
    leave(lane, 1);
    expect(lane.take(100)).toEqual([unsent[1]]);
  });

  it('freezes some ahead where charges are quick, but asks about no more', () => {
    const lane = laneOf(true, ...cycles(9));
    lane.tookMs(999);
    expect(lane.take(100)).toHaveLength(6);
    lane.tookMs(1_000);
    leave(lane, 2);
    expect(lane.take(100)).toHaveLength(0);
    leave(lane, 1);
    expect(lane.take(100)).toHaveLength(1);
    const asking = laneOf(true, ...cycles(9, 'Charging'));
    asking.tookMs(1);
    expect(asking.take(100)).toHaveLength(4);
  });

  it('lets one go on while its integration is refused, and asks about what was sent all the same', () => {
    const lane = laneOf(true, ...cycles(3));
    lane.doubt();
    expect(lane.take(100)).toHaveLength(1);
    expect(lane.take(100)).toHaveLength(0);
    for (const cycle of cycles(5, 'Unknown')) lane.push(cycle);
    expect(lane.take(100)).toHaveLength(3);
    leave(lane, 4);
    expect(lane.trust()).toBe(true);
    expect(lane.take(100)).toHaveLength(4);
    expect(lane.trust()).toBe(false);
  });

  it('has one try an integration that has not answered, and the others keep their places', () => {
    const waiting = cycles(5);
    const lane = laneOf(true, ...waiting);
    const one = lane.take(2);
    const other = lane.take(2);
    // Two batches came to know it at the same time: the one that is later knows that nothing else is under way.
    expect(lane.probe(one)).toEqual([]);
    expect(lane.probe(other)).toEqual([waiting[2]]);
    expect(lane.take(100)).toEqual([]);
    leave(lane, 1);
    expect(lane.trust()).toBe(false);
    expect(new Set(lane.take(100))).toEqual(new Set(waiting.filter((cycle) => cycle !== waiting[2])));
  });

  it('is never in doubt, nor bounded, where there is no gateway', () => {
    const lane = laneOf(false, ...cycles(20));
    lane.doubt();
    expect(lane.take(10)).toHaveLength(10);
    expect(lane.take(100)).toHaveLength(10);
    expect(lane.isOver).toBe(false);
    leave(lane, 20);
    expect(lane.isOver).toBe(true);
  });

  it('is remembered while its integration is refused', () => {
    const lane = laneOf(true);
    lane.doubt();
    expect(lane.isOver).toBe(false);
    lane.trust();
    expect(lane.isOver).toBe(true);
  });

  it('gives up what waits in it, unsent and sent apart', () => {
    const lane = laneOf(true, ...cycles(2), ...cycles(1, 'Unknown'));
    expect(lane.drainUnsent()).toHaveLength(2);
    expect(lane.drainSent()).toHaveLength(1);
    expect(lane.take(100)).toEqual([]);
    lane.unbind();
    expect(lane.isOver).toBe(true);
  });
});
