import {
  advance,
  type FrequencyRule,
  type FrequencyType,
  missingDay,
  mostOccurrences,
  nextOccurrence,
  type OccurrencesAhead,
  occurrencesAhead,
  Rejected,
  rollForward,
  upcoming,
} from '../index.js';

const rule = (frequencyType: FrequencyType, frequency: number): FrequencyRule => ({ frequencyType, frequency });
const utc = (text: string): Date => new Date(text.includes('T') ? `${text}Z` : `${text}T10:30:15Z`);
const days = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString().slice(0, 10));

/** The first occurrences after the anchor, each asked for from the one before. */
function series(type: FrequencyType, frequency: number, anchor: Date, count: number): Date[] {
  const dates: Date[] = [];
  for (let after = anchor; dates.length < count; after = dates.at(-1)!) {
    dates.push(nextOccurrence(rule(type, frequency), anchor, after));
  }
  return dates;
}

describe('nextOccurrence', () => {
  test.each<[FrequencyType, number, string, string[]]>([
    ['Days', 1, '2026-02-27', ['2026-02-28', '2026-03-01', '2026-03-02']],
    ['Days', 30, '2026-01-31', ['2026-03-02', '2026-04-01']],
    ['Days', 3650, '2026-01-01', ['2035-12-30']],
    ['Weeks', 1, '2026-12-28', ['2027-01-04', '2027-01-11']],
    ['Weeks', 520, '2026-01-01', ['2035-12-20']],
    ['Months', 1, '2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['Months', 1, '2026-01-30', ['2026-02-28', '2026-03-30']],
    ['Months', 3, '2027-11-30', ['2028-02-29', '2028-05-30', '2028-08-30', '2028-11-30', '2029-02-28']],
    ['Months', 12, '2024-02-29', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
    ['Months', 120, '2024-02-29', ['2034-02-28', '2044-02-29']],
    ['Months', 1, '2026-11-15', ['2026-12-15', '2027-01-15']],
    ['DayOfTheWeek', 5, '2026-01-01', ['2026-01-08']],
    ['DayOfTheWeek', 3, '2028-02-29', ['2028-03-07']],
    ['DayOfTheWeek', 1, '2026-01-01', ['2026-01-04', '2026-01-11']],
    ['DayOfTheWeek', 7, '2026-01-01', ['2026-01-03', '2026-01-10']],
    ['DayOfTheWeek', 4, '2026-01-01', ['2026-01-07', '2026-01-14']],
    ['DayOfTheMonth', 31, '2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['DayOfTheMonth', 31, '2026-01-15', ['2026-01-31', '2026-02-28']],
    ['DayOfTheMonth', 31, '2026-02-28', ['2026-03-31', '2026-04-30']],
    ['DayOfTheMonth', 30, '2028-02-28', ['2028-02-29', '2028-03-30']],
    ['DayOfTheMonth', 1, '2026-12-31', ['2027-01-01', '2027-02-01']],
    ['DayOfTheMonth', 15, '2026-01-15', ['2026-02-15']],
    ['DayOfTheMonth', 15, '2026-01-14', ['2026-01-15']],
    ['DayOfTheMonth', 15, '2026-01-16', ['2026-02-15']],
  ])('%s %i from %s', (type, frequency, anchor, expected) => {
    const dates = series(type, frequency, utc(anchor), expected.length);
    expect(dates).toEqual(expected.map(utc));
  });

  test.each<[FrequencyType, number, string, string, string, string]>([
    ['Days', 7, '2026-01-01', '2026-01-08T10:30:14.999', '2026-01-08', 'a millisecond before an occurrence'],
    ['Days', 7, '2026-01-01', '2026-01-08T10:30:15', '2026-01-15', 'an occurrence itself'],
    ['Months', 1, '2026-01-31', '2026-02-28T10:30:14.999', '2026-02-28', 'a millisecond before a clamped occurrence'],
    ['Months', 1, '2026-01-31', '2026-02-28T10:30:15', '2026-03-31', 'a clamped occurrence itself'],
    ['Months', 2, '2026-01-31', '2026-02-28T10:30:15', '2026-03-31', 'a month that the rule leaves out'],
    ['Months', 2, '2026-01-31', '2026-04-29', '2026-05-31', 'a month that the rule leaves out'],
    ['DayOfTheMonth', 31, '2026-01-31', '2026-02-28T10:30:14.999', '2026-02-28', 'a millisecond before'],
    ['Days', 7, '2026-01-10', '2026-01-01', '2026-01-10', 'long before the anchor, which is the first then'],
    ['Weeks', 2, '2026-01-10', '2026-01-10T10:30:14.999', '2026-01-10', 'just before the anchor'],
    ['Months', 1, '2026-03-31', '2026-01-01', '2026-03-31', 'months before the anchor'],
    ['DayOfTheMonth', 15, '2026-01-15', '2026-01-01', '2026-01-15', 'days before an anchor on its date'],
    ['DayOfTheWeek', 5, '2026-01-01', '2025-12-01', '2026-01-01', 'weeks before an anchor on its weekday'],
    [
      'DayOfTheWeek',
      2,
      '2026-01-09',
      '2025-12-31',
      '2026-01-12',
      'before the anchor: the weekday before it does not count',
    ],
    [
      'DayOfTheMonth',
      5,
      '2026-01-09',
      '2025-12-31',
      '2026-02-05',
      'before the anchor: the date before it does not count',
    ],
    ['Days', 3, '1969-12-30', '1969-12-31', '1970-01-02', 'before 1970'],
    ['DayOfTheWeek', 5, '1969-12-30', '1969-12-30', '1970-01-01', 'before 1970'],
    ['Months', 1, '1969-11-30', '1969-12-31', '1970-01-30', 'before 1970'],
    ['Months', 1, '0050-01-31', '2026-02-01', '2026-02-28', 'an anchor in a year that Date.UTC would read as 1950'],
  ])('%s %i from %s after %s is %s (%s)', (type, frequency, anchor, after, expected) => {
    expect(nextOccurrence(rule(type, frequency), utc(anchor), utc(after))).toEqual(utc(expected));
  });

  it('counts in whole seconds: a fraction of the second of the anchor is cut off', () => {
    for (const type of ['Days', 'Weeks', 'Months', 'DayOfTheWeek', 'DayOfTheMonth'] as const) {
      const anchor = utc('2026-01-01T10:30:15.999');
      expect(nextOccurrence(rule(type, 5), anchor, anchor)).toEqual(
        nextOccurrence(rule(type, 5), utc('2026-01-01'), utc('2026-01-01')),
      );
      expect(nextOccurrence(rule(type, 5), anchor, anchor).toISOString()).toMatch(/T10:30:15\.000Z$/);
    }
    const before1970 = utc('1969-12-31T23:59:59.500');
    expect(nextOccurrence(rule('Months', 1), before1970, before1970)).toEqual(utc('1970-01-31T23:59:59'));
  });

  it('takes the weekday and the date in UTC', () => {
    const late = new Date('2026-01-01T23:30:00-03:00'); // Friday the 2nd in UTC
    expect(nextOccurrence(rule('DayOfTheWeek', 6), late, late)).toEqual(utc('2026-01-09T02:30:00'));
    expect(nextOccurrence(rule('DayOfTheMonth', 2), late, late)).toEqual(utc('2026-02-02T02:30:00'));
  });

  test.each<[FrequencyType, number, string]>([
    ['Days', 0, '0 must be an integer from 1 to 3650 for FrequencyType Days.'],
    ['DayOfTheWeek', 8, '8 must be an integer from 1 (Sunday) to 7 (Saturday) for FrequencyType DayOfTheWeek.'],
  ])('rejects %s %i', (type, frequency, message) => {
    const faults = [{ field: 'Frequency', message }];
    expect(() => nextOccurrence(rule(type, frequency), utc('2026-01-01'), utc('2026-01-01'))).toThrow(
      new Rejected(faults),
    );
  });

  it('has no occurrence after the year 9999', () => {
    const last = utc('9999-12-31T23:59:59');
    expect(nextOccurrence(rule('Days', 1), last, utc('9999-12-31'))).toEqual(last);
    for (const type of ['Days', 'Months'] as const) {
      const faults = [
        { field: 'NextOccurrenceUtc', message: 'The schedule has no further occurrence before 10000-01-01.' },
      ];
      expect(() => nextOccurrence(rule(type, 1), last, last)).toThrow(new Rejected(faults));
    }
    expect(() => nextOccurrence(rule('Days', 1), new Date(NaN), last)).toThrow(Rejected);
  });
});

describe('advance', () => {
  const moved = { occurrence: utc('2026-01-10'), replaced: null, now: utc('2026-01-10') };
  const daily = { rule: rule('Days', 1), anchor: utc('2026-01-01') };
  const fifteenth = rule('DayOfTheMonth', 15);

  test.each([
    ['on time', { ...daily, ...moved, now: utc('2026-01-10T10:30:16') }, '2026-01-11', 0],
    ['skipped ahead of time', { ...daily, ...moved, now: utc('2026-01-08') }, '2026-01-11', 0],
    ['four days late: three are passed over', { ...daily, ...moved, now: utc('2026-01-13T10:30:16') }, '2026-01-14', 3],
    [
      'late until exactly an occurrence: it is passed over too',
      { ...daily, ...moved, now: utc('2026-01-13') },
      '2026-01-14',
      3,
    ],
    [
      'late until just before an occurrence',
      { ...daily, ...moved, now: utc('2026-01-13T10:30:14.999') },
      '2026-01-13',
      2,
    ],
    [
      'today in place of tomorrow: tomorrow is not charged again',
      {
        ...daily,
        occurrence: utc('2026-01-10T08:00:00'),
        replaced: utc('2026-01-10'),
        now: utc('2026-01-10T08:00:01'),
      },
      '2026-01-11',
      0,
    ],
    [
      'in place of tomorrow, but late: only what came after tomorrow was missed',
      {
        ...daily,
        occurrence: utc('2026-01-09T08:00:00'),
        replaced: utc('2026-01-10'),
        now: utc('2026-01-12T11:00:00'),
      },
      '2026-01-13',
      2,
    ],
    [
      'the 15th moved to the 10th',
      { rule: fifteenth, anchor: utc('2026-01-10'), ...moved, replaced: utc('2026-01-15') },
      '2026-02-15',
      0,
    ],
    [
      'the 15th moved to the 10th, to a later time of day',
      { rule: fifteenth, anchor: utc('2026-01-10'), ...moved, replaced: utc('2026-01-15T08:00:00') },
      '2026-02-15',
      0,
    ],
    [
      'the 15th moved to the 10th, to an earlier time of day',
      { rule: fifteenth, anchor: utc('2026-01-10'), ...moved, replaced: utc('2026-01-15T23:00:00') },
      '2026-02-15',
      0,
    ],
    [
      'the 15th moved to the 20th',
      {
        rule: fifteenth,
        anchor: utc('2026-01-20'),
        ...moved,
        occurrence: utc('2026-01-20'),
        replaced: utc('2026-01-15'),
      },
      '2026-02-15',
      0,
    ],
    [
      'a Monday moved to the Friday before, to a later time of day',
      { rule: rule('DayOfTheWeek', 2), anchor: utc('2026-01-09'), ...moved, replaced: utc('2026-01-12T08:00:00') },
      '2026-01-19',
      0,
    ],
    [
      'a daily order moved to a later hour of the day before: it counts from there',
      { rule: rule('Days', 1), anchor: utc('2026-01-10'), ...moved, replaced: utc('2026-01-11T08:00:00') },
      '2026-01-11',
      0,
    ],
    ['an anchor set while it was processed', { ...daily, ...moved, anchor: utc('2026-01-12') }, '2026-01-12', 0],
    [
      'months late',
      { rule: rule('Months', 1), anchor: utc('2025-08-31'), ...moved, occurrence: utc('2025-09-30') },
      '2026-01-31',
      3,
    ],
    [
      'fifty years late',
      { rule: rule('Days', 1), anchor: utc('1976-01-10'), ...moved, occurrence: utc('1976-01-10') },
      '2026-01-11',
      18263,
    ],
  ])('%s', (_, takenUp, next, missedOccurrences) => {
    expect(advance(takenUp)).toEqual({ nextUtc: utc(next), missedOccurrences });
  });

  it.each([
    ['the last one', { occurrence: utc('9999-12-31') }, 0],
    ['one that stands for the last one', { replaced: utc('9999-12-31') }, 0],
    ['one that the calendar ended behind', { now: utc('9999-12-31'), anchor: utc('9999-12-01') }, 31],
  ])('goes nowhere from %s', (_, taken, missedOccurrences) => {
    expect(advance({ ...daily, ...moved, replaced: null, ...taken })).toEqual({ nextUtc: null, missedOccurrences });
  });

  it('rejects a frequency out of range', () => {
    expect(() => advance({ ...daily, ...moved, rule: rule('Weeks', 521) })).toThrow(
      'Frequency: 521 must be an integer from 1 to 520 for FrequencyType Weeks.',
    );
  });
});

describe('rollForward', () => {
  const monthly = { rule: rule('Months', 1), anchor: utc('2026-01-31'), replaced: null, last: null };

  test.each([
    ['one still ahead stays', utc('2026-03-31'), utc('2026-03-30'), utc('2026-03-31')],
    ['one that has passed gives way', utc('2026-02-28'), utc('2026-05-01'), utc('2026-05-31')],
    ['one that is due this instant gives way', utc('2026-02-28'), utc('2026-02-28'), utc('2026-03-31')],
    ['one a millisecond ahead stays', utc('2026-02-28'), utc('2026-02-28T10:30:14.999'), utc('2026-02-28')],
    ['none yet', null, utc('2026-02-01'), utc('2026-02-28')],
  ])('%s', (_, next, now, expected) => {
    expect(rollForward({ ...monthly, next, now })).toEqual({ nextUtc: expected, replaced: null });
  });

  it('keeps what a moved occurrence stands for while that is ahead, and forgets it with it', () => {
    const moved = {
      rule: rule('DayOfTheMonth', 15),
      anchor: utc('2026-01-10'),
      next: utc('2026-01-10'),
      replaced: utc('2026-01-15'),
      last: null,
    };
    expect(rollForward({ ...moved, now: utc('2026-01-09') })).toEqual({
      nextUtc: moved.next,
      replaced: moved.replaced,
    });
    expect(rollForward({ ...moved, now: utc('2026-01-11') })).toEqual({ nextUtc: utc('2026-01-15'), replaced: null });
  });

  test.each([
    ['what was skipped ahead of its time', { occurrence: utc('2026-05-31'), replaced: null }, utc('2026-06-30')],
    ['what an early one stands for', { occurrence: utc('2026-02-10'), replaced: utc('2026-03-31') }, utc('2026-04-30')],
    ['nothing that is over', { occurrence: utc('2026-01-31'), replaced: null }, utc('2026-02-28')],
  ])('does not come again to %s', (_, last, expected) => {
    const now = utc('2026-02-12');
    expect(rollForward({ ...monthly, next: utc('2026-02-11'), now, last })).toEqual({
      nextUtc: expected,
      replaced: null,
    });
  });
});

describe('upcoming', () => {
  const monthly = { rule: rule('Months', 1), anchor: utc('2026-01-31'), replaced: null, now: utc('2026-02-01') };

  it('begins with the next occurrence and goes on as processing would', () => {
    const dates = upcoming({ ...monthly, first: utc('2026-02-28'), count: 4 });
    expect(days(dates)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
  });

  it('leaves out the regular occurrence that the first one stands for', () => {
    const moved = { rule: rule('DayOfTheMonth', 15), anchor: utc('2026-01-10'), first: utc('2026-01-10') };
    const dates = upcoming({ ...moved, replaced: utc('2026-01-15'), now: utc('2026-01-01'), count: 3 });
    expect(days(dates)).toEqual(['2026-01-10', '2026-02-15', '2026-03-15']);
  });

  it('coalesces what an overdue first one has missed', () => {
    const dates = upcoming({ ...monthly, first: utc('2026-02-28'), now: utc('2026-05-01'), count: 3 });
    expect(days(dates)).toEqual(['2026-02-28', '2026-05-31', '2026-06-30']);
  });

  test.each([
    [0, []],
    [1, ['9999-10-31']],
    [3, ['9999-10-31', '9999-11-30', '9999-12-31']],
    [4, ['9999-10-31', '9999-11-30', '9999-12-31']],
  ])('gives %i occurrences, or as many as the calendar has', (count, expected) => {
    expect(days(upcoming({ ...monthly, first: utc('9999-10-31'), count }))).toEqual(expected);
  });
});

describe('missingDay', () => {
  it.each<[FrequencyType, number, string, string, number | null, string]>([
    ['DayOfTheMonth', 31, '2026-01-14T10:00:00Z', '2026-02-28T10:00:00Z', 31, 'February has no 31st'],
    ['DayOfTheMonth', 31, '2026-01-14T10:00:00Z', '2026-04-30T10:00:00Z', 31, 'neither has April'],
    ['DayOfTheMonth', 31, '2026-01-14T10:00:00Z', '2026-03-31T10:00:00Z', null, 'March has'],
    ['DayOfTheMonth', 28, '2026-01-14T10:00:00Z', '2026-02-28T10:00:00Z', null, 'every month has a 28th'],
    ['Months', 1, '2026-01-30T10:00:00Z', '2028-02-29T10:00:00Z', 30, 'not even in a leap year'],
    ['Months', 1, '2026-01-29T10:00:00Z', '2028-02-29T10:00:00Z', null, 'a leap year has a 29th'],
    ['Months', 2, '2026-01-31T10:00:00Z', '2026-04-30T10:00:00Z', null, 'April is no month of it'],
    ['Months', 1, '2026-01-31T10:00:00Z', '2026-02-28T11:00:00Z', null, 'it was moved to another time'],
    ['Months', 1, '2026-01-31T10:00:00Z', '2026-01-30T10:00:00Z', null, 'it is before the anchor'],
    ['Weeks', 1, '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', null, 'weeks know no days of the month'],
  ])('%s %i from %s, on %s: %s, because %s', (frequencyType, frequency, anchor, instant, expected) => {
    expect(missingDay({ frequencyType, frequency }, new Date(anchor), new Date(instant))).toBe(expected);
  });
});

describe('occurrencesAhead', () => {
  const monthly = { rule: rule('Months', 1), anchor: utc('2026-01-31'), replaced: null, now: utc('2026-02-01') };
  const at = (ahead: OccurrencesAhead, ...indexes: number[]) => days(indexes.map((index) => new Date(ahead.at(index))));

  it('calculates any of those after the first, without the others', () => {
    const ahead = occurrencesAhead({ ...monthly, first: utc('2026-02-28') });
    expect(at(ahead, 0, 1, 12)).toEqual(['2026-03-31', '2026-04-30', '2027-03-31']);
  });

  it('leaves out what an overdue first one has missed, and the one that it stands for', () => {
    const overdue = occurrencesAhead({ ...monthly, first: utc('2026-02-28'), now: utc('2026-05-01') });
    const moved = { rule: rule('DayOfTheMonth', 15), anchor: utc('2026-01-10'), first: utc('2026-01-10') };
    const replacing = occurrencesAhead({ ...moved, replaced: utc('2026-01-15'), now: utc('2026-01-01') });
    expect([at(overdue, 0), at(replacing, 0)]).toEqual([['2026-05-31'], ['2026-02-15']]);
  });

  test.each([
    ['2026-02-28', 0],
    ['2026-03-31', 0],
    ['2026-03-31T10:30:15.001', 1],
    ['2026-04-01', 1],
    ['2027-03-31', 12],
    ['9999-12-31', 95_685],
    ['9999-12-31T23:59:59', 95_686],
    ['+012000-01-01T00:00:00', 95_686],
  ])('has before %s: %i', (instant, expected) => {
    expect(occurrencesAhead({ ...monthly, first: utc('2026-02-28') }).before(utc(instant).getTime())).toBe(expected);
  });
});

describe('mostOccurrences', () => {
  test.each<[FrequencyType, number, number, number]>([
    ['Days', 1, 90, 91],
    ['Days', 30, 90, 4],
    ['Weeks', 1, 90, 13],
    ['Weeks', 2, 90, 7],
    ['Months', 1, 90, 4],
    ['Months', 3, 90, 2],
    ['DayOfTheWeek', 7, 90, 13],
    ['DayOfTheMonth', 31, 90, 4],
  ])('of %s %i is in %i days at most %i', (type, frequency, range, expected) => {
    expect(mostOccurrences(rule(type, frequency), range * 86_400_000)).toBe(expected);
  });
});
