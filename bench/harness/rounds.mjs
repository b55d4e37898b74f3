/** The middle one; of an even number the mean of the two middle ones. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const spread = (values) => [Math.min(...values), Math.max(...values)];

/** Reads from what `interleave` gave one number of all rounds of a contender. */
export const valuesIn = (measured) => (name, what) => measured[name].map((measurement) => measurement[what]);

/**
 * Measures contenders in turn, round after round, the first of a round rotating. So everything the machine does in the
 * meantime affects all.
 * @param {Record<string, (round: number) => Promise<T>>} contenders
 * @returns {Promise<Record<string, T[]>>} per contender, by round
 * @template T
 */
export async function interleave(contenders, rounds, onRound = () => undefined) {
  const names = Object.keys(contenders);
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length];
      const measurement = await contenders[name](round);
      measured[name].push(measurement);
      onRound(round, name, measurement);
    }
  }
  return measured;
}

/** Of numbers, or of each number of what has several. */
const middle = (all) =>
  typeof all[0] === 'number'
    ? median(all)
    : Object.fromEntries(Object.keys(all[0]).map((name) => [name, median(all.map((one) => one[name]))]));

/**
 * The same for what is short: a round has several passes, of which the median counts. The contenders take turns pass by
 * pass.
 * @param {Record<string, () => Promise<T>>} contenders
 * @returns {Promise<Record<string, T[]>>} per contender, by round
 * @template {number | Record<string, number>} T
 */
export async function interleavePasses(contenders, rounds, passes, onPass = () => undefined) {
  const measured = await interleave(contenders, rounds * passes, (pass, name, measurement) =>
    onPass(Math.floor(pass / passes), name, measurement),
  );
  const ofRound = (all, round) => middle(all.slice(round * passes, (round + 1) * passes));
  return Object.fromEntries(
    Object.entries(measured).map(([name, all]) => [
      name,
      Array.from({ length: rounds }, (_, round) => ofRound(all, round)),
    ]),
  );
}

/** Ratios of what was measured in the same round. */
export const ratios = (over, under) => over.map((value, round) => value / under[round]);
