import { droppedWords, skipAhead, skipBack, type SkippedOrder, skippedWords, withSkip } from '../index.js';

const utc = (text: string): Date => new Date(`${text}T09:00:00Z`);
const now = utc('2026-06-01');

const SHOWN = [
  { instant: utc('2026-06-10').getTime(), number: 4, skipped: null },
  { instant: utc('2026-06-17').getTime(), number: 5, skipped: 'Planned' },
  { instant: utc('2026-06-24').getTime(), number: null, skipped: null },
  { instant: utc('2027-06-01').getTime(), number: 55, skipped: 'NothingShips' },
  { instant: utc('2027-06-02').getTime(), number: 56, skipped: null },
] as const;

describe('the occurrence that is to be passed over', () => {
  test.each([
    ['2026-06-10', 4],
    ['2027-06-01', 55],
  ])('%s is number %i', (day, number) => {
    expect(skipAhead(SHOWN, utc(day), now)).toEqual({ number });
  });

  test.each([
    ['2026-06-09', ' must be an OccurrenceUtc of Upcoming: the order has no such occurrence.'],
    ['2026-06-11', ' must be an OccurrenceUtc of Upcoming: the order has no such occurrence.'],
    ['2026-06-24', ' must be an OccurrenceUtc of Upcoming: the order has no such occurrence.'],
    ['2026-06-17', ' is passed over already.'],
    ['2027-06-02', ' must not be after 2027-06-01T09:00:00.000Z, a year ahead.'],
  ])('%s cannot be: it%s', (day, message) => {
    const fault = { field: 'OccurrenceUtc', message: utc(day).toISOString() + message };
    expect(skipAhead(SHOWN, utc(day), now)).toEqual({ fault });
  });

  it('is looked for no further than it can be', () => {
    function* endless() {
      for (let day = 1; ; day++) yield { instant: now.getTime() + day * 86_400_000, number: day, skipped: null };
    }
    expect(skipAhead(endless(), utc('2026-06-08'), now)).toEqual({ number: 7 });
    expect(skipAhead(endless(), new Date('2026-06-08T10:00:00Z'), now)).toHaveProperty('fault');
  });
});

describe('a skip that is taken back', () => {
  const planned = [
    { occurrence: 5, day: '2026-06-17' },
    { occurrence: 9, day: '2026-07-15' },
  ];
  const order: SkippedOrder = {
    plannedSkips: planned,
    shown: SHOWN,
    next: utc('2026-06-08'),
    newest: { state: 'Skipped', dueUtc: utc('2026-06-03'), attempt: 0 },
    following: utc('2026-06-08'),
  };
  const last = utc('2026-06-03');

  it('is no longer planned, and the others are', () => {
    expect(skipBack(order, utc('2026-06-17'), now)).toEqual({ plannedSkips: [planned[1]] });
  });

  it('or was the latest one: its occurrence is due again', () => {
    expect(skipBack(order, last, now)).toEqual({ dueUtc: last });
    expect(skipBack({ ...order, next: null, following: null }, last, now)).toEqual({ dueUtc: last });
  });

  const unknown = (day: string) =>
    `The occurrence of ${day} 09:00 UTC is neither planned to be skipped, nor the one that was skipped last.`;
  const changed = 'The order has been changed since 2026-06-03 09:00 UTC was skipped: move its next occurrence.';

  test.each<[string, Partial<SkippedOrder>, Date, Date, string]>([
    ['comes as it should', {}, utc('2026-06-10'), now, unknown('2026-06-10')],
    ['is none', {}, utc('2026-06-16'), now, unknown('2026-06-16')],
    ['has no cycle', { newest: null }, last, now, unknown('2026-06-03')],
    ['was processed', { newest: { ...order.newest!, state: 'Completed' } }, last, now, unknown('2026-06-03')],
    [
      'had been tried',
      { newest: { ...order.newest!, attempt: 1 } },
      last,
      now,
      'The occurrence of 2026-06-03 09:00 UTC had been tried before it was skipped.',
    ],
    ['has passed', {}, last, last, 'The occurrence of 2026-06-03 09:00 UTC has passed.'],
    ['leads to another one now', { following: utc('2026-06-09') }, last, now, changed],
    ['leads to one where there is none', { next: null }, last, now, changed],
  ])('cannot be one that %s', (_, fields, instant, at, because) => {
    expect(skipBack({ ...order, ...fields }, instant, at)).toEqual({ because });
  });
});

describe('planned skips', () => {
  const skip = (occurrence: number, day = '2026-06-10') => ({ occurrence, day });

  it('are kept in order, each once', () => {
    expect(withSkip([], skip(4))).toEqual([skip(4)]);
    expect(withSkip([skip(3), skip(10)], skip(4))).toEqual([skip(3), skip(4), skip(10)]);
    expect(withSkip([skip(3), skip(4, '2026-06-09')], skip(4))).toEqual([skip(3), skip(4)]);
  });

  it('are named to whoever would drop them', () => {
    expect(droppedWords([skip(4), skip(5, '2026-06-17')])).toBe(
      'The schedule would count anew, and the planned skips of 2026-06-10, 2026-06-17 would be dropped: send DropSkips=true to drop them.',
    );
  });

  it('are told when they are used', () => {
    expect(skippedWords(utc('2026-06-10'))).toBe('The occurrence of 2026-06-10 09:00 UTC was skipped, as planned.');
  });
});
