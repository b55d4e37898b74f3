import { addPeriod, isPeriod } from './period.js';

describe('addPeriod', () => {
  it.each([
    ['2024-01-31T09:00:00.000Z', 'P1M', '2024-02-29T09:00:00.000Z', 'clamped to the last day of February'],
    ['2024-02-29T09:00:00.000Z', 'P1Y', '2025-02-28T09:00:00.000Z', 'clamped in a year that is no leap year'],
    ['2024-11-30T23:59:59.999Z', 'P3M', '2025-02-28T23:59:59.999Z', 'over the end of a year'],
    ['2024-01-31T09:00:00.000Z', 'P1M1D', '2024-03-01T09:00:00.000Z', 'months first, then days'],
    ['2024-01-01T00:00:00.000Z', 'P10D', '2024-01-11T00:00:00.000Z', 'days'],
    ['2024-01-01T00:00:00.000Z', 'P2WT1H30M5S', '2024-01-15T01:30:05.000Z', 'weeks and a time'],
    ['2024-01-01T00:00:00.000Z', 'P0D', '2024-01-01T00:00:00.000Z', 'nothing'],
    ['9999-12-30T00:00:00.000Z', 'P1D', '9999-12-31T00:00:00.000Z', 'the last day'],
  ])('%s and %s are %s: %s', (from, period, to) => {
    expect(addPeriod(new Date(from), period, 'By').toISOString()).toBe(to);
  });

  it.each(['P1D', 'P1M', 'P9999Y', 'PT86400S'])('refuses %s when it leads beyond the year 9999', (period) => {
    expect(() => addPeriod(new Date('9999-12-31T09:00:00.000Z'), period, 'By')).toThrow('is beyond the year 9999.');
  });

  it.each(['P', 'PT', '', '3 months', 'P-1D', 'P1.5M', '-P1D', 'P1H', 'p1d'])('refuses "%s"', (text) => {
    expect(isPeriod(text)).toBe(false);
    expect(() => addPeriod(new Date(0), text, 'By')).toThrow('must be an ISO 8601 duration such as P3M, P10D or PT1H.');
  });
});
