import { DAYS } from './dates.js';
import { planJoinings } from './orders.js';
import { PEOPLE } from './people.js';
import { OVERRIDES, PLOTS } from './plots.js';
import { story } from './story.js';

const joinings = planJoinings(OVERRIDES);
const YEAR_MS = DAYS * 86_400_000;

it('is the same every time', () => {
  const moments = () => story().map(({ afterMs, steps }) => [afterMs, steps.length]);
  expect(moments()).toEqual(moments());
  expect(planJoinings(OVERRIDES)).toEqual(joinings);
});

it('has 40 customers with three orders each, numbered in the order in which they are made', () => {
  expect(new Set(PEOPLE.map(({ email }) => email)).size).toBe(40);
  for (const { person, day, orders } of joinings) {
    expect(orders.map(({ name }) => name)).toEqual([1, 2, 3].map((number) => `${person.externalId}/${number}`));
    const days = [day, ...orders.map((order) => order.day)];
    expect([person.externalId, days]).toEqual([person.externalId, days.toSorted((one, other) => one - other)]);
  }
});

it('begins with the first customer, whose date tells when the year began', () => {
  expect([joinings[0]!.day, story()[0]!.afterMs]).toEqual([0, 0]);
});

it('ends within the year, one instant after the other', () => {
  const times = story().map(({ afterMs }) => afterMs);
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
  expect(times.at(-1)).toBeLessThan(YEAR_MS);
  expect(PLOTS.length).toBeGreaterThan(50);
});

it('overrides orders that there are', () => {
  const names: readonly string[] = joinings.flatMap(({ orders }) => orders.map(({ name }) => name));
  expect(Object.keys(OVERRIDES).filter((name) => !names.includes(name))).toEqual([]);
});

it('has orders of every type of frequency', () => {
  const types = new Set(joinings.flatMap(({ orders }) => orders.map(({ frequency }) => frequency[0])));
  expect([...types].sort()).toEqual(['DayOfTheMonth', 'DayOfTheWeek', 'Days', 'Months', 'Weeks']);
});
