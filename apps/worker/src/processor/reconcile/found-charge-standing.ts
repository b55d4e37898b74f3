import { Inject, Injectable } from '@nestjs/common';
import { type Charge, Gateways, type LookUpOutcome } from '#libs/gateways';
import type { Logger } from '#libs/platform';
import { integrationKey, Integrations, type LoadedIntegration } from '../../gateways/integrations.js';
import { unreadableFailure } from '../../gateways/unreadable-credentials.js';
import { LOG } from '../../tokens.js';
import { againInMs } from '../cycle/blocked.js';
import type { UnplacedCharge } from './found-charges.js';

/** For so long an answer counts: the place of a charge may have to wait for other cycles of its order. */
const ANSWER_COUNTS_MS = 60_000;

/** As it stands at the gateway; null: that could not be told. */
type Standing = UnplacedCharge | null;

/**
 * Asks the gateway about each found charge before it gets its place: its list says what was charged, and not what was
 * refunded since. What nobody can be asked about any more, since the shop has another account now, stays as the list
 * had it.
 */
@Injectable()
export class FoundChargeStanding {
  /** By transaction. Times are by the monotonic clock. */
  private readonly answers = new Map<string, { readonly standing: Standing; readonly untilMs: number }>();

  constructor(
    private readonly integrations: Integrations,
    private readonly gateways: Gateways,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Null: its order must wait. It is asked again later. */
  async find(charge: UnplacedCharge): Promise<Standing> {
    const { transactionId, scheduledOrderId } = charge;
    const known = this.answers.get(transactionId);
    if (known && performance.now() < known.untilMs) return known.standing;
    const answer = await this.answerFor(charge);
    const standing = standingOf(charge, answer);
    const countsMs =
      answer.kind === 'postponed' || answer.kind === 'unavailable' ? againInMs(answer) : ANSWER_COUNTS_MS;
    this.answers.set(transactionId, { standing, untilMs: performance.now() + countsMs });
    if (standing === null)
      this.log.warn(
        { transactionId, scheduledOrderId, kind: answer.kind },
        `A charge that was found could not be looked up, so its order waits: ${'message' in answer ? answer.message : answer.kind}`,
      );
    return standing;
  }

  /** It has its place. */
  forget({ transactionId }: UnplacedCharge): void {
    this.answers.delete(transactionId);
  }

  /**
   * The integration whose list had it. Where that one is refused, or has another account now, it may be deleted: then
   * the present one, whose account may be the same.
   */
  private async answerFor(charge: UnplacedCharge): Promise<LookUpOutcome> {
    const { paymentIntegrationId: id, siteId, paymentMethodType: type } = charge;
    const answer = await this.answerAt((await this.integrations.pinned([id])).get(id), charge);
    if (answer.kind !== 'refused' && !isMissing(answer)) return answer;
    const present = (await this.integrations.ofSites([siteId])).get(integrationKey(siteId, type));
    return present === undefined || present instanceof Error || present.id === id
      ? answer
      : this.answerAt(present, charge);
  }

  private answerAt(integration: LoadedIntegration | undefined, charge: UnplacedCharge): Promise<LookUpOutcome> {
    if (integration === undefined || integration instanceof Error)
      return Promise.resolve({ kind: 'refused', message: unreadableFailure().message });
    const { id, credentials } = integration;
    return this.gateways.for(id, credentials).lookUp(chargeOf(charge), charge.transactionId);
  }
}

const isMissing = (answer: LookUpOutcome): boolean => answer.kind === 'unknown' && answer.missing === true;

function standingOf(charge: UnplacedCharge, answer: LookUpOutcome): Standing {
  switch (answer.kind) {
    case 'succeeded':
      return charge;
    case 'givenBack':
      return { ...charge, isGivenBack: true };
    case 'declined':
    case 'notFound':
      return { ...charge, isCharged: false };
    case 'unknown':
      if (isMissing(answer)) return charge;
      // Where the gateway has not decided, the cycle's own look-ups wait for that.
      return answer.transactionId !== undefined && !charge.isCharged ? charge : null;
    case 'refused':
    case 'unavailable':
    case 'postponed':
      return null;
  }
}

/** It is looked up by its transaction: the rest is what the list had. */
const chargeOf = (found: UnplacedCharge): Charge => ({
  ...found,
  idempotencyKey: '',
  installation: '',
  dueUtc: found.dueUtc ?? found.chargedUtc,
  currencyIso: found.currencyIso ?? '',
  gatewayCustomerId: '',
  gatewayPaymentId: '',
  startedUtc: found.chargedUtc,
});
