import { addDays, addMonths } from '../../instants.ts';

/** Monday 0, Sunday 6. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The Mondays of the weeks of a month: `2026-03` → `2026-02-23`, … */
export function weeksOf(month: string): readonly string[] {
  const [first, end] = [`${month}-01`, `${addMonths(month, 1)}-01`];
  const weeks: string[] = [];
  for (let monday = addDays(first, -weekdayOf(first)); monday < end; monday = addDays(monday, 7)) weeks.push(monday);
  return weeks;
}
