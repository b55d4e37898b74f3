import type { ChargeOutcome } from './payment-gateway.js';

const UNTESTED_RETRY_MS = 1_000;

/**
 * Lets only one charge through until the gateway has accepted the account's credentials, and again after it has refused
 * them. So only one order of a refused integration probes it (decisions.md §9, 1003), and a wrong mode is noticed
 * before a second charge. Charges that waited for the probe share its refusal. When the probe showed nothing, they are
 * postponed.
 */
export class AccountProbe {
  private accepted = false;
  private underWay: Promise<ChargeOutcome> | null = null;

  async run(charge: () => Promise<ChargeOutcome>): Promise<ChargeOutcome> {
    while (!this.accepted) {
      if (!this.underWay) return this.probe(charge);
      const outcome = await this.underWay;
      if (outcome.kind === 'refused') return outcome;
      if (!showsAcceptance(outcome)) {
        return {
          kind: 'postponed',
          message: 'The payment gateway has not answered yet.',
          retryAfterMs: UNTESTED_RETRY_MS,
        };
      }
    }
    const outcome = await charge();
    if (outcome.kind === 'refused') this.accepted = false;
    return outcome;
  }

  private async probe(charge: () => Promise<ChargeOutcome>): Promise<ChargeOutcome> {
    this.underWay = charge();
    try {
      const outcome = await this.underWay;
      this.accepted = showsAcceptance(outcome);
      return outcome;
    } finally {
      this.underWay = null;
    }
  }
}

function showsAcceptance(outcome: ChargeOutcome): boolean {
  switch (outcome.kind) {
    case 'succeeded':
    case 'declined':
    case 'unchargeable':
      return true;
    case 'unknown':
      return outcome.transactionId !== undefined || outcome.duplicate === true;
    case 'refused':
    case 'unavailable':
    case 'postponed':
      return false;
  }
}
