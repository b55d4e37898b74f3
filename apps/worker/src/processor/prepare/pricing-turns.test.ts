import type { LeasedCycle } from '../cycle/cycle.js';
import { PricingTurns } from './pricing-turns.js';

const took = (siteId: number, ms: number, orders = 1) => ({ bySite: new Map([[siteId, { ms, orders }]]) });
const cycleOf = (siteId: number) => ({ siteId }) as LeasedCycle;

describe('Turns in pricing', () => {
  it('leave quick sites alone', () => {
    const turns = new PricingTurns();
    turns.learn(took(1, 150, 500), []);
    expect([turns.hasSlow, turns.roomAtOnce(1), turns.begin([]).room(1), turns.usedBy(1)]).toEqual([
      false,
      Infinity,
      Infinity,
      0,
    ]);
  });

  it('give a slow site as many orders as fit, in one batch at a time, and at least one', () => {
    const turns = new PricingTurns();
    for (let times = 0; times < 2; times++) {
      expect(turns.hasSlow).toBe(false);
      turns.learn(took(1, 60, 2), []);
    }
    turns.learn(took(2, 400), [cycleOf(2)]);
    expect([turns.roomAtOnce(1), turns.roomAtOnce(2)]).toEqual([5, 0]);
    const [first, second]: LeasedCycle[][] = [[], []];
    const turn = turns.begin(first!);
    expect([turn.room(1), turn.room(2), turn.room(3)]).toEqual([5, 1, Infinity]);
    turn.took(1, 3);
    expect([turn.room(1), turn.room(2), turn.room(3)]).toEqual([2, 0, Infinity]);
    const next = () => [1, 2, 3].map((siteId) => turns.begin(second!).room(siteId));
    expect(next()).toEqual([0, 0, Infinity]);
    turns.ended(second!);
    expect(next()).toEqual([0, 0, Infinity]);
    turns.ended(first!);
    expect(next()).toEqual([5, 1, Infinity]);
  });

  it('take a site whose orders were left for slow, until one was priced', () => {
    const turns = new PricingTurns();
    turns.learn(took(1, 200), [cycleOf(1), cycleOf(2)]);
    expect([turns.begin([]).room(1), turns.begin([]).room(2), turns.usedBy(2)]).toEqual([1, 1, 0]);
    expect(turns.withoutAccount).toEqual([2, 1]);
    turns.learn(took(2, 1), []);
    expect([turns.begin([]).room(2), turns.withoutAccount]).toEqual([Infinity, [1]]);
  });

  it('count what is used by account, and forget it by and by', () => {
    const turns = new PricingTurns();
    for (const siteId of [1, 2, 3]) turns.learn(took(siteId, 10), [cycleOf(siteId)]);
    for (const siteId of [1, 2]) turns.belongs(siteId, 7);
    turns.belongs(3, 8);
    turns.learn(took(1, 100), []);
    turns.learn(took(3, 40), []);
    expect([1, 2, 3, 4].map((siteId) => turns.usedBy(siteId))).toEqual([100, 100, 40, 0]);
    turns.learn(took(2, 20_000), []);
    expect([1, 3].map((siteId) => turns.usedBy(siteId))).toEqual([10_050, 20]);
  });
});
