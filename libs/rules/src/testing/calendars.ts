import { type CalendarSettings, siteCalendar } from '../index.js';

/** Nothing said. A test overrides what it is about. */
export const settings = (chosen: Partial<CalendarSettings>): CalendarSettings => ({
  timeZone: null,
  processAt: null,
  blackoutWeekdays: [],
  blackoutDates: [],
  blackoutShift: null,
  lockHours: null,
  ...chosen,
});

export const calendar = (chosen: Partial<CalendarSettings>) => siteCalendar(settings(chosen));
