import type { ConnectionPool } from '#libs/platform';
import {
  ANY_LISTENS,
  BEGIN_LOOK,
  type ComingRow,
  END_LOOK,
  FIND_BY_EVENTS,
  FIND_SIMULATED,
  findByTime,
  GIVE_UP_LOOK,
  GO_ON_LOOKING,
} from './upcoming.sql.js';

/** An occurrence that is to be announced. */
export interface Upcoming {
  readonly siteId: number;
  readonly scheduledOrderId: number;
  readonly occurrenceUtc: Date;
}

const MOST_FOUND = 500;
/** Most events of a busy time are of orders whose next date is far away. */
const MOST_EVENTS = 1_000;
/** Below every site, date and order. */
const START = { siteId: 0, occurrenceUtc: new Date(0), id: 0 };

interface LookRow {
  readonly lease: number;
  readonly nowUtc: Date;
  readonly lookedUtc: Date | null;
  readonly after: number;
  readonly upTo: number;
  readonly fullRequests: number;
  readonly isFull: boolean;
}

type EventsRow = { readonly last: number | null } & (ComingRow | { readonly id: null });

/**
 * One look for occurrences that come soon. One worker at a time looks; what an earlier look has seen is not read again.
 */
export class UpcomingLook {
  private constructor(
    private readonly pool: ConnectionPool,
    private readonly row: LookRow,
  ) {}

  /**
   * @param pauseMs nothing is done so soon after the last look. @returns null when another worker looks, or has looked.
   */
  static async begin(pool: ConnectionPool, pauseMs: number): Promise<UpcomingLook | null> {
    const [row] = await pool.execute<LookRow>(BEGIN_LOOK, [pauseMs]);
    return row === undefined ? null : new UpcomingLook(pool, row);
  }

  /** In parts. It ends early when another worker has taken over. */
  async *found(): AsyncGenerator<Upcoming[]> {
    if ((await this.pool.execute(ANY_LISTENS)).length === 0) return;
    yield* this.byTime();
    // A look at everything has seen the orders of all events.
    if (!this.row.isFull) yield* this.byEvents();
  }

  /** The next look goes on from here. */
  async end(): Promise<void> {
    const { lease, nowUtc, upTo, isFull, fullRequests } = this.row;
    await this.pool.execute(END_LOOK, [lease, nowUtc, upTo, isFull, fullRequests]);
  }

  /** The next look is at the same again. */
  async giveUp(): Promise<void> {
    await this.pool.execute(GIVE_UP_LOOK, [this.row.lease]);
  }

  private async *byTime(): AsyncGenerator<Upcoming[]> {
    const { nowUtc, lookedUtc, isFull } = this.row;
    let last = START;
    for (let count = MOST_FOUND; count === MOST_FOUND && (await this.goesOn());) {
      const from = { nowUtc, lookedUtc: isFull ? null : lookedUtc };
      const rows = await findByTime(this.pool, { most: MOST_FOUND, ...from, ...last });
      count = rows.length;
      const end = rows.at(-1);
      if (end === undefined) return;
      last = { siteId: end.siteId, occurrenceUtc: end.nextOccurrenceUtc, id: end.id };
      yield rows.map(upcomingOf);
    }
  }

  private async *byEvents(): AsyncGenerator<Upcoming[]> {
    const { after, upTo, nowUtc } = this.row;
    for (let last: number | null = after; last !== null && last !== upTo && (await this.goesOn());) {
      const rows: EventsRow[] = await this.pool.execute<EventsRow>(FIND_BY_EVENTS, [MOST_EVENTS, last, upTo, nowUtc]);
      last = rows[0]!.last;
      const found = rows.filter((row): row is EventsRow & ComingRow => row.id !== null);
      if (found.length > 0) yield found.map(upcomingOf);
    }
  }

  private async goesOn(): Promise<boolean> {
    return (await this.pool.execute(GO_ON_LOOKING, [this.row.lease])).length > 0;
  }
}

/** Those of a simulated site that are not announced yet, by its clock, in parts. */
export async function* upcomingAt(pool: ConnectionPool, siteId: number, presentUtc: Date): AsyncGenerator<Upcoming[]> {
  let last: readonly [occurrenceUtc: Date, id: number] = [presentUtc, 0];
  for (let count = MOST_FOUND; count === MOST_FOUND;) {
    const rows = await pool.execute<ComingRow>(FIND_SIMULATED, [MOST_FOUND, siteId, presentUtc, ...last]);
    count = rows.length;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [end.nextOccurrenceUtc, end.id];
    yield rows.map(upcomingOf);
  }
}

const upcomingOf = (row: ComingRow): Upcoming => ({
  siteId: row.siteId,
  scheduledOrderId: row.id,
  occurrenceUtc: row.nextOccurrenceUtc,
});
