import { boxes, type BoxItem, NO_TERMS, type OrderAhead, type OrderTerms } from '../index.js';
import { calendar } from '../testing/calendars.js';
import { item } from '../testing/quotables.js';

const utc = (text: string): Date => new Date(`${text.includes('T') ? text : `${text}T09:00`}Z`);

const weekly: OrderAhead<BoxItem> = {
  rule: { frequencyType: 'Weeks', frequency: 1 },
  anchor: utc('2026-01-01'),
  first: utc('2026-01-08'),
  replaced: null,
  now: utc('2026-01-02'),
  cycles: 5,
  items: [item({ id: 1 })],
};
const terms = (chosen: Partial<OrderTerms>): OrderTerms => ({ ...NO_TERMS, ...chosen });
const skips = (...numbers: number[]) => ({ plannedSkips: numbers.map((occurrence) => ({ occurrence, day: '' })) });

/** The first boxes in a line each: day, cycles, items, why nothing is charged. */
function lines(order: Partial<OrderAhead<BoxItem>>, most = 5): string[] {
  const found: string[] = [];
  for (const { instant, cycles, items, skipped } of boxes({ ...weekly, ...order })) {
    const ids = items.map(({ id, skipNext }) => `${id}${skipNext === true ? ' out' : ''}`).join(' ');
    const day = new Date(instant).toISOString().slice(5, 10);
    found.push([day, cycles, ids, skipped].filter((part) => part !== null).join(', '));
    if (found.length === most) break;
  }
  return found;
}

