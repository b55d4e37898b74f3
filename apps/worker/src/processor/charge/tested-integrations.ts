import { credentialsFingerprint, isSandbox } from '#libs/gateways';
import type { Integration } from '../prepare/loader.js';
import type { Attempt } from '../prepare/price.js';
import type { Charged } from './charger.js';
import type { IntegrationQueue } from './integration-queue.js';
import type { IntegrationQueues } from './integration-queues.js';

/** As many as `Gateways` keeps while they are idle. For all others one charge tries the credentials first again. */
const MOST = 500;

/** The integrations that have answered a charge of this worker with their present credentials, in order of last use. */
export class TestedIntegrations {
  private readonly fingerprints = new Map<number, string>();

  private has({ id, credentials }: Integration): boolean {
    return isSandbox(credentials) || this.fingerprints.get(id) === credentialsFingerprint(credentials);
  }

  /**
   * Which of these attempts may be frozen. For an integration that has not answered yet, or that orders wait for, only one may: it tries the
   * credentials. The others would wait in frozen state, so they go back to their queue.
   */
  admit(attempts: readonly Attempt[], queues: IntegrationQueues): Attempt[] {
    const admitted: Attempt[] = [];
    const untested = new Map<IntegrationQueue, Attempt[]>();
    for (const attempt of attempts) {
      const queue = queues.of(attempt.cycle);
      if (attempt.integration?.needsProbe) queue.markRefused();
      const isTested =
        attempt.integration === null || (this.has(attempt.integration) && !attempt.integration.needsProbe);
      if (isTested) admitted.push(attempt);
      else untested.set(queue, [...(untested.get(queue) ?? []), attempt]);
    }
    for (const [queue, some] of untested) {
      const going = queue.probe(some.map(({ cycle }) => cycle));
      admitted.push(...some.filter(({ cycle }) => going.includes(cycle)));
    }
    return admitted;
  }

  add({ id, credentials }: Integration): void {
    this.fingerprints.delete(id);
    this.fingerprints.set(id, credentialsFingerprint(credentials));
    if (this.fingerprints.size <= MOST) return;
    const [oldest] = this.fingerprints.keys();
    this.fingerprints.delete(oldest!);
  }

  delete({ id }: Integration): void {
    this.fingerprints.delete(id);
  }
}

/** Whether the gateway took the credentials: it charged, declined, or named a transaction that it has not decided on. */
export function showsThatItWorks({ outcome, refused }: Charged): boolean {
  if (refused === null) return true;
  return outcome.kind === 'charge' && outcome.outcome.kind === 'unknown' && outcome.outcome.transactionId !== undefined;
}
