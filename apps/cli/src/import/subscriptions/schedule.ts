import { frequencyFault, type FrequencyRule } from '#libs/rules';
import { RowFault } from '../cells.js';

/** What WooCommerce's periods are here: a year is twelve months. */
const PERIODS: Readonly<Record<string, { readonly type: FrequencyRule['frequencyType']; readonly times: number }>> = {
  day: { type: 'Days', times: 1 },
  week: { type: 'Weeks', times: 1 },
  month: { type: 'Months', times: 1 },
  year: { type: 'Months', times: 12 },
};

/** @throws RowFault for a period or interval that the contract has not. */
export function ruleOf(period: string, interval: string): FrequencyRule {
  const known = PERIODS[period.toLowerCase()];
  if (known === undefined) throw new RowFault(`billing_period "${period}" must be day, week, month or year`);
  if (!/^\d{0,6}$/.test(interval)) throw new RowFault(`billing_interval "${interval}" is not a whole number`);
  const rule = { frequencyType: known.type, frequency: Number(interval || '1') * known.times };
  const fault = frequencyFault(rule.frequencyType, rule.frequency);
  if (fault !== null) throw new RowFault(`billing_interval "${interval}" of ${period}s: ${fault.replace(/\.$/, '')}`);
  return rule;
}

/** Twelve steps pass every month; a 29 February comes within eight years. */
const STEPS_BACK = 12;

/** The last day of the month that is `months` after January of year 0. */
const lastDay = (months: number) => new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();

/**
 * The instant to count occurrences from, so that the next one is `next`. WooCommerce keeps what falls on the last day
 * of a month on the last day (`wcs_add_months`), whatever day the subscription began on: a 28 February is a 31 March
 * next. So the anchor is the longest month's last day.
 */
export function anchorOf({ frequencyType, frequency }: FrequencyRule, next: Date): Date {
  if (frequencyType !== 'Months') return next;
  const month = next.getUTCFullYear() * 12 + next.getUTCMonth();
  if (next.getUTCDate() !== lastDay(month)) return next;
  const months = Array.from({ length: STEPS_BACK + 1 }, (_, step) => month - step * frequency);
  const longest = months.reduce((best, one) => (lastDay(one) > lastDay(best) ? one : best));
  const anchor = new Date(next);
  anchor.setUTCFullYear(Math.floor(longest / 12), longest % 12, lastDay(longest));
  return anchor;
}

/** Enough steps to meet a February of 28 days, where they meet February at all. */
const STEPS_AHEAD = 48;

/**
 * Whether WooCommerce will move an order of every `frequency` months to the last day of the month for good, where an
 * order here keeps its day: a 28th, 29th or 30th that is the last day of a later month, or that the month lacks.
 */
export function keepsOtherDay(frequency: number, next: Date): boolean {
  const month = next.getUTCFullYear() * 12 + next.getUTCMonth();
  const day = next.getUTCDate();
  if (day === lastDay(month)) return false;
  return Array.from({ length: STEPS_AHEAD }, (_, step) => month + (step + 1) * frequency).some(
    (later) => lastDay(later) <= day,
  );
}
