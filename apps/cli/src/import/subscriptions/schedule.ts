import { frequencyFault, type FrequencyRule } from '#libs/rules';
import { RowFault } from '../row-fault.js';

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
 * The instant to count occurrences from, so that the next one is `next`, and a 31st that February made a 28th is a 31st again afterwards.
 * @param days instants whose day of the month the subscription may follow, the most likely one first: its start, the end of its trial.
 */
export function anchorOf({ frequencyType, frequency }: FrequencyRule, days: readonly Date[], next: Date): Date {
  if (frequencyType !== 'Months') return next;
  const month = next.getUTCFullYear() * 12 + next.getUTCMonth();
  if (next.getUTCDate() !== lastDay(month)) return next;
  const day = days.map((date) => date.getUTCDate()).find((one) => one >= next.getUTCDate());
  if (day === undefined) return next;
  for (let step = 0; step <= STEPS_BACK; step++) {
    const earlier = month - step * frequency;
    if (lastDay(earlier) < day) continue;
    const anchor = new Date(next);
    anchor.setUTCFullYear(Math.floor(earlier / 12), earlier % 12, day);
    return anchor;
  }
  return next;
}
