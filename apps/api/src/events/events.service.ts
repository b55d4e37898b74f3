import { Inject, Injectable } from '@nestjs/common';
import { type OutboxRow, type OutwardEvent, outwardEvent } from '#libs/events';
import type { Settings } from '#libs/platform';
import { assertSite, type Caller, Conflict, Database, type Reach, reachOfSite, Rejected } from '#libs/records';
import { onceEnded } from '../http/load/once-ended.js';
import { Places } from '../http/load/places.js';
import { SETTINGS } from '../http/tokens.js';
import { Arrivals } from './arrivals.js';
import type { EventQuery } from './event-query.js';
import { LISTENS, READ_EVENTS } from './events.sql.js';

const POLLS = {
  what: 'requests that wait for events',
  advice: 'let one reader wait, or ask again later without WaitSeconds',
  isForCustomers: false,
};

/** A part of the feed. */
interface Part {
  readonly events: readonly OutwardEvent[];
  /** Nothing up to this number comes later. */
  readonly upTo: number;
}

type EventRow = OutboxRow & { readonly upTo: number };

/** The event feed of a caller's sites, for those who cannot receive webhooks (docs/events.md). */
@Injectable()
export class EventsService {
  private readonly places: Places;

  constructor(
    private readonly database: Database,
    private readonly arrivals: Arrivals,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.places = new Places(settings.maxEventPolls, POLLS);
  }

  /**
   * The events after the caller's cursor. It waits for one when it was asked to.
   * @throws Forbidden when the caller does not reach the site that is asked for. Conflict when none of the caller's
   * sites listens. Rejected for a cursor that no event has. Unavailable when too many wait.
   */
  async list(caller: Caller, query: EventQuery): Promise<readonly OutwardEvent[]> {
    if (query.siteId !== null) await assertSite(this.database, caller, query.siteId);
    await this.assertReadable(reachOf(caller, query), query.after);
    const first = await this.read(caller, query, query.after);
    const part = first.events.length > 0 || query.waitMs === 0 ? first : await this.wait(caller, query, first.upTo);
    void query.reply.header('link', `<${nextOf(query, part)}>; rel="next"`);
    return part.events;
  }

  private async wait(caller: Caller, query: EventQuery, upTo: number): Promise<Part> {
    const giveBack = this.places.take(caller);
    const gone = new AbortController();
    const { reply } = query;
    onceEnded(reply.raw, reply.request.raw.socket, () => gone.abort());
    const stopWatching = reply.request.standing!.watch(() => gone.abort());
    const endMs = performance.now() + query.waitMs;
    const awaited = { userId: caller.userId, siteId: query.siteId };
    let part: Part = { events: [], upTo };
    try {
      for (let leftMs = query.waitMs; leftMs > 0 && !gone.signal.aborted; leftMs = endMs - performance.now()) {
        if (!(await this.arrivals.next(awaited, part.upTo, leftMs, gone.signal))) return part;
        part = await this.read(caller, query, part.upTo);
        if (part.events.length > 0) return part;
      }
      return part;
    } finally {
      stopWatching();
      giveBack();
    }
  }

  private async read(caller: Caller, query: EventQuery, after: number): Promise<Part> {
    const { types, limit } = query;
    const rows = await this.database.read<EventRow>(READ_EVENTS, [reachOf(caller, query), after, types, limit]);
    const events = rows.filter(({ eventId }) => eventId !== null).map(outwardEvent);
    const isFull = events.length === limit;
    return { events, upTo: isFull ? events.at(-1)!.Sequence : Math.max(after, rows[0]!.upTo) };
  }

  private async assertReadable(reach: Reach, after: number): Promise<void> {
    const [row] = await this.database.read<{ listens: boolean; last: number }>(LISTENS, [reach]);
    if (!row!.listens) throw new Conflict(NOBODY_LISTENS);
    if (after <= row!.last) return;
    const message = `${after} is beyond the newest event, ${row!.last}: it is of another installation. Start again without it.`;
    throw new Rejected([{ field: 'After', message }]);
  }
}

const reachOf = ({ reach }: Caller, { siteId }: EventQuery): Reach => (siteId === null ? reach : reachOfSite(siteId));

const NOBODY_LISTENS =
  'No events are kept for your sites: set KeepEvents to true with PUT /api/Site/{siteId}/Settings, or create a webhook endpoint. Events are kept from then on.';

/** The request that follows. With `Types` its cursor skips what was looked through in vain. */
function nextOf({ path, siteId, sentTypes, limit, waitMs }: EventQuery, { upTo }: Part): string {
  const parameters = new URLSearchParams({ After: String(upTo), limit: String(limit) });
  if (siteId !== null) parameters.set('SiteId', String(siteId));
  if (sentTypes !== null) parameters.set('Types', sentTypes);
  if (waitMs > 0) parameters.set('WaitSeconds', String(waitMs / 1_000));
  return `${path}?${parameters.toString()}`;
}
