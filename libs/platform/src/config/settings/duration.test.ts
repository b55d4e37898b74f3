import { durationMs, durationText } from './duration.js';

it.each([
  ['PT30S', 30_000],
  ['PT0.25S', 250],
  ['PT0,5S', 500],
  ['P1D', 86_400_000],
  ['P2W', 1_209_600_000],
  ['P1DT2H3M4.005S', 93_784_005],
  ['PT0S', 0],
])('%s is %d ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

it.each(['', 'P', 'PT', 'P1DT', '30', 'PT1.5H', 'P-1D', 'PT5', '1D', 'PT1S ', 'p1d', 'PT1S1M'])(
  'refuses "%s"',
  (text) => {
    expect(() => durationMs(text)).toThrow('is no ISO 8601 duration such as PT30S or P1D');
  },
);

it.each(['P1M', 'P1Y', 'P1Y2M3D'])('refuses %s, which has no fixed length', (text) => {
  expect(() => durationMs(text)).toThrow('has years or months, which have no fixed length: write days');
});

it.each([
  [0, 'PT0S'],
  [250, 'PT0.25S'],
  [90_000, 'PT1M30S'],
  [86_400_000, 'P1D'],
  [93_784_005, 'P1DT2H3M4.005S'],
])('%d ms is written %s, and read back', (ms, text) => {
  expect(durationText(ms)).toBe(text);
  expect(durationMs(text)).toBe(ms);
});
