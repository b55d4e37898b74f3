import { median } from './rounds.mjs';

const RESAMPLES = 10_000;

/** The same figures for the same values: a linear congruential generator (Numerical Recipes) with a fixed seed. */
function generator() {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The interval that holds the median with a probability of 95 %, by bootstrap. */
export function intervalOfMedian(values) {
  const random = generator();
  const resample = () => median(values.map(() => values[random(values.length)]));
  const medians = Array.from({ length: RESAMPLES }, resample).sort((a, b) => a - b);
  return [medians[Math.floor(RESAMPLES * 0.025)], medians[Math.ceil(RESAMPLES * 0.975) - 1]];
}
