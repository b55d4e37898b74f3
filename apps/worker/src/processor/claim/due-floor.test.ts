import { DueFloor } from './due-floor.js';
import { FROM_THE_START } from './watermark.js';

const START = Date.parse('2026-05-04T10:00:00Z');

describe('The date before which no order is left to claim', () => {
  let isHeard: boolean;
  let floor: DueFloor;
  const now = () => new Date(START + performance.now());
  /** A look that finds nothing. @returns where it began. */
  const look = () => {
    const begun = floor.begin(now());
    floor.foundNothing(begun);
    return begun.from;
  };
  const pass = (seconds: number) => jest.advanceTimersByTime(seconds * 1_000);
  /** @returns the date. */
  const settled = () => {
    const date = now();
    look();
    pass(3);
    look();
    return date;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    isHeard = true;
    floor = new DueFloor(() => isHeard);
  });
  afterEach(() => jest.useRealTimers());

  it('is unknown at first, and until two looks three seconds apart have found nothing', () => {
    expect(look()).toBe(FROM_THE_START);
    pass(2.9);
    expect(look()).toBe(FROM_THE_START);
    expect(floor.date).toBeNull();
    pass(0.1);
    look();
    expect(floor.date).toEqual(new Date(START));
    pass(3);
    expect(look().dueUtc).toEqual(new Date(START));
    expect(floor.date).toEqual(new Date(START + 3_000));
  });

  it('stays unknown when the second look finds what the first has stepped over', () => {
    look();
    pass(3);
    floor.found([now()]);
    floor.found([new Date(START - 1)]);
    look();
    expect(floor.date).toBeNull();
  });

  it('rises although orders fall due after it all the time', () => {
    look();
    pass(3);
    floor.found([new Date(START + 1)]);
    look();
    expect(floor.date).toEqual(new Date(START));
  });

  it('counts for a minute after the last look from the start', () => {
    expect(floor.sweepInMs).toBe(Infinity);
    settled();
    expect(floor.sweepInMs).toBe(60_000);
    for (let seconds = 0; seconds < 57; seconds += 3) {
      pass(3);
      expect(look()).not.toBe(FROM_THE_START);
    }
    pass(3);
    expect(floor.date).toBeNull();
    expect(look()).toBe(FROM_THE_START);
    expect(look()).not.toBe(FROM_THE_START);
  });

  it('is forgotten when an order may be due behind it, also by a look that is under way', () => {
    settled();
    floor.reset();
    expect(look()).toBe(FROM_THE_START);
    pass(3);
    const underWay = floor.begin(now());
    floor.reset();
    floor.foundNothing(underWay);
    pass(3);
    look();
    expect(floor.date).toBeNull();
  });

  it('does not count while notifications are not heard', () => {
    settled();
    isHeard = false;
    expect(floor.date).toBeNull();
    expect(look()).toBe(FROM_THE_START);
  });

  it("is forgotten when the database's clock was put back behind it", () => {
    const date = settled();
    expect(floor.begin(new Date(+date - 1)).from).toBe(FROM_THE_START);
    expect(floor.date).toBeNull();
  });
});
