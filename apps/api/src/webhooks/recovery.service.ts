import { Injectable } from '@nestjs/common';
import { deliveriesSql, DELIVERY_COLUMNS, LOOK_AGAIN, WAKE_SQL } from '#libs/events';
import { type Answer, type Caller, Conflict, Database, type Idempotency, Rejected, utcSql } from '#libs/records';
import type { RecoverDto } from '../contract/events/webhook-delivery.dto.js';
import type { Input } from '../http/parameters/parameters.js';
import { notEnabled } from './webhook-deliveries.service.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

/** More in one call are refused: one statement makes them all. */
const MOST_EVENTS = 100_000;

/** SQL: whether an event is to be sent, `w` being its delivery so far. What waits is sent anyway. */
const WANTED = {
  Failed: `w.state = 'Exhausted'`,
  NotSent: `w.id IS NULL`,
  All: `w.state IS DISTINCT FROM 'Waiting'`,
};

/** ix_outbox_site, uq_webhook_deliveries_event. $1 endpoint, $2 since, $3 until or null. */
const eventsOf = (which: keyof typeof WANTED) => `FROM webhook_endpoints e
  JOIN outbox o ON o.site_id = e.site_id AND o.sequence IS NOT NULL AND o.occurred_utc >= $2 AND o.occurred_utc <= coalesce($3::timestamptz, now())
  LEFT JOIN webhook_deliveries w ON w.webhook_endpoint_id = e.id AND w.sequence = o.sequence
  WHERE e.id = $1 AND ${WANTED[which]}`;

const recover = (which: keyof typeof WANTED) => `INSERT INTO webhook_deliveries AS x (${DELIVERY_COLUMNS})
${deliveriesSql(eventsOf(which))} LIMIT ${MOST_EVENTS + 1}
ON CONFLICT (webhook_endpoint_id, sequence) DO UPDATE SET state = 'Waiting', tries = 0, ordered = excluded.ordered,
  next_attempt_utc = excluded.next_attempt_utc, finished_utc = NULL
RETURNING 1`;

/** Sends events of a time again, or for the first time. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /** @throws Rejected when the time is empty; Conflict while the endpoint is disabled, or for too many events. */
  recover(caller: Caller, id: number, sent: Input<RecoverDto>, once: Idempotency): Promise<Answer> {
    const { sinceUtc, untilUtc = null, which } = sent;
    if (untilUtc !== null && untilUtc < sinceUtc)
      throw new Rejected([{ field: 'UntilUtc', message: 'must not be before SinceUtc.' }]);
    return this.database.once(once, async (tx) => {
      const { status, siteId } = await this.endpoints.load(tx, caller, id);
      if (status !== 'Enabled') throw new Conflict(notEnabled(id, true));
      const made = await tx.execute(recover(which), [id, sinceUtc, untilUtc]);
      if (made.length > MOST_EVENTS)
        throw new Conflict(`There are more than ${MOST_EVENTS} events in that time: name a shorter one.`);
      await tx.execute(LOOK_AGAIN, [id]);
      const [site] = await tx.execute<{ since: string | null }>(
        `SELECT ${utcSql('s.listens_since_utc')} AS since, ${WAKE_SQL} FROM sites s WHERE s.id = $1`,
        [siteId],
      );
      return { id, json: JSON.stringify({ Deliveries: made.length, ListensSinceUtc: site!.since }) };
    });
  }
}
