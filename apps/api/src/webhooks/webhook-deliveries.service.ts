import { Injectable } from '@nestjs/common';
import { DELIVERY_STATES } from '#libs/entities';
import { LOCK_ENDPOINT, queueChanged, WAKE_SQL, webhookDeliveryDetailsView, webhookDeliveryView } from '#libs/events';
import { prepared } from '#libs/platform';
import {
  type Answer,
  assertReach,
  type Caller,
  Conflict,
  Database,
  type Idempotency,
  isReached,
  NotFound,
} from '#libs/records';
import type { DeliveriesQuery } from './deliveries-query.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const PAGE = 100;

/**
 * Newest first; of each state by ix_webhook_deliveries_state. $1 endpoint, $2 states, $3 type or null, $4 below this
 * id.
 */
const PAGE_OF_DELIVERIES = `SELECT x.id, ${webhookDeliveryView.json('x')}::text AS json
FROM unnest($2::varchar[]) AS s (state) CROSS JOIN LATERAL (
  SELECT d.* FROM webhook_deliveries d
  WHERE d.webhook_endpoint_id = $1 AND d.state = s.state AND d.id < $4 AND ($3::varchar IS NULL OR d.event_type = $3)
  ORDER BY d.id DESC LIMIT ${PAGE + 1}) x
ORDER BY x.id DESC LIMIT ${PAGE + 1}`;

/** At once, with all tries before it again, and before others of its order. $1 delivery. */
const RESEND = `UPDATE webhook_deliveries x SET state = 'Waiting', tries = 0, ordered = false, next_attempt_utc = now(), finished_utc = NULL
WHERE x.id = $1 RETURNING ${webhookDeliveryDetailsView.json('x')}::text AS json`;

interface Stored {
  readonly reached: boolean;
  readonly endpointId: number;
  readonly status: string | null;
  readonly json: string;
}

/** What was sent to endpoints, and what waits. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /** @returns a page, and the cursor of the next one; null after the last. */
  async page(
    caller: Caller,
    endpointId: number,
    query: DeliveriesQuery,
  ): Promise<{ json: string; next: number | null }> {
    await this.endpoints.selectOne(caller, endpointId, { name: 'ofDeliveries', columns: 'x.id' });
    const { state, eventType, before } = query;
    const rows = await this.database.execute<{ id: number; json: string }>(
      prepared('WebhookDelivery.page', () => PAGE_OF_DELIVERIES),
      [endpointId, state === null ? DELIVERY_STATES : [state], eventType, before ?? Number.MAX_SAFE_INTEGER],
    );
    const shown = rows.slice(0, PAGE);
    const next = rows.length > PAGE ? shown.at(-1)!.id : null;
    return { json: `[${shown.map(({ json }) => json).join(',')}]`, next };
  }

  async get(caller: Caller, id: number): Promise<string> {
    return (await this.read(caller, id)).json;
  }

  /**
   * @throws Conflict while its endpoint is disabled, or when that was deleted. NotFound when it was deleted by now,
   * with its event.
   */
  async resend(caller: Caller, id: number, once: Idempotency): Promise<Answer> {
    const { endpointId } = await this.read(caller, id);
    return this.database.once(once, async (tx) => {
      await tx.execute(LOCK_ENDPOINT, [endpointId]);
      const [endpoint] = await tx.execute<{ status: string }>(
        `SELECT status FROM webhook_endpoints WHERE id = $1 AND deleted_utc IS NULL`,
        [endpointId],
      );
      if (endpoint?.status !== 'Enabled') throw new Conflict(notEnabled(endpointId, endpoint !== undefined));
      const [sent] = await tx.execute<{ json: string }>(RESEND, [id]);
      if (sent === undefined) throw new NotFound(notThere(id));
      await queueChanged(tx, endpointId);
      await tx.execute(`SELECT ${WAKE_SQL}`);
      return { id, json: sent.json };
    });
  }

  private async read(caller: Caller, id: number): Promise<Stored> {
    const text =
      () => `SELECT ${isReached('x.site_id', '$2::bigint[]')} AS reached, x.webhook_endpoint_id AS endpoint_id, ${webhookDeliveryDetailsView.json('x')}::text AS json
      FROM webhook_deliveries x WHERE x.id = $1`;
    const [row] = await this.database.read<Stored>(prepared('WebhookDelivery.get', text), [id, caller.reach]);
    if (row === undefined) throw new NotFound(notThere(id));
    await assertReach(this.database, caller, row, `WebhookDelivery ${id}`);
    return row;
  }
}

const notThere = (id: number): string => `There is no WebhookDelivery ${id}.`;

/** For a 409. */
export const notEnabled = (id: number, isThere: boolean): string =>
  isThere
    ? `WebhookEndpoint ${id} is disabled: set its Status to Enabled first.`
    : `WebhookEndpoint ${id} was deleted.`;
