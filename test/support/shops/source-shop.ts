import { authorizeNetPayer, paidByAuthorizeNet, paidByStripe, shopDate, stripePayer } from './moved-shop.js';
import type { SubscriptionCells } from './subscriptions-csv.js';

type Period = 'day' | 'week' | 'month' | 'year';

/** A subscription of the shop that moves, and what the shop would do with it. */
export interface SourceSubscription {
  readonly number: number;
  readonly gateway: 'one' | 'two';
  readonly status: 'active' | 'on-hold' | 'cancelled' | 'expired';
  readonly customer: string;
  readonly card: string;
  /** Each time, as a decimal. */
  readonly total: string;
  /** The next dates on which the shop would charge. */
  readonly dates: readonly Date[];
  readonly cells: SubscriptionCells;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/**
 * WooCommerce's rule, from the date before: what falls on the last day of a month stays on the last day, and what a
 * month lacks moves there.
 */
export function shopDateAfter(date: Date, period: Period, interval: number): Date {
  if (period === 'day' || period === 'week') {
    return new Date(date.getTime() + interval * (period === 'week' ? 7 : 1) * DAY_MS);
  }
  const months = date.getUTCMonth() + interval * (period === 'year' ? 12 : 1);
  const [year, month] = [date.getUTCFullYear() + Math.floor(months / 12), months % 12];
  const wasLast = date.getUTCDate() === daysIn(date.getUTCFullYear(), date.getUTCMonth());
  const day = wasLast ? daysIn(year, month) : Math.min(date.getUTCDate(), daysIn(year, month));
  const next = new Date(date);
  next.setUTCFullYear(year, month, day);
  return next;
}

const SCHEDULES: readonly (readonly [Period, number])[] = [
  ['month', 1],
  ['month', 1],
  ['month', 3],
  ['week', 2],
  ['month', 1],
  ['day', 10],
  ['month', 2],
  ['year', 1],
];

const START_DAYS = [31, 29, 31, 30, 15, 31, 28, 1];
const DATES = 5;

/**
 * A subscription of each kind in turn. The shop turns a 28th, 29th or 30th into the end of the month for good when it
 * once is the last day; an order here keeps its day (docs/moving-in.md). Where the next dates would differ because of
 * that, it starts on a 31st, or its trial is longer.
 */
export function sourceSubscription(number: number, now: Date): SourceSubscription {
  const [period, interval] = SCHEDULES[number % SCHEDULES.length]!;
  const isOnTrial = number % 6 === 0;
  let trialDays = isOnTrial ? 2 + (number % 25) : null;
  let start = startOn(now, START_DAYS[Math.floor(number / 3) % START_DAYS.length]!, number);
  let dates = datesOf(start, period, interval, now, trialDays);
  while (!keepsDay(dates, period)) {
    if (trialDays === null) start = startOn(now, 31, number);
    else trialDays += 1;
    dates = datesOf(start, period, interval, now, trialDays);
  }
  const gateway = number % 2 === 0 ? 'one' : 'two';
  const quantity = 1 + (number % 3);
  const items = quantity * (900 + (number % 97));
  const decimal = (amount: number) => (amount / 100).toFixed(2);
  const total = decimal(items + 400);
  const status =
    number % 10 === 7 ? 'cancelled' : number % 20 === 8 ? 'expired' : number % 20 === 9 ? 'on-hold' : 'active';
  return {
    number,
    gateway,
    status,
    ...(gateway === 'one' ? stripePayer(number) : authorizeNetPayer(number)),
    total,
    dates,
    cells: {
      ...(gateway === 'one' ? paidByStripe(number) : paidByAuthorizeNet(number)),
      subscription_id: String(100_000 + number),
      subscription_status: `wc-${status}`,
      start_date: shopDate(start),
      ...(isOnTrial ? { trial_end_date: shopDate(dates[0]!) } : {}),
      next_payment_date: status === 'cancelled' || status === 'expired' ? '0' : shopDate(dates[0]!),
      billing_period: period,
      billing_interval: String(interval),
      order_total: total,
      order_items: `product_id:12|name:Kaffee|quantity:${quantity}|total:${decimal(items)}|meta:|tax:`,
    },
  };
}

/** Whether a date is the last day of its month only because all are, or the month is too short. */
function keepsDay([first, ...later]: readonly Date[], period: Period): boolean {
  if (period === 'day' || period === 'week') return true;
  const day = first!.getUTCDate() === lastOf(first!) ? 31 : first!.getUTCDate();
  return later.every((date) => date.getUTCDate() === Math.min(day, lastOf(date)));
}

const lastOf = (date: Date) => daysIn(date.getUTCFullYear(), date.getUTCMonth());

/** In the latest month, at least a month ago, that has this day. */
function startOn(now: Date, day: number, number: number): Date {
  for (let months = 1 + (number % 9); ; months += 1) {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - months];
    const first = new Date(Date.UTC(year, month, 1, number % 24, number % 60, number % 59));
    if (daysIn(first.getUTCFullYear(), first.getUTCMonth()) < day) continue;
    first.setUTCDate(day);
    return first;
  }
}

/** Those after tomorrow. `trialDays`: until the end of a trial, from which it counts. */
function datesOf(start: Date, period: Period, interval: number, now: Date, trialDays: number | null): Date[] {
  let date = start;
  if (trialDays !== null) date = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + trialDays * DAY_MS);
  while (date.getTime() < now.getTime() + DAY_MS) date = shopDateAfter(date, period, interval);
  const dates = [date];
  while (dates.length < DATES) dates.push(shopDateAfter(dates.at(-1)!, period, interval));
  return dates;
}
