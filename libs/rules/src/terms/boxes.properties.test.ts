import fc from 'fast-check';
import { calendars, DAY, moments, orderRules } from '../../../../test/support/calendars/arbitraries.js';
import { nextByHand } from '../../../../test/support/calendars/by-hand.js';
import { boxes, type BoxItem, nextOccurrence, siteCalendar, upcoming } from '../index.js';
import { lockMs } from '../schedule/schedule.js';
import { item } from '../testing/quotables.js';

const COUNT = 15;
const delays = fc.integer({ min: 0, max: 60 * DAY });

const items: fc.Arbitrary<BoxItem[]> = fc
  .array(
    fc.record({
      remainingCycles: fc.option(fc.integer({ min: 1, max: 4 })),
      skipNext: fc.boolean(),
      availability: fc.constantFrom(null, null, 'SoldOut'),
    }),
    { maxLength: 4 },
  )
  .map((some) =>
    some.map(({ availability, ...terms }, index) => ({ ...item({ id: index + 1 }, { availability }), ...terms })),
  );

const limits = fc.record({
  maxCycles: fc.option(fc.integer({ min: 1, max: 10 })),
  endsAfterMs: fc.option(fc.integer({ min: 0, max: 200 * DAY })),
  skips: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
});

function* firstOf<T>(some: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const one of some) {
    yield one;
    if (--left === 0) return;
  }
}

/** A line of what is seen of a box. */
const seen = (instant: number, cycles: number, ids: (number | null)[], skipped: string | null) =>
  `${new Date(instant).toISOString()} ${cycles} [${ids.join(' ')}] ${skipped}`;

describe('the boxes of an order', () => {
  it('without terms have the dates that Upcoming has', () => {
    fc.assert(
      fc.property(orderRules, moments, delays, fc.option(delays), delays, (rule, anchor, due, replacing, held) => {
        const at = (ms: number) => new Date(anchor.getTime() + ms);
        const replaced = replacing === null ? null : at(replacing);
        const ahead = { rule, anchor, first: at(due), replaced, now: at(held) };
        const found = [...firstOf(boxes({ ...ahead, cycles: 0, items: [item({})] }), COUNT)];
        expect(found.map(({ instant }) => new Date(instant))).toEqual(upcoming({ ...ahead, count: COUNT }));
      }),
      { numRuns: 200 },
    );
  });

  it('are those that a person packs', () => {
    fc.assert(
      fc.property(
        orderRules,
        moments,
        calendars,
        limits,
        items,
        fc.nat(4),
        (rule, anchor, chosen, limit, has, cycles) => {
          const calendar = siteCalendar(chosen);
          const first = nextOccurrence(rule, anchor, anchor, calendar);
          const { maxCycles, endsAfterMs, skips } = limit;
          const endsUtc = endsAfterMs === null ? null : new Date(anchor.getTime() + endsAfterMs);
          const plannedSkips = skips.sort((one, other) => one - other).map((occurrence) => ({ occurrence, day: '' }));
          const order = { rule, anchor, first, replaced: null, now: anchor, calendar, cycles, items: has };
          const found = firstOf(boxes({ ...order, terms: { maxCycles, endsUtc, plannedSkips } }), COUNT);
          const expected = firstOf(packed(), COUNT);
          expect([...found].map((box) => seen(box.instant, box.cycles, idsIn(box), box.skipped))).toEqual([
            ...expected,
          ]);

          function* packed(): Generator<string> {
            const end = endsUtc?.getTime() ?? Infinity;
            const left = has.map((one) => ({ ...one }));
            let [done, instant, number, now] = [cycles, first.getTime(), -1, 0];
            for (let isFirst = true; instant <= end && done < (maxCycles ?? Infinity); isFirst = false) {
              if (!isFirst && skips.includes(number))
                yield seen(
                  instant,
                  done,
                  left.filter(isThere).map(({ id }) => id),
                  'Planned',
                );
              else {
                const box = left.filter((one) => isThere(one) && one.skipNext !== true);
                const isNothing = box.length === 0 && left.some(({ skipNext }) => skipNext);
                yield seen(
                  instant,
                  done,
                  box.map(({ id }) => id),
                  isNothing ? 'NothingShips' : null,
                );
                now = instant;
                for (const one of left) one.skipNext = false;
                if (!isNothing) done++;
                for (const one of isNothing ? [] : box) if (one.remainingCycles != null) one.remainingCycles--;
                const had = left.length;
                for (const one of box) if (one.remainingCycles === 0) left.splice(left.indexOf(one), 1);
                if (had > 0 && left.length === 0) return;
              }
              // What is planned is passed over as soon as the occurrence before it has been processed.
              const taken = { occurrence: instant, replaced: null, now, lockMs: lockMs(rule, calendar) };
              const next = nextByHand(rule, anchor.getTime(), chosen, taken);
              [instant, number] = [next.instant, next.number];
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

const isThere = ({ product }: BoxItem) => product.availability === null;

const idsIn = ({ items: inside }: { readonly items: readonly BoxItem[] }) =>
  inside.filter((one) => isThere(one) && one.skipNext !== true).map(({ id }) => id);
