import {
  CUSTOMER_ACTIONS,
  type CustomerAction,
  type FrequencyType,
  isLocked,
  lockedBecause,
  lockWindow,
  NEVER_LOCKED,
} from '../index.js';
import { calendar } from '../testing/calendars.js';

const due = new Date('2026-06-10T09:00:00Z');
const rule = (frequencyType: FrequencyType, frequency: number) => ({ frequencyType, frequency });
const weekly = rule('Weeks', 1);
const windowOf = (lockHours: number | null, frequencyRule = weekly) =>
  lockWindow(frequencyRule, due, calendar({ lockHours }));

describe('the window of an occurrence', () => {
  test.each<[FrequencyType, number, number, string]>([
    ['Weeks', 1, 48, '2026-06-08T09:00:00.000Z'],
    ['Weeks', 1, 84, '2026-06-06T21:00:00.000Z'],
    ['Weeks', 1, 85, '2026-06-06T21:00:00.000Z'],
    ['Weeks', 1, 0, '2026-06-10T09:00:00.000Z'],
    ['Days', 1, 336, '2026-06-09T21:00:00.000Z'],
    ['Days', 3, 336, '2026-06-08T21:00:00.000Z'],
    ['DayOfTheWeek', 7, 336, '2026-06-06T21:00:00.000Z'],
    ['DayOfTheMonth', 31, 336, '2026-05-27T09:00:00.000Z'],
    ['Months', 1, 336, '2026-05-27T09:00:00.000Z'],
    ['Months', 12, 336, '2026-05-27T09:00:00.000Z'],
  ])('of %s %i, with LockHours %i, begins at %s', (type, frequency, lockHours, from) => {
    expect(windowOf(lockHours, rule(type, frequency))).toEqual({
      lockedFromUtc: new Date(from),
      dueUtc: due,
      endsUtc: new Date('2026-06-11T09:00:00Z'),
    });
  });

  it('is none where the site has said nothing', () => {
    expect([windowOf(null), lockWindow(weekly, due, null)]).toEqual([null, null]);
  });

  test.each([
    ['2026-06-08T08:59:59.999Z', false],
    ['2026-06-08T09:00:00Z', true],
    ['2026-06-10T09:00:00Z', true],
    ['2026-06-11T08:59:59.999Z', true],
    ['2026-06-11T09:00:00Z', false],
  ])('has %s in it: %p', (now, expected) => {
    expect(isLocked(windowOf(48)!, new Date(now))).toBe(expected);
  });
});

describe('what a customer may do in the window', () => {
  const now = new Date('2026-06-09T09:00:00Z');
  const locked = CUSTOMER_ACTIONS.filter((action) => lockedBecause(windowOf(48), action, now) !== null);

  it('is all but what changes the box or its day', () => {
    const changes: CustomerAction[] = ['Items', 'Frequency', 'Reschedule', 'Skip', 'Process', 'Pause', 'Terms'];
    expect(locked).toEqual([...changes, 'AddOnce', 'Swap']);
    expect(NEVER_LOCKED).toEqual(CUSTOMER_ACTIONS.filter((action) => !locked.includes(action)));
  });

  test.each([
    ['2026-06-09T09:00:00Z', 'due'],
    ['2026-06-10T09:00:00Z', 'processed'],
  ])('is said at %s, until it is %s', (instant, until) => {
    expect(lockedBecause(windowOf(48), 'Skip', new Date(instant))).toBe(
      `The occurrence of 2026-06-10 09:00 UTC is being prepared: since 2026-06-08 09:00 UTC, and until it is ${until}, ` +
        'the customer cannot change it. The card and the address can be changed, and the order can be cancelled.',
    );
  });

  it.each([
    ['before it', windowOf(48), new Date('2026-06-08T08:00:00Z')],
    ['where there is none', null, now],
  ])('is everything %s', (_, window, instant) => {
    expect(CUSTOMER_ACTIONS.map((action) => lockedBecause(window, action, instant)).filter(Boolean)).toEqual([]);
  });
});
