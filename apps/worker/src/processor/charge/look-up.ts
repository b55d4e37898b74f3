import { Injectable } from '@nestjs/common';
import { type Charge, Gateways, type GivenBack, type PaymentGateway, type ResolveOutcome } from '#libs/gateways';
import { DatabaseClock, JUMP_MS } from '../../database/clock.js';
import { GatewayClocks } from '../../gateways/gateway-clocks.js';
import type { Integration } from '../cycle/cycle.js';
import { type Charged, type FoundAt, type Outcome, technicalFault } from '../cycle/outcome.js';
import { memoryOfMs } from '../prepare/gateway-memory.js';
import { OverdueCheck } from '../reconcile/overdue-check.js';
import { asInDoubt, FOR_A_PERSON, type NotNone, paid, refusal } from './answers.js';
import { EarlierAttempts } from './earlier-attempts.js';
import type { InDoubtAttempt } from './in-doubt-attempts.js';
import { SendGate } from './send-gate.js';

/** How long an attempt waits that was not found, and that the gateway may have forgotten by its own clock. */
const CLOCKS_PAUSE_MS = 60_000;

/** Looks up attempts that may have been sent, and repeats those that may be. */
@Injectable()
export class LookUp {
  constructor(
    private readonly gateways: Gateways,
    private readonly gate: SendGate,
    private readonly overdueCheck: OverdueCheck,
    private readonly earlierAttempts: EarlierAttempts,
    private readonly clock: DatabaseClock,
    private readonly clocks: GatewayClocks,
  ) {}

  /** Finds out the outcome of an attempt that was, or may have been, sent before. */
  async resolve(attempt: InDoubtAttempt): Promise<Charged> {
    const { cycle, charge, transactionId, integration, mayRepeat, resolution, foundAmount: chargedAmount } = attempt;
    if (resolution === 'Charged' && !attempt.isFound) {
      // It may be an earlier attempt's, at another price.
      return { outcome: { kind: 'completed', transactionId, chargedAmount, basis: null } };
    }
    if (resolution === 'NotCharged' && attempt.isMadeForFound) return { outcome: { kind: 'dismissed' } };
    if (resolution === 'Found' || resolution === 'Charged') {
      const foundUtc = attempt.foundUtc ?? charge?.startedUtc ?? null;
      const wasReviewed = resolution === 'Charged' && attempt.isMadeForFound;
      return { outcome: { kind: 'completed', transactionId, chargedAmount, foundUtc, wasReviewed, basis: null } };
    }
    if (resolution === 'NeedsReview') return { outcome: { kind: 'needsReview', reason: attempt.failureMessage ?? '' } };
    if (resolution === 'NotCharged') return { outcome: notChargedByPerson(attempt.isFound) };
    if (charge === null)
      return { outcome: { kind: 'completed', transactionId: null, chargedAmount: null, basis: null } };
    if (integration === null) {
      const answer = {
        kind: 'refused',
        message: 'The shop is not connected to the gateway that this charge was sent to.',
      } as const;
      return { outcome: { kind: 'inDoubt', answer, mayRepeat } };
    }
    if (!this.gate.mayAct(cycle)) return { outcome: lostLease(mayRepeat) };
    try {
      const gateway = this.gateways.for(integration.id, integration.credentials);
      // Its worker may have died before its look-up: then this would be the first sending.
      if (attempt.isOverdue) {
        const earlier = await this.overdueCheck.find(charge, attempt.settledUntilUtc, integration, gateway);
        if (earlier.kind !== 'none') return { outcome: { kind: 'inDoubt', answer: asInDoubt(earlier), mayRepeat } };
      }
      const { answer, foundAt } = await this.find(attempt, charge, integration);
      if (answer.kind === 'succeeded') return paid(answer, charge, null, foundAt);
      if (answer.kind === 'undecidable') return { outcome: FOR_A_PERSON };
      return { outcome: { kind: 'inDoubt', answer, mayRepeat }, refused: refusal(answer) };
    } catch (thrown) {
      return { outcome: { kind: 'unrecorded', transactionId: null, thrown } };
    }
  }

