/** `2026-03-01T10:00:00.000Z` → `2026-03-01`. */
export const dayOf = (instant: string): string => new Date(instant).toISOString().slice(0, 10);

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun 1 Mar 2026`: a day in UTC. */
export function dayText(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  const name = MONTHS[date.getUTCMonth()];
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${name} ${date.getUTCFullYear()}`;
}

/** `1 Mar 2026, 10:00 UTC`. */
export function instantText(instant: string): string {
  const written = new Date(instant).toISOString();
  return `${dayText(written.slice(0, 10)).slice(4)}, ${written.slice(11, 16)} UTC`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `in 3 days`, `2 hours ago`, `now`: how far an instant is from another, in the largest unit that fits. */
export function distanceText(instant: string, from: string): string {
  const ms = Date.parse(instant) - Date.parse(from);
  const [unit, unitMs] = UNITS.find(([, size]) => Math.abs(ms) >= size) ?? ['', 0];
  if (unit === '') return 'now';
  const count = Math.round(Math.abs(ms) / unitMs);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return ms < 0 ? `${words} ago` : `in ${words}`;
}
