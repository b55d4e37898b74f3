import {
  becomeActive,
  type CalendarSettings,
  goOn,
  NO_TERMS,
  type OnHold,
  type OrderTerms,
  resume,
  type TakenUp,
} from '../index.js';
import { calendar } from '../testing/calendars.js';

const utc = (text: string): Date => new Date(`${text.includes('T') ? text : `${text}T09:00`}Z`);
const shown = (date: Date | null) =>
  date
    ?.toISOString()
    .replace(/(:00)?\.000Z/, '')
    .replace('T09:00', '') ?? null;
const terms = (chosen: Partial<OrderTerms>, ...skips: number[]): OrderTerms => ({
  ...NO_TERMS,
  ...chosen,
  plannedSkips: skips.map((occurrence) => ({ occurrence, day: `day ${occurrence}` })),
});

/** Number 0 is the anchor. */
const weekly = { rule: { frequencyType: 'Weeks', frequency: 1 }, anchor: utc('2026-01-01') } as const;
const daily = { rule: { frequencyType: 'Days', frequency: 1 }, anchor: utc('2026-01-01') } as const;
const on = (text: string) => ({ occurrence: utc(text), replaced: null, now: utc(text) });

/** What is told of the dates, short. */
function read({ nextUtc, skipped, plannedSkips, ...rest }: ReturnType<typeof goOn>) {
  return {
    next: shown(nextUtc),
    skipped: skipped.map(({ number, dueUtc }) => `${number}: ${shown(dueUtc)}`),
    planned: plannedSkips.map(({ occurrence }) => occurrence),
    ...rest,
  };
}

const NOTHING = {
  next: null,
  replaced: null,
  number: null,
  missedOccurrences: 0,
  mergedOccurrences: 0,
  skipped: [],
  planned: [],
  ending: null,
};

describe('goOn', () => {
  test.each<[string, TakenUp, OrderTerms, object]>([
    ['without terms', { ...weekly, ...on('2026-01-08') }, NO_TERMS, { next: '2026-01-15', number: 2 }],
    [
      'late',
      { ...weekly, ...on('2026-01-08'), now: utc('2026-01-23') },
      NO_TERMS,
      { next: '2026-01-29', number: 4, missedOccurrences: 2 },
    ],
    [
      'over one that was planned',
      { ...weekly, ...on('2026-01-08') },
      terms({}, 2),
      { next: '2026-01-22', number: 3, skipped: ['2: 2026-01-15'] },
    ],
    [
      'over several in a row, and no others',
      { ...weekly, ...on('2026-01-08') },
      terms({}, 2, 3, 5),
      { next: '2026-01-29', number: 4, skipped: ['2: 2026-01-15', '3: 2026-01-22'], planned: [5] },
    ],
    [
      'not over the one that comes next but one',
      { ...weekly, ...on('2026-01-08') },
      terms({}, 3),
      { next: '2026-01-15', number: 2, planned: [3] },
    ],
    [
      'late: what was planned for the time in between is used up',
      { ...weekly, ...on('2026-01-08'), now: utc('2026-01-23') },
      terms({}, 2, 3, 4, 6),
      { next: '2026-02-05', number: 5, missedOccurrences: 2, skipped: ['4: 2026-01-29'], planned: [6] },
    ],
    [
      'in place of a later one that was planned',
      { ...weekly, ...on('2026-01-08'), replaced: utc('2026-01-15') },
      terms({}, 2, 3),
      { next: '2026-01-29', number: 4, skipped: ['3: 2026-01-22'] },
    ],
    [
      'up to the last day',
      { ...weekly, ...on('2026-01-08') },
      terms({ endsUtc: utc('2026-01-15') }),
      { next: '2026-01-15', number: 2 },
    ],
    [
      'no further than the last day',
      { ...weekly, ...on('2026-01-08') },
      terms({ endsUtc: utc('2026-01-15T08:59') }, 5),
      { ending: 'EndsUtc' },
    ],
    [
      'over the last one, which was planned',
      { ...weekly, ...on('2026-01-08') },
      terms({ endsUtc: utc('2026-01-15') }, 2, 3),
      { skipped: ['2: 2026-01-15'], ending: 'EndsUtc' },
    ],
    [
      'late, beyond the last day',
      { ...weekly, ...on('2026-01-08'), now: utc('2026-01-20') },
      terms({ endsUtc: utc('2026-01-21') }),
      { missedOccurrences: 1, ending: 'EndsUtc' },
    ],
    [
      'to the end of the calendar, which ends no order',
      { ...daily, ...on('9999-12-31') },
      terms({ endsUtc: utc('9999-12-31T10:00') }),
      {},
    ],
    [
      'over the last one of the calendar',
      { ...daily, ...on('9999-12-30') },
      terms({}, 2_912_442),
      { skipped: ['2912442: 9999-12-31'] },
    ],
  ])('%s', (_, taken, chosen, expected) => {
    expect(read(goOn(taken, chosen))).toEqual({ ...NOTHING, ...expected });
  });

  test.each<[string, Partial<CalendarSettings>, TakenUp, OrderTerms, object]>([
    [
      'and names what comes to the same day',
      { blackoutWeekdays: [1] },
      { ...daily, ...on('2026-01-03') },
      NO_TERMS,
      { next: '2026-01-05', number: 3, mergedOccurrences: 1 },
    ],
    [
      'and names how many come to the same day',
      { blackoutWeekdays: [1, 2, 3], blackoutShift: 'Earlier' },
      { ...daily, ...on('2026-01-02') },
      NO_TERMS,
      { next: '2026-01-03', number: 2, mergedOccurrences: 3 },
    ],
    [
      'by the number, wherever the calendar moves it',
      { blackoutWeekdays: [1], processAt: '06:00' },
      { ...daily, ...on('2026-01-03T06:00') },
      terms({}, 3),
      { next: '2026-01-06T06:00', number: 5, skipped: ['3: 2026-01-05T06:00'] },
    ],
    [
      'but a planned one that comes to the day of another is used up with it',
      { blackoutWeekdays: [1] },
      { ...daily, ...on('2026-01-05') },
      terms({}, 4, 6),
      { next: '2026-01-06', number: 5, planned: [6] },
    ],
    [
      'and none come to the same day where none is left out',
      { timeZone: 'Europe/Berlin' },
      { ...daily, ...on('2026-01-05') },
      NO_TERMS,
      { next: '2026-01-06', number: 5 },
    ],
  ])('by a calendar %s', (_, chosen, taken, planned, expected) => {
    expect(read(goOn({ ...taken, calendar: calendar(chosen) }, planned))).toEqual({ ...NOTHING, ...expected });
  });
});

