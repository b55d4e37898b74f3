import { Injectable } from '@nestjs/common';
import { credentialsFingerprint, isSandbox } from '#libs/gateways';
import { integrationKey } from '../../../gateways/integrations.js';
import type { Attempt, LeasedCycle } from '../../cycle/cycle.js';
import type { Integration } from '../../cycle/cycle.js';
import type { Charged } from '../../cycle/outcome.js';
import type { IntegrationQueue } from './integration-queue.js';
import type { IntegrationQueues } from './integration-queues.js';

/** As many as `Gateways` keeps while they are idle. For all others one charge tries the credentials first again. */
const MOST = 500;

/** An integration that has answered a charge. */
interface Tested {
  readonly id: number;
  readonly fingerprint: string;
  readonly isSandbox: boolean;
}

/** The integrations that have answered a charge of this worker with their present credentials, in order of last use. */
@Injectable()
export class TestedIntegrations {
  /** By `integrationKey`. */
  private readonly tested = new Map<string, Tested>();

  /**
   * The integration of this site and type, if it has answered. It may have other credentials now, or be another one:
   * `isTested` tells.
   */
  known({ siteId, paymentMethodType }: LeasedCycle): Tested | undefined {
    return this.tested.get(integrationKey(siteId, paymentMethodType));
  }

  private has(integration: Integration): boolean {
    const { id, credentials } = integration;
    if (isSandbox(credentials)) return true;
    const tested = this.tested.get(keyOf(integration));
    return tested?.id === id && tested.fingerprint === credentialsFingerprint(credentials);
  }

  /**
   * Which of these attempts may be frozen. For an integration that has not answered yet, or that orders wait for, only
   * one may: it tries the credentials. The others would wait in frozen state, so they go back to their queue.
   */
  admit<Of extends Attempt>(attempts: readonly Of[], queues: IntegrationQueues): Of[] {
    const admitted: Of[] = [];
    const untested = new Map<IntegrationQueue, Of[]>();
    for (const attempt of attempts) {
      const queue = queues.for(attempt.cycle);
      if (attempt.integration?.needsProbe) queue.markRefused();
      if (this.isTested(attempt)) admitted.push(attempt);
      else untested.set(queue, [...(untested.get(queue) ?? []), attempt]);
    }
    for (const [queue, some] of untested) {
      const going = queue.probe(some.map(({ cycle }) => cycle));
      admitted.push(...some.filter(({ cycle }) => going.includes(cycle)));
    }
    return admitted;
  }

  /**
   * Whether an attempt may be frozen besides others of its integration, because that has answered and nothing waits for
   * it.
   */
  isTested({ integration }: Attempt): boolean {
    return integration === null || (this.has(integration) && !integration.needsProbe);
  }

  add(integration: Integration): void {
    const { id, credentials } = integration;
    const key = keyOf(integration);
    this.tested.delete(key);
    this.tested.set(key, {
      id,
      fingerprint: credentialsFingerprint(credentials),
      isSandbox: isSandbox(credentials),
    });
    if (this.tested.size <= MOST) return;
    const [oldest] = this.tested.keys();
    this.tested.delete(oldest!);
  }

  delete(integration: Integration): void {
    this.tested.delete(keyOf(integration));
  }
}

const keyOf = ({ siteId, credentials }: Integration): string => integrationKey(siteId, credentials.type);

/**
 * Whether the gateway took the credentials: it charged, declined, or named a transaction that it has not decided on.
 */
export function showsThatItWorks({ outcome, refused }: Charged): boolean {
  if (refused === null) return true;
  return outcome.kind === 'charge' && outcome.answer.kind === 'unknown' && outcome.answer.transactionId !== undefined;
}
