import { randomInt } from 'node:crypto';

/** Of `npm test`: every run makes the same data. */
const FIXED = 20_260_516;

/**
 * The seed of all that tests leave to chance is in SEED, for all processes of a run. `SEED=random` draws one,
 * `SEED=<number>` repeats an earlier run.
 * @returns whether it was drawn.
 */
export function drawSeed() {
  const given = process.env.SEED || String(FIXED);
  const isDrawn = given === 'random';
  if (!isDrawn && !(/^\d+$/.test(given) && Number(given) < 2 ** 31))
    throw new RangeError(`SEED is "${given}": it must be "random" or a whole number below 2147483648.`);
  process.env.SEED = isDrawn ? String(randomInt(2 ** 31)) : given;
  return isDrawn;
}
