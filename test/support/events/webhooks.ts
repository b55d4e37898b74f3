import { setListening, writeEvent } from '#libs/events';
import type { TestApi } from '../api.js';
import type { TestDatabase } from '../database.js';
import { given as givenIn } from '../given.js';

/** What the tests of webhooks need of a database. */
export function webhooksOf(database: TestDatabase) {
  const given = givenIn(database);
  return {
    /** An account with a site. */
    merchant: () => given.merchant(),

    /** An endpoint, made over HTTP. */
    async endpoint(api: TestApi, token: string, url: string, values: object = {}): Promise<number> {
      const { status, body } = await api.request('POST', '/api/WebhookEndpoints', {
        token,
        body: { Url: url, ...values },
      });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.Id as number;
    },

    /** Events of a site that listens, as a request or the recorder writes them. */
    async happen(siteId: number, count: number, scheduledOrderId = 77): Promise<void> {
      await database.pool.transaction(async (tx) => {
        for (let n = 1; n <= count; n++)
          await writeEvent(tx, {
            siteId,
            scheduledOrderId,
            type: 'scheduled_order.updated',
            facts: {},
          });
      });
    },

    /** The waiting deliveries of an endpoint are due now, and nothing holds it back. */
    async comeDue(endpointId: number): Promise<void> {
      await database.query(
        `UPDATE webhook_deliveries SET next_attempt_utc = now() WHERE webhook_endpoint_id = $1 AND next_attempt_utc IS NOT NULL`,
        [endpointId],
      );
      await database.query(`UPDATE webhook_endpoints SET next_due_utc = now(), not_before_utc = NULL WHERE id = $1`, [
        endpointId,
      ]);
    },

    deliveries: (endpointId: number) =>
      database.query<{
        state: string;
        tries: string;
        attempts: { Status: number | null; Error: string | null }[];
        event_id: string;
        sequence: string;
      }>(
        `SELECT state, tries, attempts, event_id, sequence FROM webhook_deliveries WHERE webhook_endpoint_id = $1 ORDER BY sequence`,
        [endpointId],
      ),

    async row(endpointId: number) {
      const [row] = await database.query<Record<string, string | null>>(
        `SELECT status, disabled_reason, failures, failing_since_utc, not_before_utc, next_due_utc,
           extract(epoch FROM not_before_utc - now()) AS held_seconds FROM webhook_endpoints WHERE id = $1`,
        [endpointId],
      );
      return row!;
    },

    listen: (siteId: number) => database.pool.transaction((tx) => setListening(tx, siteId)),
  };
}