describe('becomeActive', () => {
  const held: OnHold = { ...weekly, next: utc('2026-01-08'), replaced: null, now: utc('2026-01-20'), last: null };

  test.each<[string, Partial<OnHold>, OrderTerms, object]>([
    [
      'one still ahead stays, with what is planned',
      { now: utc('2026-01-07') },
      terms({}, 2),
      { next: '2026-01-08', planned: [2] },
    ],
    [
      'one that was moved stays, with what it stands for',
      { now: utc('2026-01-07'), replaced: utc('2026-01-15') },
      NO_TERMS,
      { next: '2026-01-08', replaced: utc('2026-01-15') },
    ],
    [
      'one after the last day is none',
      { now: utc('2026-01-07') },
      terms({ endsUtc: utc('2026-01-07') }, 2),
      { ending: 'EndsUtc' },
    ],
    ['one that has passed gives way', {}, NO_TERMS, { next: '2026-01-22', number: 3 }],
    ['none yet', { next: null }, NO_TERMS, { next: '2026-01-22', number: 3 }],
    [
      'what was planned for the gap is used up, and what comes next is passed over',
      {},
      terms({}, 1, 2, 3, 9),
      { next: '2026-01-29', number: 4, skipped: ['3: 2026-01-22'], planned: [9] },
    ],
    [
      'not again what was taken up ahead of its time',
      { last: { occurrence: utc('2026-01-22'), replaced: null } },
      NO_TERMS,
      { next: '2026-01-29', number: 4 },
    ],
    ['beyond the last day', {}, terms({ endsUtc: utc('2026-01-21') }), { ending: 'EndsUtc' }],
  ])('%s', (_, fields, chosen, expected) => {
    expect(read(becomeActive({ ...held, ...fields }, chosen))).toEqual({ ...NOTHING, ...expected });
  });
});

describe('resume', () => {
  const held = { ...weekly, next: utc('2026-01-08'), replaced: null, last: null };

  test.each([
    ['the first after that instant', utc('2026-01-16'), NO_TERMS, { next: '2026-01-22', number: 3 }],
    ['the one at that instant', utc('2026-01-22'), NO_TERMS, { next: '2026-01-22', number: 3 }],
    ['a moment later the one after it', utc('2026-01-22T09:00:00.001'), NO_TERMS, { next: '2026-01-29', number: 4 }],
    ['its own, where that is not before', utc('2026-01-08'), NO_TERMS, { next: '2026-01-08' }],
    [
      'none of those that are planned',
      utc('2026-01-22'),
      terms({}, 3),
      { next: '2026-01-29', number: 4, skipped: ['3: 2026-01-22'] },
    ],
    ['none after the last day', utc('2026-01-22'), terms({ endsUtc: utc('2026-01-21') }), { ending: 'EndsUtc' }],
  ])('begins with %s', (_, until, chosen, expected) => {
    expect(read(resume(held, until, chosen))).toEqual({ ...NOTHING, ...expected });
  });

  it('does not depend on when it is calculated, nor is a day earlier than the instant', () => {
    const christmas = calendar({ blackoutDates: ['2026-12-25'], blackoutShift: 'Earlier' });
    const until = utc('2026-12-25T08:00');
    expect(
      read(resume({ ...daily, ...held, anchor: utc('2026-01-02'), calendar: christmas }, until, NO_TERMS)),
    ).toEqual({
      ...NOTHING,
      next: '2026-12-26',
      number: 51,
    });
  });
});
