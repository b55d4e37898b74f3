import { DAY_MS, dayOf } from '../days.js';

/** One day and currency. */
export interface CalendarDay {
  due: number;
  atRisk: number;
  processed: number;
  failed: number;
  skipped: number;
  /** Minor units. */
  total: bigint;
}

/** A line of the answer. */
export interface CalendarRow extends Readonly<CalendarDay> {
  readonly day: string;
  readonly currencyIso: string;
}

/** What is counted, by day in UTC and currency. */
export class CalendarDays {
  private readonly days = new Map<number, Map<string, CalendarDay>>();

  /** Of a day and currency; the row is there from then on. */
  dayOf(instant: Date, currencyIso: string): CalendarDay {
    const number = Math.floor(instant.getTime() / DAY_MS);
    let currencies = this.days.get(number);
    if (currencies === undefined) {
      currencies = new Map<string, CalendarDay>();
      this.days.set(number, currencies);
    }
    let day = currencies.get(currencyIso);
    if (day === undefined) {
      day = { due: 0, atRisk: 0, processed: 0, failed: 0, skipped: 0, total: 0n };
      currencies.set(currencyIso, day);
    }
    return day;
  }

  /** By day, and by currency within a day. */
  rows(): CalendarRow[] {
    return [...this.days]
      .sort(([one], [other]) => one - other)
      .flatMap(([number, currencies]) =>
        [...currencies]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([currencyIso, day]) => ({ day: dayOf(new Date(number * DAY_MS)), currencyIso, ...day })),
      );
  }
}
