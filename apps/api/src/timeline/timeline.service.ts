import { Injectable } from '@nestjs/common';
import { type Caller, Database } from '#libs/records';
import { TIMELINE_KINDS, type TimelineKind } from '../contract/insight/timeline.dto.js';
import { ScheduledOrdersService } from '../scheduled-orders/scheduled-orders.service.js';
import type { TimelineCursor } from './cursor.js';
import { compare, isAfter, type Place, type TimelineEntry, timeOf, uuidFrom } from './entry.js';
import { type FoundEntry, type LoggedChange, shownEntry } from './shown-entry.js';
import { CHANGES, readEntries, readEntriesForCustomers } from './timeline.sql.js';

/** How far back logs are looked through at first, and then: PostgreSQL plans for every month that it may read. */
const MONTHS = [3, 24];
const DAY_MS = 86_400_000;

/** A part of a timeline, and where to go on when there is more. */
export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  readonly next: TimelineCursor | null;
}

/** What of a timeline is read. */
interface Part {
  readonly orderId: number;
  readonly cursor: TimelineCursor | null;
  readonly most: number;
  readonly isForCustomer: boolean;
}

/** What happened to one scheduled order, newest first, from all that was recorded of it. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly orders: ScheduledOrdersService,
    private readonly database: Database,
  ) {}

  /**
   * Reads entries of each kind by its index, never more than a page has.
   * @throws NotFound. A deleted order is there for merchants only. Forbidden.
   */
  async page(caller: Caller, orderId: number, limit: number, cursor: TimelineCursor | null): Promise<TimelinePage> {
    const isForCustomer = caller.customerId !== null;
    const begins = await this.begins(caller, orderId);
    const part = { orderId, cursor, most: limit + 1, isForCustomer };
    const { found, cycles } = await this.newest(part, begins.getTime());
    const shown = found.slice(0, limit);
    const entries = await this.shown(part, shown);
    if (found.length <= limit) return { entries, next: null };
    const cycle = cycles.find((one) => !shown.includes(one));
    const last = oldest(cursor === null ? shown : [cursor.last, ...shown]);
    return { entries, next: { orderId, last, cycle: cycle === undefined ? 0 : Number(cycle.id) } };
  }

  /** Before any entry of the order, whatever the clocks said. */
  private async begins(caller: Caller, orderId: number): Promise<Date> {
    const isDeletedToo = caller.customerId === null;
    const name = isDeletedToo ? 'timelineEvenDeleted' : 'timeline';
    const columns = `x.created_utc - interval '1 month' AS begins_utc`;
    const row = await this.orders.selectOne<{ beginsUtc: Date }>(caller, orderId, { name, columns, isDeletedToo });
    return row.beginsUtc;
  }

  /** By the clock of this process: where that is wrong, the answer is the same, and takes another look. */
  private async newest(part: Part, beginsMs: number): Promise<{ found: FoundEntry[]; cycles: FoundEntry[] }> {
    const fromMs = part.cursor?.last.atMs ?? Date.now();
    for (const months of MONTHS) {
      const sinceMs = monthsBefore(fromMs, months);
      if (sinceMs <= beginsMs) break;
      const looked = await this.look(part, sinceMs);
      if (looked.found.length === part.most) return looked;
    }
    return this.look(part, null, beginsMs);
  }

  /** The newest entries since an instant; null: all that there are. */
  private async look(part: Part, sinceMs: number | null, beginsMs = 0) {
    const { orderId, cursor, most, isForCustomer } = part;
    const last = cursor?.last ?? null;
    // An entry's id has the time at which it was written, and its partition the time at which its transaction began.
    const named = {
      orderId,
      most,
      sinceId: uuidFrom(sinceMs ?? 0),
      fromUtc: new Date(sinceMs === null ? beginsMs : sinceMs - DAY_MS),
      toUtc: last === null ? FOREVER : new Date(last.atMs + DAY_MS),
      beforeAction: idBefore('Action', last),
      beforeEvent: idBefore('Event', last),
      upToCycle: cursor === null ? Number.MAX_SAFE_INTEGER : cursor.cycle,
    };
    const [delivery, difference] = [rowBefore('Delivery', last), rowBefore('Difference', last)];
    const push = rowBefore('Push', last);
    const rows = await (isForCustomer
      ? readEntriesForCustomers(this.database, named)
      : readEntries(this.database, {
          beforeError: idBefore('Error', last),
          beforeDeliveryUtc: delivery.utc,
          beforeDeliveryId: delivery.id,
          beforeDifferenceUtc: difference.utc,
          beforeDifferenceId: difference.id,
          beforePushUtc: push.utc,
          beforePushCycle: push.id,
          ...named,
        }));
    const found = rows.map(({ atMs: at, shownMs, ...row }) => {
      const atMs = at ?? timeOf(row.id);
      return { ...row, atMs, shownMs: shownMs ?? atMs } as FoundEntry;
    });
    const kinds = TIMELINE_KINDS.map((kind) => found.filter((entry) => entry.kind === kind).sort(newestFirst(kind)));
    const cycles = kinds[TIMELINE_KINDS.indexOf('Cycle')]!;
    return { found: merged(kinds, most, sinceMs ?? -Infinity), cycles };
  }

  private async shown({ orderId, isForCustomer }: Part, found: readonly FoundEntry[]): Promise<TimelineEntry[]> {
    const actions = found.filter(({ kind }) => kind === 'Action');
    const changes = actions.length === 0 ? new Map<string, LoggedChange>() : await this.changes(orderId, actions);
    return found.map((entry) => shownEntry(entry, changes.get(entry.id), isForCustomer));
  }

  /** @param actions newest first. */
  private async changes(orderId: number, actions: readonly FoundEntry[]): Promise<Map<string, LoggedChange>> {
    const from = new Date(actions.at(-1)!.atMs - DAY_MS);
    const to = new Date(actions[0]!.atMs + DAY_MS);
    const ids = actions.map(({ id }) => id);
    const rows = await this.database.execute<LoggedChange & { id: string }>(CHANGES, [orderId, ids, from, to]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Cycles are in order of their numbers, as they are read. */
const newestFirst = (kind: TimelineKind) => (one: FoundEntry, other: FoundEntry) =>
  kind === 'Cycle' ? Number(other.id) - Number(one.id) : compare(other, one);

/**
 * The newest of the entries; those of each kind keep their order, so that a page ends at one place of each kind.
 * @param sinceMs nothing before it is complete.
 */
function merged(kinds: readonly (readonly FoundEntry[])[], most: number, sinceMs: number): FoundEntry[] {
  const result: FoundEntry[] = [];
  const taken = kinds.map(() => 0);
  while (result.length < most) {
    let newest = -1;
    for (const [index, entries] of kinds.entries()) {
      const entry = entries[taken[index]!];
      if (entry !== undefined && (newest < 0 || compare(entry, kinds[newest]![taken[newest]!]!) > 0)) newest = index;
    }
    if (newest < 0) break;
    const entry = kinds[newest]![taken[newest]!]!;
    if (entry.atMs < sinceMs) break;
    taken[newest]!++;
    result.push(entry);
  }
  return result;
}

/** Not always the one that was shown last: the times of cycles may be in another order than their numbers. */
const oldest = (places: readonly Place[]): Place =>
  places.reduce((one, other) => (compare(one, other) < 0 ? one : other));

function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months);
}

/** All entries of a log that are still to be shown have ids below this one. `last`: the entry that was shown last. */
function idBefore(kind: TimelineKind, last: Place | null): string {
  if (last === null) return LAST_UUID;
  if (kind === last.kind) return last.id;
  return uuidFrom(isAfter(kind, last.kind) ? last.atMs : last.atMs + 1);
}

/** The same for what is ordered by a time and a number. */
function rowBefore(
  kind: 'Delivery' | 'Difference' | 'Push',
  last: Place | null,
): { utc: Date | 'infinity'; id: number } {
  if (last === null) return { utc: FOREVER, id: 0 };
  if (last.kind === kind) return { utc: new Date(last.atMs), id: Number(last.id) };
  return { utc: new Date(isAfter(kind, last.kind) ? last.atMs : last.atMs + 1), id: 0 };
}

const FOREVER = 'infinity' as const;
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