describe('the boxes of an order', () => {
  test.each<[string, Partial<OrderAhead<BoxItem>>, string[]]>([
    ['go on for ever', {}, ['01-08, 5, 1', '01-15, 6, 1', '01-22, 7, 1', '01-29, 8, 1', '02-05, 9, 1']],
    ['are there without items', { items: [] }, ['01-08, 5, ', '01-15, 6, ', '01-22, 7, ', '01-29, 8, ', '02-05, 9, ']],
    ['end with their count', { terms: terms({ maxCycles: 7 }) }, ['01-08, 5, 1', '01-15, 6, 1']],
    ['are none after their count', { terms: terms({ maxCycles: 5 }) }, []],
    ['end with their last day', { terms: terms({ endsUtc: utc('2026-01-15') }) }, ['01-08, 5, 1', '01-15, 6, 1']],
    ['are none after their last day', { terms: terms({ endsUtc: utc('2026-01-07') }) }, []],
    [
      'are passed over as planned, and not counted',
      { terms: terms({ ...skips(2, 4), maxCycles: 8 }) },
      ['01-08, 5, 1', '01-15, 6, 1, Planned', '01-22, 6, 1', '01-29, 7, 1, Planned', '02-05, 7, 1'],
    ],
    [
      'are passed over up to their last day',
      { terms: terms({ ...skips(2, 3), endsUtc: utc('2026-01-20') }) },
      ['01-08, 5, 1', '01-15, 6, 1, Planned'],
    ],
    [
      'lack what is left out for once',
      { items: [item({ id: 1 }), item({ id: 2, skipNext: true })] },
      ['01-08, 5, 1 2 out', '01-15, 6, 1 2', '01-22, 7, 1 2', '01-29, 8, 1 2', '02-05, 9, 1 2'],
    ],
    [
      'are passed over where nothing is left to ship',
      {
        items: [item({ id: 1, skipNext: true }), item({ id: 2 }, { availability: 'SoldOut' })],
        terms: terms({ maxCycles: 7 }),
      },
      ['01-08, 5, 1 out 2, NothingShips', '01-15, 5, 1 2', '01-22, 6, 1 2'],
    ],
    [
      'have an item as often as it is to come',
      { items: [item({ id: 1 }), { ...item({ id: 2 }), remainingCycles: 2 }] },
      ['01-08, 5, 1 2', '01-15, 6, 1 2', '01-22, 7, 1', '01-29, 8, 1', '02-05, 9, 1'],
    ],
    [
      'do not count an item that is left out',
      { items: [item({ id: 1 }), { ...item({ id: 2, skipNext: true }), remainingCycles: 1 }], terms: terms(skips(2)) },
      ['01-08, 5, 1 2 out', '01-15, 6, 1 2, Planned', '01-22, 6, 1 2', '01-29, 7, 1', '02-05, 8, 1'],
    ],
    [
      'end with the last item',
      {
        items: [
          { ...item({ id: 1 }), remainingCycles: 1 },
          { ...item({ id: 2 }), remainingCycles: 2 },
        ],
      },
      ['01-08, 5, 1 2', '01-15, 6, 2'],
    ],
    [
      'go on with what waits for stock',
      {
        items: [
          { ...item({ id: 1 }), remainingCycles: 1 },
          { ...item({ id: 2 }, { stockLevel: '0' }), remainingCycles: 1 },
        ],
        stock: { outOfStock: 'LeaveOut', isCounted: true },
      },
      ['01-08, 5, 1 2', '01-15, 6, 2', '01-22, 7, 2', '01-29, 8, 2', '02-05, 9, 2'],
    ],
    [
      'coalesce what an overdue one has missed, and use up what was planned',
      { now: utc('2026-01-23'), terms: terms(skips(2, 4)) },
      ['01-08, 5, 1', '01-29, 6, 1, Planned', '02-05, 6, 1', '02-12, 7, 1', '02-19, 8, 1'],
    ],
    [
      'are each on time, whatever the present is',
      { calendar: calendar({ blackoutDates: ['2026-01-22'], blackoutShift: 'Earlier', lockHours: 84 }) },
      ['01-08, 5, 1', '01-15, 6, 1', '01-21, 7, 1', '01-29, 8, 1', '02-05, 9, 1'],
    ],
    [
      'begin with another try of one that was due before',
      { first: utc('2026-01-14'), tried: { occurrence: utc('2026-01-08'), replaced: null }, now: utc('2026-01-10') },
      ['01-14, 5, 1', '01-15, 6, 1', '01-22, 7, 1', '01-29, 8, 1', '02-05, 9, 1'],
    ],
    [
      'begin with another try after the last day of one that was due before it',
      {
        first: utc('2026-01-14'),
        tried: { occurrence: utc('2026-01-08'), replaced: null },
        terms: terms({ endsUtc: utc('2026-01-10') }),
      },
      ['01-14, 5, 1'],
    ],
    [
      'do not repeat the one that the first stands for',
      { first: utc('2026-01-07'), anchor: utc('2026-01-07'), replaced: utc('2026-01-14') },
      ['01-07, 5, 1', '01-21, 6, 1', '01-28, 7, 1', '02-04, 8, 1', '02-11, 9, 1'],
    ],
  ])('%s', (_, order, expected) => {
    expect(lines(order)).toEqual(expected);
  });

  it('are numbered from the anchor, but the first', () => {
    const numbers: (number | null)[] = [];
    for (const { number } of boxes({ ...weekly, terms: terms(skips(3)) })) if (numbers.push(number) === 4) break;
    expect(numbers).toEqual([null, 2, 3, 4]);
  });

  it('are priced of one list of items as long as that is the same', () => {
    const lists = new Set<readonly BoxItem[]>();
    let count = 0;
    for (const { items } of boxes({
      ...weekly,
      items: [item({ id: 1 }), { ...item({ id: 2 }), remainingCycles: 2 }],
    })) {
      lists.add(items);
      if (++count === 50) break;
    }
    expect(lists.size).toBe(3);
  });

  it('end with the calendar, and count no further than numbers go', () => {
    const last = { first: utc('9999-12-24'), anchor: utc('9999-12-10'), cycles: Number.MAX_SAFE_INTEGER };
    expect([...boxes({ ...weekly, ...last })].map(({ cycles }) => cycles)).toEqual([last.cycles, last.cycles]);
  });
});
