import type { SqlExecutor } from '#libs/platform';
import { chargedMinorUnits } from '#libs/rules';
import type { DateRange } from '../days.js';
import type { CalendarDays } from './calendar-days.js';
import { PAST } from './past.sql.js';

interface Row {
  readonly day: Date;
  readonly currencyIso: string;
  readonly processed: number;
  /** A decimal of its currency. */
  readonly charged: string;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Adds what happened on a site: from the Orders and the ledger, its archive included. It is planned for each site and
 * range.
 */
export async function addPast(
  days: CalendarDays,
  database: SqlExecutor,
  siteId: number,
  { from, to }: DateRange,
): Promise<void> {
  const rows = await database.execute<Row>(PAST, [siteId, from, to]);
  for (const { day, currencyIso, processed, charged, failed, skipped } of rows) {
    const counted = days.dayOf(day, currencyIso);
    counted.processed += processed;
    counted.failed += failed;
    counted.skipped += skipped;
    counted.total += chargedMinorUnits(charged, currencyIso);
  }
}
