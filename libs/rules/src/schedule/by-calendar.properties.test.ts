import fc from 'fast-check';
import { calendars, DAY, moments, orderRules } from '../../../../test/support/calendars/arbitraries.js';
import { nextByHand } from '../../../../test/support/calendars/by-hand.js';
import { advance, nextOccurrence, siteCalendar } from '../index.js';
import { lockMs } from './schedule.js';

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms);
const delays = fc.integer({ min: 0, max: 40 * DAY });
/** Mostly on time. */
const lateness = fc.oneof(fc.constant(0), fc.constant(0), delays);

describe('the calendar of a site', () => {
  it('gives the first occurrence that a person finds', () => {
    fc.assert(
      fc.property(orderRules, moments, calendars, (rule, anchor, chosen) => {
        const calendar = siteCalendar(chosen);
        const first = nextOccurrence(rule, anchor, anchor, calendar);
        const none = { occurrence: null, replaced: null, lockMs: lockMs(rule, calendar) };
        // Nothing on the day of creation: as if it were over.
        const endOfDay =
          calendar.zone.instantAt(Math.floor(calendar.zone.civilAt(anchor.getTime()) / DAY + 1) * DAY) - 1;
        expect(first.getTime()).toBe(nextByHand(rule, anchor.getTime(), chosen, { ...none, now: endOfDay }).instant);
      }),
      { numRuns: 300 },
    );
  });

  it('goes on as a person with a calendar does', () => {
    fc.assert(
      fc.property(
        orderRules,
        moments,
        calendars,
        delays,
        fc.option(delays),
        lateness,
        (rule, anchor, chosen, ...moves) => {
          const calendar = siteCalendar(chosen);
          const [due, replacing, late] = moves;
          const occurrence = later(anchor, due);
          const replaced = replacing === null ? null : later(anchor, replacing);
          const now = later(occurrence, late);
          const { nextUtc, missedOccurrences } = advance({ rule, anchor, occurrence, replaced, now, calendar });
          const { instant, missed } = nextByHand(rule, anchor.getTime(), chosen, {
            occurrence: occurrence.getTime(),
            replaced: replaced?.getTime() ?? null,
            now: now.getTime(),
            lockMs: lockMs(rule, calendar),
          });
          expect([nextUtc!.getTime(), missedOccurrences]).toEqual([instant, missed]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('steps from one to the next, on days that rise', () => {
    fc.assert(
      fc.property(orderRules, moments, calendars, (rule, anchor, chosen) => {
        const calendar = siteCalendar(chosen);
        const day = (date: Date) => Math.floor(calendar.zone.civilAt(date.getTime()) / DAY);
        let occurrence = nextOccurrence(rule, anchor, anchor, calendar);
        for (let count = 0; count < 12; count++) {
          const { nextUtc, missedOccurrences } = advance({
            rule,
            anchor,
            occurrence,
            replaced: null,
            now: occurrence,
            calendar,
          });
          expect(missedOccurrences).toBe(0);
          expect(day(nextUtc!)).toBeGreaterThan(day(occurrence));
          occurrence = nextUtc!;
        }
      }),
    );
  });
});
