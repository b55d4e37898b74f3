import { median, spread } from './rounds.mjs';

/** Four significant digits: more are noise. */
const rounded = (value) => Number(value.toPrecision(4));

/** @param {string} mustReach such as `>= 5` or `<= 1.25` */
function holds(value, mustReach) {
  const [, sign, bound] = /^(>=|<=|<) ([\d.]+)$/.exec(mustReach);
  const limit = Number(bound);
  return { '>=': value >= limit, '<=': value <= limit, '<': value < limit }[sign];
}

/**
 * One line of results.json: the median of what the rounds gave, compared with its target; `between`: its spread, the
 * least and the most.
 */
export function result(row, what, values, mustReach, between = spread(values)) {
  if (values.length === 0 || !values.every(Number.isFinite))
    throw new Error(`${what}: ${values} is not a measurement.`);
  const value = rounded(median(values));
  return { row, what, value, spread: between.map(rounded), mustReach, holds: holds(value, mustReach) };
}

/** A figure behind a result: absolute, so only good on this machine. */
export function figure(row, what, values, unit) {
  return { row, what, value: rounded(median(values)), spread: spread(values).map(rounded), unit };
}
