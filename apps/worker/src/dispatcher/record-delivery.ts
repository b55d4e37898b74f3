import { LOCK_ENDPOINT, writeEvent } from '#libs/events';
import type { ConnectionPool, Transaction } from '#libs/platform';
import { RECORD_FAILURE, RECORD_SUCCESS, RECORD_UNSENT, recordAttempt, RELEASE_NEXT } from './deliveries.sql.js';
import type { DeliveryRow } from './delivery.js';
import type { Result } from './result.js';

/** What a result has changed, for log and metrics. */
export interface Recorded {
  /** False: another worker has the delivery by now. */
  readonly counts: boolean;
  readonly breaker: 'opened' | 'closed' | null;
  readonly isDisabled: boolean;
}

const LOST: Recorded = { counts: false, breaker: null, isDisabled: false };

/** Writes down the result of one try, and what it means for the endpoint, in one transaction. It may be repeated. */
export function recordDelivery(pool: ConnectionPool, delivery: DeliveryRow, result: Result): Promise<Recorded> {
  const { id, lease, webhookEndpointId: endpointId } = delivery;
  return pool.transaction(async (tx) => {
    await tx.execute(LOCK_ENDPOINT, [endpointId]);
    const attempt = JSON.stringify(result.attempt);
    if (!(await recordAttempt(tx, { id, lease, ...result, attempt }))) return LOST;
    const { scheduledOrderId, ordered } = delivery;
    if (ordered && result.state !== 'Waiting') await tx.execute(RELEASE_NEXT, [endpointId, scheduledOrderId]);
    if (!result.isSent) return unsent(tx, delivery, result);
    return result.state === 'Delivered' ? succeeded(tx, delivery) : failed(tx, delivery, result);
  });
}

async function unsent(tx: Transaction, delivery: DeliveryRow, { retryAfterMs }: Result): Promise<Recorded> {
  await tx.execute(RECORD_UNSENT, [delivery.webhookEndpointId, retryAfterMs]);
  return { counts: true, breaker: null, isDisabled: false };
}

async function succeeded(tx: Transaction, delivery: DeliveryRow): Promise<Recorded> {
  const values = [delivery.webhookEndpointId, delivery.ordered];
  const [endpoint] = await tx.execute<{ closed: boolean }>(RECORD_SUCCESS, values);
  return { counts: true, breaker: endpoint?.closed === true ? 'closed' : null, isDisabled: false };
}

interface FailedEndpoint {
  readonly siteId: number;
  readonly opened: boolean;
  readonly disabled: boolean;
}

async function failed(tx: Transaction, delivery: DeliveryRow, { retryAfterMs, isGone }: Result): Promise<Recorded> {
  const id = delivery.webhookEndpointId;
  const [endpoint] = await tx.execute<FailedEndpoint>(RECORD_FAILURE, [id, retryAfterMs, isGone]);
  const { siteId, opened, disabled } = endpoint!;
  if (disabled) {
    const facts = { WebhookEndpointId: id, Reason: isGone ? 'Gone' : 'Failing' };
    await writeEvent(tx, { siteId, type: 'webhook_endpoint.disabled', facts });
  }
  return { counts: true, breaker: opened ? 'opened' : null, isDisabled: disabled };
}
