import {
  closedBecause,
  type ClosedOrder,
  isAfterEnd,
  isCountReached,
  type OrderLimits,
  reopens,
  termsFaults,
  type TermsToJudge,
} from '../index.js';

const utc = (text: string): Date => new Date(`${text}T09:00:00Z`);
const now = utc('2026-06-01');

test.each([
  [null, 1_000, false],
  [3, 2, false],
  [3, 3, true],
  [3, 4, true],
])('of MaxCycles %p, %i are all: %p', (maxCycles, cycles, expected) => {
  expect(isCountReached({ maxCycles }, cycles)).toBe(expected);
});

test.each([
  [null, utc('9999-12-31'), false],
  [utc('2026-06-01'), new Date('2026-06-01T08:59:59.999Z'), false],
  [utc('2026-06-01'), utc('2026-06-01'), false],
  [utc('2026-06-01'), new Date('2026-06-01T09:00:00.001Z'), true],
])('of EndsUtc %p, %p is after it: %p', (endsUtc, due, expected) => {
  expect(isAfterEnd({ endsUtc }, due)).toBe(expected);
});

describe('an order that is closed', () => {
  const open: ClosedOrder = {
    cycles: 3,
    cancelledUtc: null,
    endedUtc: null,
    endedBy: null,
    maxCycles: null,
    endsUtc: null,
  };
  const ended = { ...open, endedUtc: utc('2026-05-01') };

  test.each<[string, ClosedOrder, string | null]>([
    ['is open', open, null],
    ['has limits that are not reached', { ...open, maxCycles: 3, endsUtc: utc('2026-01-01') }, null],
    [
      'was cancelled',
      { ...open, cancelledUtc: utc('2026-05-02') },
      'The order was cancelled at 2026-05-02 09:00 UTC: Reactivate it first.',
    ],
    [
      'had ended, and was cancelled',
      { ...ended, endedBy: 'Items', cancelledUtc: utc('2026-05-02') },
      'The order was cancelled at 2026-05-02 09:00 UTC: Reactivate it first.',
    ],
    [
      'has had its cycles',
      { ...ended, endedBy: 'MaxCycles', maxCycles: 3 },
      'The order has ended at 2026-05-01 09:00 UTC, with Cycles 3 of MaxCycles 3: raise MaxCycles first.',
    ],
    [
      'has had its last day',
      { ...ended, endedBy: 'EndsUtc', endsUtc: utc('2026-05-03') },
      'The order has ended at 2026-05-01 09:00 UTC, because no occurrence is left up to EndsUtc, 2026-05-03 09:00 UTC: move EndsUtc first.',
    ],
    [
      'has had a last day that nobody knows any more',
      { ...ended, endedBy: 'EndsUtc' },
      'The order has ended at 2026-05-01 09:00 UTC, because no occurrence is left up to EndsUtc: move EndsUtc first.',
    ],
    [
      'has had its last item',
      { ...ended, endedBy: 'Items' },
      'The order has ended at 2026-05-01 09:00 UTC, with its last item: add an item first.',
    ],
  ])('%s', (_, order, expected) => {
    expect(closedBecause(order)).toBe(expected);
  });

  const byCount = { ...ended, endedBy: 'MaxCycles', maxCycles: 3 } as const;
  const byDay = { ...ended, endedBy: 'EndsUtc', endsUtc: utc('2026-05-03') } as const;
  const byItems = { ...ended, endedBy: 'Items' } as const;
  const limits = (wanted: Partial<OrderLimits>) => ({ maxCycles: null, endsUtc: null, ...wanted });

  test.each<[string, ClosedOrder, OrderLimits, number, boolean]>([
    ['open, it stays so', open, limits({}), 1, false],
    ['its cycles are raised', byCount, limits({ maxCycles: 4 }), 1, true],
    ['its cycles are any', byCount, limits({}), 1, true],
    ['its cycles are as many as it had', byCount, limits({ maxCycles: 3 }), 1, false],
    ['its cycles are raised, and it has no item', byCount, limits({ maxCycles: 4 }), 0, true],
    ['its last day is later', byDay, limits({ endsUtc: utc('2026-05-04') }), 1, true],
    ['it has no last day', byDay, limits({}), 1, true],
    ['its last day is the same', byDay, limits({ endsUtc: utc('2026-05-03') }), 1, false],
    ['its last day is earlier', byDay, limits({ endsUtc: utc('2026-05-02') }), 1, false],
    ['its last day is not known', { ...byDay, endsUtc: null }, limits({ endsUtc: utc('2027-01-01') }), 1, false],
    ['it has an item again', byItems, limits({}), 1, true],
    ['it has no item yet', byItems, limits({ maxCycles: 100 }), 0, false],
  ])('is open again: %s', (_, order, wanted, items, expected) => {
    expect(reopens(order, wanted, items)).toBe(expected);
  });
});

