import { isTimeZone, zoneOf } from './zone.js';

const ms = (text: string) => Date.parse(text.endsWith('Z') ? text : `${text}Z`);
const shown = (instant: number) => new Date(instant).toISOString().replace('.000Z', '');

/** The last second before a change of clocks and the first one after it, as `zdump -v` lists them. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-29T00:59:59', '2026-03-29T01:59:59', '2026-03-29T03:00:00'],
  ['Europe/Berlin', '2026-10-25T00:59:59', '2026-10-25T02:59:59', '2026-10-25T02:00:00'],
  ['America/New_York', '2026-03-08T06:59:59', '2026-03-08T01:59:59', '2026-03-08T03:00:00'],
  ['America/New_York', '2026-11-01T05:59:59', '2026-11-01T01:59:59', '2026-11-01T01:00:00'],
  ['Australia/Lord_Howe', '2026-04-04T14:59:59', '2026-04-05T01:59:59', '2026-04-05T01:30:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:59', '2026-10-04T01:59:59', '2026-10-04T02:30:00'],
  ['America/Nuuk', '2026-03-29T00:59:59', '2026-03-28T22:59:59', '2026-03-29T00:00:00'],
  ['America/Nuuk', '2026-10-25T00:59:59', '2026-10-24T23:59:59', '2026-10-24T23:00:00'],
  ['Antarctica/Troll', '2026-03-29T00:59:59', '2026-03-29T00:59:59', '2026-03-29T03:00:00'],
  ['Antarctica/Troll', '2026-10-25T00:59:59', '2026-10-25T02:59:59', '2026-10-25T01:00:00'],
  ['Africa/Casablanca', '2025-02-23T01:59:59', '2025-02-23T02:59:59', '2025-02-23T02:00:00'],
  ['Africa/Casablanca', '2025-04-06T01:59:59', '2025-04-06T01:59:59', '2025-04-06T03:00:00'],
  ['Africa/Cairo', '2024-04-25T21:59:59', '2024-04-25T23:59:59', '2024-04-26T01:00:00'],
  ['Africa/Cairo', '2024-10-31T20:59:59', '2024-10-31T23:59:59', '2024-10-31T23:00:00'],
  ['America/Sao_Paulo', '2018-02-18T01:59:59', '2018-02-17T23:59:59', '2018-02-17T23:00:00'],
  ['America/Sao_Paulo', '2018-11-04T02:59:59', '2018-11-03T23:59:59', '2018-11-04T01:00:00'],
  ['Pacific/Apia', '2011-12-30T09:59:59', '2011-12-29T23:59:59', '2011-12-31T00:00:00'],
] as const;

describe('the clocks of a place', () => {
  test.each(CHANGES)('%s after %s go on from %s to %s', (name, last, before, after) => {
    const zone = zoneOf(name);
    expect([ms(last), ms(last) + 1_000].map((instant) => shown(zone.civilAt(instant)))).toEqual([before, after]);
  });

  test.each(CHANGES)(
    '%s after %s: what is left out is the first instant after it, what comes twice its first',
    (...row) => {
      const [name, last, before, after] = row;
      const [zone, change, left] = [zoneOf(name), ms(last) + 1_000, ms(before) + 1_000];
      if (left < ms(after)) {
        const leftOut = [left, (left + ms(after)) / 2, ms(after) - 1_000, ms(after)];
        expect(leftOut.map((civil) => zone.instantAt(civil))).toEqual(leftOut.map(() => change));
      } else {
        const twice = [ms(after), (left + ms(after)) / 2, left - 1_000];
        expect(twice.map((civil) => zone.instantAt(civil))).toEqual(twice.map((civil) => change - left + civil));
        expect(zone.instantAt(left)).toBe(change + left - ms(after));
      }
      expect(zone.instantAt(ms(before) - 3_600_000 * 4)).toBe(ms(last) - 3_600_000 * 4);
    },
  );

  test.each([
    ['UTC', '2026-07-01T12:00:00'],
    ['Etc/UTC', '2026-07-01T12:00:00'],
    ['europe/berlin', '2026-07-01T14:00:00'],
    ['America/St_Johns', '2026-07-01T09:30:00'],
    ['Asia/Kathmandu', '2026-07-01T17:45:00'],
    ['Etc/GMT+5', '2026-07-01T07:00:00'],
  ])('in %s show %s at noon of a day in UTC', (name, expected) => {
    const [zone, noon] = [zoneOf(name), ms('2026-07-01T12:00:00')];
    expect(shown(zone.civilAt(noon))).toBe(expected);
    expect(zone.instantAt(ms(expected))).toBe(noon);
  });

  it('count seconds where an offset has them', () => {
    expect(shown(zoneOf('America/New_York').civilAt(ms('1850-01-01T12:00:00')))).toBe('1850-01-01T07:03:58');
  });

  it('go on before and after the years that they are asked for', () => {
    const zone = zoneOf('America/New_York');
    expect(shown(zone.civilAt(ms('0050-01-01T12:00:00')))).toBe('0050-01-01T07:03:58');
    expect(zone.civilAt(8.64e15 - 1e9)).toBe(8.64e15 - 1e9 - 5 * 3_600_000);
    expect(zone.instantAt(-8.64e15)).toBe(-8.64e15 + (4 * 60 + 56) * 60_000 + 2_000);
  });

  it('are the same for one place, however it is written and however far is looked', () => {
    const zone = zoneOf('Europe/Berlin');
    expect(zoneOf('EUROPE/berlin')).toBe(zone);
    const noons = Array.from({ length: 5_000 }, (_, day) => zone.civilAt(ms('2026-01-01T12:00:00') + day * 86_400_000));
    expect(noons.map((civil) => civil % 86_400_000).filter((time) => time === 13 * 3_600_000).length).toBe(2_047);
    expect(shown(zone.civilAt(ms('2026-01-01T12:00:00')))).toBe('2026-01-01T13:00:00');
  });
});

test.each([
  ['Europe/Berlin', true],
  ['europe/berlin', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['Berlin', false],
  ['+01:00', false],
  ['01:00', false],
  ['', false],
  ['Europe/Berlin ', false],
])('%p is a time zone: %p', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

it('knows no clocks of another place', () => {
  expect(() => zoneOf('Europe/Atlantis')).toThrow(RangeError);
});
