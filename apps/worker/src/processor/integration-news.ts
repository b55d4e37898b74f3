import { failure } from '#libs/rules';
import type { Charged } from './charger.js';
import type { HeldCycle } from './cycle.js';
import type { Lanes } from './lanes.js';
import { INTEGRATION_RETRY_MS } from './next-step.js';
import type { Attempt } from './prepare.js';
import type { ResultBuffer } from './result-buffer.js';
import { showsThatItWorks, type TestedIntegrations } from './tested.js';

/** What one order shows of its integration holds for all that wait for it. */
export class IntegrationNews {
  /** `mended`: told of a site whose orders of that type can be charged again. */
  constructor(
    private readonly lanes: Lanes,
    private readonly tested: TestedIntegrations,
    private readonly results: ResultBuffer,
    private readonly mended: (siteId: number, paymentMethodType: string) => void,
  ) {}

  /** A charge was answered, or not sent. */
  charged({ cycle, integration }: Attempt, charged: Charged): void {
    const lane = this.lanes.of(cycle);
    const { outcome, refused } = charged;
    if (integration && refused) {
      this.tested.delete(integration);
      this.refused(cycle, refused);
    } else if (integration && showsThatItWorks(charged)) {
      this.tested.add(integration);
      if (lane.trust() && cycle.paymentMethodType) this.mended(cycle.siteId, cycle.paymentMethodType);
    }
    if (outcome.kind !== 'charge' || outcome.outcome.kind !== 'postponed') return;
    const { retryAfterMs } = outcome.outcome;
    for (const queued of lane.drainUnsent())
      this.results.add({ cycle: queued, outcome: { kind: 'postponed', delayMs: retryAfterMs } });
  }

  /** It is missing, or its credentials are refused. */
  refused(cycle: HeldCycle, message: string): void {
    const lane = this.lanes.of(cycle);
    lane.doubt();
    for (const queued of lane.drainUnsent()) {
      this.results.add({
        cycle: queued,
        outcome:
          queued.waitingSinceUtc === null
            ? { kind: 'failure', failure: failure('PaymentIntegrationNotFound', message) }
            : { kind: 'postponed', delayMs: INTEGRATION_RETRY_MS },
      });
    }
  }
}
