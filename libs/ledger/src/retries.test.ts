import { nextTryUtc, retryDelayMs, triesAfter } from './retries.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SCHEDULE = [DAY, 3 * DAY, 5 * DAY];
const FIRST = new Date('2026-03-31T10:00:00.500Z');
const REGULAR = { rescheduledMeanwhile: false, nextOccurrenceUtc: new Date('2026-04-30T10:00:00Z') };
const MOVED = { rescheduledMeanwhile: true, nextOccurrenceUtc: new Date('2026-04-02T08:00:00Z') };

const shown = (tries: readonly Date[]) => tries.map((at) => at.toISOString());

describe('triesAfter', () => {
  it.each([
    [0, ['2026-04-01T10:00:00.500Z', '2026-04-04T10:00:00.500Z', '2026-04-09T10:00:00.500Z']],
    [1, ['2026-04-03T10:00:00.500Z', '2026-04-08T10:00:00.500Z']],
    [2, ['2026-04-05T10:00:00.500Z']],
    [3, []],
    [7, []],
  ])('counts each try from the one before, after %i failures', (failures, expected) => {
    expect(shown(triesAfter(REGULAR, SCHEDULE, failures, FIRST))).toEqual(expected);
  });

  it('has the time that a request has set in the meantime, once', () => {
    expect(shown(triesAfter(MOVED, SCHEDULE, 0, FIRST))).toEqual([
      '2026-04-02T08:00:00.000Z',
      '2026-04-05T08:00:00.000Z',
      '2026-04-10T08:00:00.000Z',
    ]);
  });

  it('ends with the calendar', () => {
    expect(shown(triesAfter(REGULAR, SCHEDULE, 0, new Date('9999-12-30T10:00:00Z')))).toEqual([
      '9999-12-31T10:00:00.000Z',
    ]);
  });

  it('has none by an empty schedule', () => {
    expect(triesAfter(REGULAR, [], 0, FIRST)).toEqual([]);
  });
});

describe('nextTryUtc', () => {
  it.each([
    ['the delay', REGULAR, '2026-04-01T10:00:00.500Z'],
    ['what a request has set', MOVED, '2026-04-02T08:00:00.000Z'],
    [
      'the delay, where a request has taken the date away',
      { ...MOVED, nextOccurrenceUtc: null },
      '2026-04-01T10:00:00.500Z',
    ],
  ])('is %s', (_, order, expected) => {
    expect(nextTryUtc(order, DAY, FIRST).toISOString()).toBe(expected);
  });
});

it('retryDelayMs is null when the schedule is used up', () => {
  expect([0, 2, 3].map((failures) => retryDelayMs(SCHEDULE, failures))).toEqual([DAY, 5 * DAY, null]);
});
