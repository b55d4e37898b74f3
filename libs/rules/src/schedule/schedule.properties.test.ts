import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  advance,
  FREQUENCY_TYPES,
  type FrequencyRule,
  mostOccurrences,
  nextOccurrence,
  occurrencesAhead,
  rollForward,
  upcoming,
} from '../index.js';

const LARGEST = { Days: 3650, Weeks: 520, Months: 120, DayOfTheWeek: 7, DayOfTheMonth: 31 };
const DAY = 86_400_000;

const rules: fc.Arbitrary<FrequencyRule> = fc.constantFrom(...FREQUENCY_TYPES).chain((frequencyType) =>
  fc.record({
    frequencyType: fc.constant(frequencyType),
    frequency: fc.oneof(
      fc.integer({ min: 1, max: Math.min(40, LARGEST[frequencyType]) }),
      fc.integer({ min: 1, max: LARGEST[frequencyType] }),
    ),
  }),
);
const instants = (from: string, to: string): fc.Arbitrary<Date> =>
  fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });
const anchors = instants('1950-01-01', '2120-12-31');
/** A delay up to so many days; often of whole days, or a millisecond beside one, where "strictly after" decides. */
const within = (days: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 0, max: days * DAY }),
    fc
      .tuple(fc.integer({ min: 0, max: days }), fc.integer({ min: -1, max: 1 }))
      .map(([whole, off]) => Math.max(0, whole * DAY + off)),
  );
const delays = within(5 * 366);
const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