describe('terms that a request sets', () => {
  const none: TermsToJudge = { maxCycles: null, endsUtc: null, startUtc: null, pausedUntilUtc: null, cycles: 3 };
  const past = utc('2026-05-31');
  const tooEarly = (instant: Date) => `${instant.toISOString()} must be later than now, ${now.toISOString()}.`;

  test.each<[string, Partial<TermsToJudge>, Partial<TermsToJudge>]>([
    ['nothing', {}, {}],
    ['more cycles than there were', { maxCycles: 4 }, {}],
    [
      'times to come',
      { startUtc: utc('2026-06-02'), pausedUntilUtc: utc('2026-06-02'), endsUtc: utc('2026-06-02') },
      {},
    ],
    ['an end that has passed', { endsUtc: past }, {}],
    [
      'what stands',
      { startUtc: past, pausedUntilUtc: past, maxCycles: 3 },
      { startUtc: past, pausedUntilUtc: past, maxCycles: 3 },
    ],
    ['nothing any more', {}, { startUtc: past, pausedUntilUtc: past, maxCycles: 3, endsUtc: past }],
  ])('may be %s', (_, wanted, standing) => {
    expect(termsFaults({ ...none, ...wanted }, { ...none, ...standing }, now)).toEqual([]);
  });

  test.each<[string, Partial<TermsToJudge>, Partial<TermsToJudge>, string, string]>([
    ['a start that has passed', { startUtc: past }, {}, 'StartUtc', tooEarly(past)],
    ['a start now', { startUtc: now }, {}, 'StartUtc', tooEarly(now)],
    [
      'a pause that is over',
      { pausedUntilUtc: past },
      { pausedUntilUtc: utc('2026-05-30') },
      'PausedUntilUtc',
      tooEarly(past),
    ],
    [
      'as many cycles as there were',
      { maxCycles: 3 },
      {},
      'MaxCycles',
      '3 must be more than Cycles, 3: to end the order now, cancel it.',
    ],
    [
      'fewer cycles',
      { maxCycles: 2 },
      { maxCycles: 9 },
      'MaxCycles',
      '2 must be more than Cycles, 3: to end the order now, cancel it.',
    ],
    [
      'as many as there are to be',
      { maxCycles: 3 },
      { maxCycles: 3, cycles: 1 },
      'MaxCycles',
      '3 must be more than Cycles, 3: to end the order now, cancel it.',
    ],
    [
      'an end before the start',
      { startUtc: utc('2026-06-03'), endsUtc: utc('2026-06-02') },
      {},
      'EndsUtc',
      '2026-06-02T09:00:00.000Z must not be before StartUtc, 2026-06-03T09:00:00.000Z.',
    ],
  ])('cannot be %s', (_, wanted, standing, field, message) => {
    expect(termsFaults({ ...none, ...wanted }, { ...none, ...standing }, now)).toEqual([{ field, message }]);
  });

  it('have every fault named', () => {
    const wanted = { ...none, startUtc: past, pausedUntilUtc: past, maxCycles: 1, endsUtc: utc('2026-05-01') };
    expect(termsFaults(wanted, none, now).map(({ field }) => field)).toEqual([
      'StartUtc',
      'PausedUntilUtc',
      'MaxCycles',
      'EndsUtc',
    ]);
  });
});
