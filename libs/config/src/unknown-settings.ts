/** Names that begin like this are surely meant for us; Kubernetes' service links (GATEWAY_SERVICE_HOST …) are not. */
const OUR_PREFIXES = ['CLAIM_', 'PROCESSOR_', 'GATEWAY_', 'PAYMENT_RETRY_', 'TECHNICAL_RETRY_', 'RATE_LIMIT_'];
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/** Edits that turn one word into the other: insertions, deletions, replacements, and swapped neighbours (Damerau). */
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

function nearest(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  return known
    .map((candidate) => ({ candidate, distance: editDistance(upper, candidate) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 8 ? 1 : 2))
    .sort((left, right) => left.distance - right.distance)[0]?.candidate;
}

/**
 * Warnings for names that look like settings of ours and are none: misspelt ones, and ones with our prefixes.
 * Everything else in an environment belongs to other programs.
 */
export function unknownSettings(names: readonly string[], known: readonly string[]): string[] {
  const warnings: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    if (meant !== undefined) warnings.push(`${name} is no setting; did you mean ${meant}?`);
    else if (OUR_PREFIXES.some((prefix) => name.startsWith(prefix)) && !SERVICE_LINK.test(name)) {
      warnings.push(`${name} is no setting; see docs/settings.md for those there are`);
    }
  }
  return warnings;
}
