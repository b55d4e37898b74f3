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

const DAY_MS = 86_400_000;

/** `2026-01-31` and 1 → `2026-02-01`: days in UTC have 24 hours. */
export const addDays = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(day) + days * DAY_MS).toISOString());

/** `2026-01` and 1 → `2026-02`. */
export function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** `2026-03` → `Mar 2026`. */
export const monthText = (month: string): string => dayText(`${month}-01`).split(' ').slice(2).join(' ');