const toTemporal = (date: Date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('UTC');

/** Occurrence number k of a rule by Temporal's calendar, stepping as a person with a calendar would. */
function byCalendar({ frequencyType, frequency }: FrequencyRule, anchor: Date, k: number): Temporal.ZonedDateTime {
  const start = toTemporal(anchor).round({ smallestUnit: 'second', roundingMode: 'floor' });
  switch (frequencyType) {
    case 'Days':
      return start.add({ days: k * frequency });
    case 'Weeks':
      return start.add({ weeks: k * frequency });
    case 'Months':
      return start.add({ months: k * frequency });
    case 'DayOfTheWeek': {
      let first = start;
      while ((first.dayOfWeek % 7) + 1 !== frequency) first = first.add({ days: 1 });
      return first.add({ weeks: k });
    }
    case 'DayOfTheMonth': {
      const inMonth = (months: number) => start.with({ day: 1 }).add({ months }).with({ day: frequency });
      return inMonth(Temporal.ZonedDateTime.compare(inMonth(0), start) < 0 ? k + 1 : k);
    }
  }
}

describe('a schedule', () => {
  it('is the calendar stepped from the anchor', () => {
    fc.assert(
      fc.property(rules, anchors, within(400), (rule, anchor, delay) => {
        const after = toTemporal(later(anchor, delay));
        let k = 0;
        while (Temporal.ZonedDateTime.compare(byCalendar(rule, anchor, k), after) <= 0) k += 1;
        const next = nextOccurrence(rule, anchor, later(anchor, delay));
        expect(next.getTime()).toBe(byCalendar(rule, anchor, k).epochMilliseconds);
      }),
      { numRuns: 200 },
    );
  });

  it('gives by repeated stepping the series from the anchor', () => {
    fc.assert(
      fc.property(rules, anchors, fc.integer({ min: 1, max: 15 }), (rule, anchor, count) => {
        let k = byCalendar(rule, anchor, 0).epochMilliseconds > anchor.getTime() ? 0 : 1;
        for (let after = anchor; count > 0; count--, k++) {
          after = nextOccurrence(rule, anchor, after);
          expect(after.getTime()).toBe(byCalendar(rule, anchor, k).epochMilliseconds);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('goes on strictly after, in whole seconds, at the time of day of the anchor', () => {
    fc.assert(
      fc.property(rules, anchors, anchors, (rule, anchor, after) => {
        const next = nextOccurrence(rule, anchor, after).getTime();
        expect(next).toBeGreaterThan(after.getTime());
        expect((next - Math.floor(anchor.getTime() / 1000) * 1000) % DAY).toBe(0);
      }),
    );
  });

  it('leaves nothing out: there is no occurrence between an instant and the next', () => {
    fc.assert(
      fc.property(rules, anchors, delays, delays, (rule, anchor, one, other) => {
        const [early, late] = [later(anchor, Math.min(one, other)), later(anchor, Math.max(one, other))];
        const next = nextOccurrence(rule, anchor, early);
        const expected = next > late ? next : nextOccurrence(rule, anchor, late);
        expect(nextOccurrence(rule, anchor, late)).toEqual(expected);
      }),
    );
  });

  it('names its day: the weekday, or the date as far as the month goes', () => {
    fc.assert(
      fc.property(rules, anchors, delays, (rule, anchor, delay) => {
        const next = toTemporal(nextOccurrence(rule, anchor, later(anchor, delay)));
        if (rule.frequencyType === 'DayOfTheWeek') expect((next.dayOfWeek % 7) + 1).toBe(rule.frequency);
        const date = rule.frequencyType === 'Months' ? anchor.getUTCDate() : rule.frequency;
        if (rule.frequencyType.includes('Month')) expect(next.day).toBe(Math.min(date, next.daysInMonth));
      }),
    );
  });

  it('has at most one occurrence in a period', () => {
    fc.assert(
      fc.property(rules, anchors, delays, (rule, anchor, delay) => {
        const one = nextOccurrence(rule, anchor, later(anchor, delay));
        const two = nextOccurrence(rule, anchor, one);
        const months = (two.getUTCFullYear() - one.getUTCFullYear()) * 12 + two.getUTCMonth() - one.getUTCMonth();
        const apart = (two.getTime() - one.getTime()) / DAY;
        switch (rule.frequencyType) {
          case 'Days':
            return expect(apart).toBe(rule.frequency);
          case 'Weeks':
            return expect(apart).toBe(7 * rule.frequency);
          case 'DayOfTheWeek':
            return expect(apart).toBe(7);
          case 'Months':
            return expect(months).toBe(rule.frequency);
          case 'DayOfTheMonth':
            return expect(months).toBe(1);
        }
      }),
    );
  });

  it('advances past the occurrence, the one it replaced and now, and counts what lies between', () => {
    fc.assert(
      fc.property(rules, anchors, delays, fc.option(delays), delays, (rule, anchor, due, stoodFor, late) => {
        const occurrence = later(anchor, due);
        const replaced = stoodFor === null ? null : later(anchor, stoodFor);
        const now = later(occurrence, late);
        const { nextUtc, missedOccurrences } = advance({ rule, anchor, occurrence, replaced, now });
        expect(nextUtc!.getTime()).toBeGreaterThan(
          Math.max(occurrence.getTime(), replaced?.getTime() ?? -Infinity, now.getTime()),
        );
        let missed = 0;
        // Without a delay nothing is missed, so that this is what the occurrence itself settled.
        let date = advance({ rule, anchor, occurrence, replaced, now: occurrence }).nextUtc!;
        for (; date <= now && missed < 2000; date = nextOccurrence(rule, anchor, date)) missed += 1;
        expect({ nextUtc, missedOccurrences }).toEqual({ nextUtc: date, missedOccurrences: missed });
      }),
      { numRuns: 300 },
    );
  });

  it('looks ahead as it advances', () => {
    fc.assert(
      fc.property(rules, anchors, delays, delays, (rule, anchor, due, held) => {
        const now = later(anchor, held);
        const first = rollForward({ rule, anchor, next: later(anchor, due), replaced: null, now, last: null }).nextUtc;
        const dates = upcoming({ rule, anchor, first, replaced: null, now, count: 12 });
        const expected = [first];
        while (expected.length < 12) expected.push(nextOccurrence(rule, anchor, expected.at(-1)!));
        expect(dates).toEqual(expected);
      }),
    );
  });

  it('looks ahead from any instant as from the first occurrence', () => {
    const replacements = fc.option(delays, { nil: null });
    fc.assert(
      fc.property(rules, anchors, delays, replacements, delays, delays, (rule, anchor, due, replacing, held, range) => {
        const [first, now] = [later(anchor, due), later(anchor, held)];
        const ahead = { rule, anchor, first, replaced: replacing === null ? null : later(anchor, replacing), now };
        const [, ...dates] = upcoming({ ...ahead, count: 12 });
        const following = occurrencesAhead(ahead);
        expect(dates).toEqual(dates.map((_, index) => new Date(following.at(index))));
        const end = Math.min(later(now, range).getTime(), dates.at(-1)!.getTime());
        const before = dates.filter((date) => date.getTime() < end).length;
        expect(following.before(end)).toBe(before);
        const inRange = dates.filter((date) => date.getTime() >= end - range && date.getTime() < end).length;
        expect(inRange).toBeLessThanOrEqual(mostOccurrences(rule, range));
      }),
    );
  });
});
