import type { LeasedCycle } from './cycle.js';
import type { Recorded } from './record/recorded.js';

export const isReal = ({ presentUtc }: LeasedCycle): boolean => presentUtc === null;
const isOfReal = ({ cycle }: { readonly cycle: LeasedCycle }): boolean => isReal(cycle);

/** What was recorded of real sites, whose next dates are of the real clock. */
export function onlyReal(
  recorded: Recorded,
  cycles: readonly LeasedCycle[],
): { readonly recorded: Recorded; readonly cycles: readonly LeasedCycle[] } {
  if (cycles.every(isReal)) return { recorded, cycles };
  return {
    recorded: {
      completed: recorded.completed.filter(isOfReal),
      confirmed: recorded.confirmed.filter(isReal),
      failed: recorded.failed.filter(isOfReal),
      lost: recorded.lost.filter(isReal),
    },
    cycles: cycles.filter(isReal),
  };
}
