import { restMs } from './retry-after.js';

describe('restMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each<[string | undefined, number, string]>([
    ['7', 7_000, 'seconds'],
    ['0', 0, 'at once'],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000, 'a date'],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0, 'a date that has passed'],
    ['999999999', 3_600_000, 'never longer than an hour'],
    ['soon', 1_000, 'nonsense'],
    [undefined, 1_000, 'none'],
  ])('%s is %d ms: %s', (header, expected) => {
    expect(restMs(header, now)).toBe(expected);
  });
});
