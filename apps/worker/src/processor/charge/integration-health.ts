import { failure } from '#libs/rules';
import type { Charged } from './charger.js';
import type { LeasedCycle } from '../cycle.js';
import type { IntegrationQueues } from './integration-queues.js';
import type { IntegrationKey } from './integration-waits.js';
import type { Outcome } from '../outcome.js';
import type { Attempt } from '../prepare/price.js';
import type { ResultBuffer } from '../record/result-buffer.js';
import { showsThatItWorks, type TestedIntegrations } from './tested-integrations.js';
import { isMissingCard } from '../record/wrong-account.js';

/** Told of an integration that orders wait for, or may wait for. */
export interface WaitListener {
  /** A charge shows that it works, with the credentials of this fingerprint. */
  proved(integration: IntegrationKey, fingerprint: string | null): void;
  /** One that waited told nothing of it; `isMissing`: its card was not known. */
  untold(integration: IntegrationKey, isMissing: boolean): void;
  /** It has answered about an earlier charge. */
  answered(integration: IntegrationKey): void;
}

/** What one order shows of its integration holds for all that wait for it. */
export class IntegrationHealth {
  constructor(
    private readonly lanes: IntegrationQueues,
    private readonly tested: TestedIntegrations,
    private readonly results: ResultBuffer,
    private readonly listener: WaitListener,
  ) {}

  /** A charge was answered, or not sent. */
  charged({ cycle, integration, fingerprint }: Attempt, charged: Charged): void {
    const lane = this.lanes.of(cycle);
    const { outcome, refused } = charged;
    if (integration && refused) {
      this.tested.delete(integration);
      this.refused(cycle, refused);
    } else if (integration && showsThatItWorks(charged)) {
      this.tested.add(integration);
      if (lane.trust()) this.listener.proved(keyOf(cycle), fingerprint);
    } else this.untold(cycle, outcome);
    if (outcome.kind !== 'charge' || outcome.outcome.kind !== 'postponed') return;
    const { retryAfterMs } = outcome.outcome;
    for (const queued of lane.drainUnsent())
      this.results.add({ cycle: queued, outcome: { kind: 'postponed', delayMs: retryAfterMs } });
  }

  /** It is missing, or its credentials are refused. */
  refused(cycle: LeasedCycle, message: string): void {
    const lane = this.lanes.of(cycle);
    lane.doubt();
    for (const queued of lane.drainUnsent()) {
      this.results.add({
        cycle: queued,
        outcome: { kind: 'failure', failure: failure('PaymentIntegrationNotFound', message) },
      });
    }
  }

  /** One that waited came to an end that says nothing of its integration. */
  untold(cycle: LeasedCycle, outcome: Outcome): void {
    if (cycle.waitingSinceUtc !== null && saysNothing(outcome))
      this.listener.untold(keyOf(cycle), isMissingCard(outcome));
  }

  /** A charge that may have been sent before was asked about. */
  settled(cycle: LeasedCycle, outcome: Outcome): void {
    if (cycle.waitingSinceUtc === null) return;
    const isSettled = outcome.kind === 'inDoubt' && DEFINITE.has(outcome.outcome.kind);
    if (isSettled || outcome.kind === 'completed') this.listener.answered(keyOf(cycle));
  }

  /** It is to be paid through another gateway now. */
  moved(cycle: LeasedCycle): void {
    if (cycle.waitingSinceUtc !== null) this.listener.untold(keyOf(cycle), false);
  }
}

const DEFINITE: ReadonlySet<string> = new Set(['declined', 'unchargeable', 'notFound']);

const keyOf = ({ siteId, paymentMethodType }: LeasedCycle): IntegrationKey => ({ siteId, paymentMethodType });

/**
 * Nothing was to be paid, the order itself has a fault, or the gateway does not know the card. Not a fault of ours, and not a gateway that
 * does not answer: there the next one would fare no better.
 */
function saysNothing(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'completed':
    case 'stopped':
      return true;
    case 'failure':
      return outcome.failure.code !== 1003 && outcome.failure.code !== 99 && outcome.failure.code !== 2001;
    case 'charge':
      return outcome.outcome.kind === 'declined' || outcome.outcome.kind === 'unchargeable';
    case 'postponed':
    case 'inDoubt':
    case 'held':
    case 'dismissed':
    case 'unrecorded':
      return false;
  }
}
