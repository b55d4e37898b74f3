import { Injectable } from '@nestjs/common';
import type { WaitKey } from '#libs/ledger';
import { failure, type FailureName } from '#libs/rules';
import { WorkerEvents } from '../../../worker-events.js';
import type { Attempt, LeasedCycle } from '../../cycle/cycle.js';
import type { Charged, Outcome } from '../../cycle/outcome.js';
import { isMissingCard, WRONG_ACCOUNT } from '../../record/wrong-account.js';
import { FinishedCycles } from '../finished-cycles.js';
import { IntegrationQueues } from './integration-queues.js';
import { showsThatItWorks, TestedIntegrations } from './tested-integrations.js';
import { Wakes } from './wakes.js';

/** What one order shows about its integration is true for all orders that wait for it. */
@Injectable()
export class IntegrationHealth {
  constructor(
    private readonly queues: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly finished: FinishedCycles,
    private readonly wakes: Wakes,
    events: WorkerEvents,
  ) {
    events.on('left', ({ failed }) => {
      for (const { cycle, wrongAccount } of failed) if (wrongAccount) this.refused(cycle, WRONG_ACCOUNT);
    });
  }

  /** A charge was answered, or not sent. */
  charged({ cycle, integration, fingerprint }: Attempt, charged: Charged): void {
    const queue = this.queues.for(cycle);
    const { outcome, refused } = charged;
    if (integration && refused) {
      this.tested.delete(integration);
      this.refused(cycle, refused);
    } else if (integration && showsThatItWorks(charged)) {
      this.tested.add(integration);
      if (queue.markWorking()) this.wakes.proved(keyOf(cycle), fingerprint);
    } else this.inconclusive(cycle, outcome);
    if (outcome.kind !== 'charge' || outcome.answer.kind !== 'postponed') return;
    const { retryAfterMs } = outcome.answer;
    for (const queued of queue.drainUnsent())
      this.finished.add({ cycle: queued, outcome: { kind: 'postponed', delayMs: retryAfterMs } });
  }

  /** The integration is missing, or its credentials are refused. */
  refused(cycle: LeasedCycle, message: string): void {
    const queue = this.queues.for(cycle);
    queue.markRefused();
    for (const queued of queue.drainUnsent()) {
      this.finished.add({
        cycle: queued,
        outcome: { kind: 'failure', failure: failure('PaymentIntegrationNotFound', message) },
      });
    }
  }

  /** An order that waited has ended in a way that does not show whether its integration works. */
  inconclusive(cycle: LeasedCycle, outcome: Outcome): void {
    if (cycle.waitingSinceUtc !== null && saysNothing(outcome))
      this.wakes.inconclusive(keyOf(cycle), isMissingCard(outcome));
  }

  /** An in-doubt charge was looked up. */
  resolved(cycle: LeasedCycle, outcome: Outcome): void {
    if (cycle.waitingSinceUtc === null) return;
    const isDefinite = outcome.kind === 'inDoubt' && DEFINITE.has(outcome.answer.kind);
    if (isDefinite || outcome.kind === 'completed') this.wakes.answered(keyOf(cycle));
  }

  /** The order is to be paid through another gateway now. */
  gatewayChanged(cycle: LeasedCycle): void {
    if (cycle.waitingSinceUtc !== null) this.wakes.inconclusive(keyOf(cycle), false);
  }
}

/** The integration is missing or refused, this service has a bug, or the gateway does not answer. */
const SHARED_FAILURES: ReadonlySet<FailureName> = new Set([
  'PaymentIntegrationNotFound',
  'Unknown',
  'GatewayCommunicationFailed',
]);
const DEFINITE: ReadonlySet<string> = new Set(['declined', 'unchargeable', 'givenBack', 'notFound']);

const keyOf = ({ siteId, paymentMethodType }: LeasedCycle): WaitKey => ({ siteId, paymentMethodType });

/**
 * Nothing was to be paid, the order itself has a fault or an earlier attempt that may still arrive, or the gateway does
 * not know the card. A bug in this service, and a gateway that does not answer, are not among these: the next order
 * would fail in the same way.
 */
function saysNothing(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'completed':
    case 'stopped':
    case 'givenBack':
      return true;
    case 'failure':
      return !SHARED_FAILURES.has(outcome.failure.name);
    case 'charge':
      return outcome.answer.kind === 'declined' || outcome.answer.kind === 'unchargeable';
    case 'postponed':
      return outcome.endsWait === true;
    case 'inDoubt':
    case 'needsReview':
    case 'dismissed':
    case 'paidElsewhere':
    case 'unrecorded':
      return false;
  }
}
