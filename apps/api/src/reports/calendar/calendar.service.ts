import { Injectable } from '@nestjs/common';
import { csvHead, csvLines } from '#libs/platform';
import { type Caller, Database, type InTurn } from '#libs/records';
import type { DateRange } from '../days.js';
import { nowOfSite } from '../reported-site.js';
import { Turns } from '../turns.js';
import { CalendarDays, type CalendarRow } from './calendar-days.js';
import { Future } from './future.js';
import { addPast } from './past.js';

/** A site and the days that are asked for. */
interface CalendarRequest {
  readonly siteId: number;
  readonly range: DateRange;
  readonly now: Date;
}

const COLUMNS = ['Day', 'CurrencyIso', 'Due', 'AtRisk', 'Processed', 'Failed', 'Skipped', 'Total'];

/** What happened on the days of a site, and what will. */
@Injectable()
export class CalendarService {
  constructor(
    private readonly database: Database,
    private readonly future: Future,
  ) {}

  /** @throws NotFound, Forbidden. */
  begin(caller: Caller, siteId: number): Promise<Date> {
    return nowOfSite(this.database, caller, siteId);
  }

  /** By day and currency; days on which nothing happens are left out. `gone`: nobody waits for it any more. */
  async rows({ siteId, range, now }: CalendarRequest, inTurn: InTurn, gone: AbortSignal): Promise<CalendarRow[]> {
    const days = new CalendarDays();
    const turns = new Turns(inTurn, gone);
    const reads = this.database.forList();
    await turns.read(() => addPast(days, reads, siteId, range));
    await this.future.add(days, reads, { siteId, range, now, turns });
    return days.rows();
  }
}

export const calendarJson = (rows: readonly CalendarRow[]): string =>
  `[${rows.map((row) => `{${COLUMNS.map((name, index) => `"${name}":${jsonCells(row)[index]}`).join(',')}}`).join(',')}]`;

export const calendarCsv = (rows: readonly CalendarRow[]): string => csvHead(COLUMNS) + csvLines(rows.map(jsonCells));

const cells = ({ day, currencyIso, due, atRisk, processed, failed, skipped, total }: CalendarRow): string[] => [
  day,
  currencyIso,
  ...[due, atRisk, processed, failed, skipped, total].map(String),
];

/** Totals may be larger than a number of JavaScript. */
const jsonCells = (row: CalendarRow): string[] =>
  cells(row).map((cell, index) => (index < 2 ? JSON.stringify(cell) : cell));
