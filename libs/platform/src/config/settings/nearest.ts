/**
 * The number of edits that turn one word into the other: insertions, deletions, replacements and swapped neighbours
 * (Damerau).
 */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        best = Math.min(best, beforePrevious[column - 2]! + 1);
      }
      current.push(best);
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[right.length]!;
}

/** The known name that is nearest to a misspelt one, ignoring case; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  return known
    .map((candidate) => ({ candidate, distance: editDistance(upper, candidate.toUpperCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 8 ? 1 : 2))
    .sort((left, right) => left.distance - right.distance)[0]?.candidate;
}
