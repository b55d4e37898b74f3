import { Inject, Injectable } from '@nestjs/common';
import { decryptSigningSecrets, outwardId, signedHeaders } from '#libs/events';
import { ConnectionPool, DecryptionError, type Logger, OutboundClient, Vault } from '#libs/platform';
import { unlessLost } from '../database/unless-lost.js';
import { reach } from '../failpoints.js';
import { DISPATCH_POOL, LOG } from '../tokens.js';
import type { DeliveryRow, Frozen } from './delivery.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { InFlight } from './in-flight.js';
import { recordDelivery } from './record-delivery.js';
import { notKept, notSigned, type Result, resultOf } from './result.js';

/** Sends one delivery, and records what came of it. */
@Injectable()
export class Sender {
  /** Endpoints whose secret could not be decrypted: each is logged once. */
  private readonly unreadable = new Set<number>();

  constructor(
    @Inject(DISPATCH_POOL) private readonly pool: ConnectionPool,
    private readonly client: OutboundClient,
    private readonly vault: Vault,
    private readonly inFlight: InFlight,
    private readonly metrics: DispatchMetrics,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async send(delivery: Frozen): Promise<void> {
    const startedUtc = new Date();
    const secrets = this.secretsOf(delivery);
    if (secrets === null) return this.record(delivery, notSigned(startedUtc));
    const { url, body } = delivery;
    const id = outwardId(delivery.eventId);
    const headers = signedHeaders({ id, body }, secrets, startedUtc);
    const answer = await this.client.send({ url, method: 'POST', headers, body });
    this.metrics.answered(answer);
    this.inFlight.answered(delivery.webhookEndpointId, answer.milliseconds);
    reach('after-webhook');
    await this.record(delivery, resultOf(answer, delivery.tries, startedUtc));
  }

  /** For a delivery whose event was deleted before it was sent. */
  dismiss(delivery: DeliveryRow): Promise<void> {
    return this.record(delivery, notKept(new Date()));
  }

  /** Null when they cannot be decrypted. */
  private secretsOf({ webhookEndpointId: id, secret, previousSecret }: Frozen): string[] | null {
    try {
      const stored = { id, secret, previousSecret };
      const texts = decryptSigningSecrets(this.vault, stored);
      this.unreadable.delete(id);
      return texts;
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      if (!this.unreadable.has(id)) this.log.error({ webhookEndpointId: id }, error.message);
      this.unreadable.add(id);
      return null;
    }
  }

  private async record(delivery: DeliveryRow, result: Result): Promise<void> {
    const { pool, metrics, log } = this;
    const { counts, breaker, isDisabled } = await unlessLost(() => recordDelivery(pool, delivery, result));
    if (!counts) return;
    if (result.state === 'Delivered') metrics.delivered.inc();
    else if (result.isSent) metrics.failed.inc();
    if (result.state === 'Exhausted') metrics.exhausted.inc();
    const { webhookEndpointId } = delivery;
    if (breaker === 'opened')
      log.warn({ webhookEndpointId }, 'A webhook endpoint fails again and again: one delivery probes it, others wait.');
    if (breaker === 'closed') log.info({ webhookEndpointId }, 'The webhook endpoint works again.');
    if (isDisabled)
      log.warn(
        { webhookEndpointId },
        result.isGone
          ? 'A webhook endpoint answered 410 (Gone): it is disabled.'
          : 'Nothing could be delivered to a webhook endpoint for 5 days: it is disabled.',
      );
  }
}