  /** At the integration that it was sent with; where that is refused, at the shop's present one. */
  private async find(attempt: InDoubtAttempt, charge: Charge, integration: Integration): Promise<LookedUp> {
    const { present } = attempt;
    const first = await this.findAt(integration, attempt, charge);
    return first.answer.kind === 'refused' && present !== null ? this.findAt(present, attempt, charge) : first;
  }

  /** While there is a doubt, the attempt is only looked up, and "not found" proves nothing. */
  private async findAt(integration: Integration, attempt: InDoubtAttempt, charge: Charge): Promise<LookedUp> {
    const { id: integrationId, credentials } = integration;
    const foundAt = { integrationId, type: credentials.type };
    const gateway = this.gateways.for(integrationId, credentials);
    const before = await this.earlierAttempts.lookUp(attempt.cycle, integration);
    if (before.kind === 'charged') return before;
    const doubt =
      before.kind === 'none' ? await this.doubtOf(attempt, charge, integration, gateway) : doubtAfter(before);
    const known = doubt === null ? attempt : { ...attempt, mayRepeat: false };
    const answer = await gateway.resolve(charge, known, () => this.gate.maySend(attempt.cycle, integration.id));
    return { answer: doubt !== null && answer.kind === 'notFound' ? doubt : answer, foundAt };
  }

  private async doubtOf(attempt: InDoubtAttempt, charge: Charge, integration: Integration, gateway: PaymentGateway) {
    if (attempt.cycle.heldBy !== null) return HELD;
    if (this.hasJumped(attempt, charge)) return CLOCKS_DIFFER;
    return (await this.mayBeForgotten(attempt, charge, integration, gateway)) ? CLOCKS_DIFFER : null;
  }

  /**
   * Whether the database's clock has jumped since it was last found right. By it a request would seem long over that
   * may still be under way, so "not found" means nothing.
   */
  private hasJumped({ ageMs }: InDoubtAttempt, { startedUtc }: Charge): boolean {
    return ageMs > this.clock.now().getTime() - startedUtc.getTime() + JUMP_MS;
  }

  /**
   * Whether the database's clock says that the gateway surely recognises a repetition of the attempt, and the gateway's
   * own clock does not. (A machine was suspended: its clock stood still.) Then the attempt is only looked up, and "not
   * found" means nothing until the clocks agree.
   */
  private async mayBeForgotten(
    { mayRepeat, quietMs, ageMs }: InDoubtAttempt,
    { startedUtc }: Charge,
    { id, credentials }: Integration,
    gateway: PaymentGateway,
  ): Promise<boolean> {
    const memoryMs = memoryOfMs(credentials);
    if (!mayRepeat || quietMs !== null || ageMs >= memoryMs || memoryMs === Infinity) return false;
    return !(await this.clocks.isWithin(memoryMs, startedUtc, id, gateway));
  }
}

const CLOCKS_DIFFER = {
  kind: 'postponed',
  message: 'It is not certain yet whether the payment went through.',
  retryAfterMs: CLOCKS_PAUSE_MS,
} as const;

const notChargedByPerson = (isOfFoundCharge: boolean): Outcome => ({
  kind: 'inDoubt',
  answer: { kind: 'notFound' },
  mayRepeat: true,
  isOfFoundCharge,
  byPerson: true,
});

/** What a look-up showed, and where. */
interface LookedUp {
  readonly answer: ResolveOutcome | { readonly kind: 'undecidable' };
  readonly foundAt: FoundAt;
}

/** When the hold is lifted, it is looked up again at once. */
const HELD = {
  kind: 'postponed',
  message: 'A payment of this order has to be settled by the shop first.',
  retryAfterMs: 3_600_000,
} as const;

const doubtAfter = (before: NotNone | GivenBack | { readonly kind: 'undecidable' }) =>
  before.kind === 'givenBack' || before.kind === 'undecidable' ? before : asInDoubt(before);

function lostLease(mayRepeat: boolean): Outcome {
  const answer = { kind: 'postponed', message: technicalFault().message, retryAfterMs: 0 } as const;
  return { kind: 'inDoubt', answer, mayRepeat };
}
