import { Injectable } from '@nestjs/common';
import {
  type Charge,
  type ChargeOutcome,
  Gateways,
  type GivenBack,
  type PaymentGateway,
  type ResolveOutcome,
} from '#libs/gateways';
import { heldFailure } from '#libs/ledger';
import { DatabaseClock, JUMP_MS } from '../../database/clock.js';
import { GatewayClocks } from '../../gateways/gateway-clocks.js';
import { againInMs, type Blocked } from '../cycle/blocked.js';
import type { Attempt, LeasedCycle } from '../cycle/cycle.js';
import type { Integration } from '../cycle/cycle.js';
import { type Charged, type FoundAt, type Outcome, technicalFault } from '../cycle/outcome.js';
import { memoryOfMs } from '../prepare/gateway-memory.js';
import { OverdueCheck } from '../reconcile/overdue-check.js';
import type { CompletedOutcome } from '../record/completion.js';
import { EarlierAttempts, type MayArrive } from './earlier-attempts.js';
import type { InDoubtAttempt } from './in-doubt-attempts.js';
import { SendGate } from './send-gate.js';

const LONGEST_TRANSACTION_ID = 255;
/** How long an attempt waits that was not found, and that the gateway may have forgotten by its own clock. */
const CLOCKS_PAUSE_MS = 60_000;

/**
 * Calls the gateways. No transaction is open during a call, and the attempt has been written to the database before.
 */
@Injectable()
export class Charger {
  constructor(
    private readonly gateways: Gateways,
    private readonly gate: SendGate,
    private readonly overdueCheck: OverdueCheck,
    private readonly earlierAttempts: EarlierAttempts,
    private readonly clock: DatabaseClock,
    private readonly clocks: GatewayClocks,
  ) {}

  /** Sends a frozen attempt for the first time. */
  async charge(attempt: Attempt): Promise<Charged> {
    const { cycle, order, quote, leftOut, integration } = attempt;
    const basis = { order, quote, leftOut };
    if (integration === null)
      return { outcome: { kind: 'completed', transactionId: null, chargedAmount: null, basis } };
    // When a worker was suspended past its lease, another one owns the cycle, and looks the charge up first.
    const maySend = () => this.gate.maySend(cycle, integration.id);
    try {
      const gateway = this.gateways.for(integration.id, integration.credentials);
      await this.clocks.askAgain(integration.id, gateway);
      if (!(await maySend())) return { outcome: this.unsent(cycle, integration) };
      const charge = this.chargeOf(attempt);
      if (attempt.isOverdue) {
        const earlier = await this.overdueCheck.find(charge, order.settledUntilUtc, integration, gateway);
        if (earlier.kind !== 'none') return unsentBecause(earlier);
      }
      const before = await this.earlierAttempts.lookUp(cycle, integration);
      if (before.kind === 'charged') return { outcome: paid(before.answer, charge, basis, before.foundAt).outcome };
      if (before.kind === 'undecidable') return { outcome: FOR_A_PERSON };
      if (before.kind === 'givenBack') return { outcome: { kind: 'givenBack', answer: before } };
      if (before.kind !== 'none') return unsentBecause(before);
      const answer = await gateway.charge(charge, maySend);
      if (answer.kind === 'postponed' && !(await maySend())) return { outcome: this.unsent(cycle, integration) };
      return answer.kind === 'succeeded'
        ? paid(answer, charge, basis)
        : { outcome: { kind: 'charge', answer }, refused: refusal(answer) };
    } catch (thrown) {
      // Adapters do not throw for what a gateway did. So this is a bug in this service, and the charge may have been
      // sent.
      return { outcome: { kind: 'unrecorded', transactionId: null, thrown } };
    }
  }

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
      const { answer, foundAt } = await this.lookUp(attempt, charge, integration);
      if (answer.kind === 'succeeded') return paid(answer, charge, null, foundAt);
      if (answer.kind === 'undecidable') return { outcome: FOR_A_PERSON };
      return { outcome: { kind: 'inDoubt', answer, mayRepeat }, refused: refusal(answer) };
    } catch (thrown) {
      return { outcome: { kind: 'unrecorded', transactionId: null, thrown } };
    }
  }

  /** At the integration that it was sent with; where that is refused, at the shop's present one. */
  private async lookUp(attempt: InDoubtAttempt, charge: Charge, integration: Integration): Promise<LookedUp> {
    const { present } = attempt;
    const first = await this.lookUpAt(integration, attempt, charge);
    return first.answer.kind === 'refused' && present !== null ? this.lookUpAt(present, attempt, charge) : first;
  }

  /** While there is a doubt, the attempt is only looked up, and "not found" proves nothing. */
  private async lookUpAt(integration: Integration, attempt: InDoubtAttempt, charge: Charge): Promise<LookedUp> {
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

  /** For an attempt that was not sent and that this worker may no longer send. */
  private unsent({ isStopped, heldBy }: LeasedCycle, { id }: Integration): Outcome {
    if (isStopped) return { kind: 'stopped' };
    if (heldBy !== null) return { kind: 'failure', failure: heldFailure(heldBy) };
    return { kind: 'postponed', delayMs: this.gate.pauseMs(id) };
  }

  private chargeOf({ cycle, order, amount, idempotencyKey, installation }: Attempt): Charge {
    return {
      idempotencyKey,
      siteId: cycle.siteId,
      scheduledOrderId: cycle.scheduledOrderId,
      attempt: cycle.attempt,
      dueUtc: cycle.dueUtc,
      installation,
      amount,
      currencyIso: order.currencyIso,
      gatewayCustomerId: order.paymentMethodCustomerId!,
      gatewayPaymentId: order.paymentMethodId!,
      startedUtc: this.clock.now(),
    };
  }
}

const CLOCKS_DIFFER = {
  kind: 'postponed',
  message: 'It is not certain yet whether the payment went through.',
  retryAfterMs: CLOCKS_PAUSE_MS,
} as const;

/**
 * Nothing more is sent, because the look-up that must come first can no longer tell what happened. Look-ups go on, and
 * `cycles:stuck` lists the cycle.
 */
const FOR_A_PERSON: Outcome = { kind: 'inDoubt', answer: { kind: 'notFound' }, mayRepeat: false };

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

/** How soon to try again while a found charge has no cycle yet. */
const PLACED_IN_MS = 1_000;

type NotNone = Blocked | MayArrive | { readonly kind: 'found' };

/** Nothing was sent, and no attempt is used up. The next try looks the charge up again before it sends. */
function unsentBecause(earlier: NotNone): Charged {
  if (earlier.kind === 'refused') return { outcome: { kind: 'charge', answer: earlier }, refused: earlier.message };
  const reason = earlier.kind === 'found' ? {} : { reason: earlier.message };
  const endsWait = earlier.kind === 'mayArrive';
  return { outcome: { kind: 'postponed', delayMs: asInDoubt(earlier).retryAfterMs, ...reason, endsWait } };
}

/** The same for an attempt that may have been sent. */
function asInDoubt(earlier: NotNone) {
  const message = 'message' in earlier ? earlier.message : 'A charge of this order has no place in the ledger yet.';
  const delayMs = earlier.kind === 'found' ? PLACED_IN_MS : againInMs(earlier);
  return { kind: 'postponed', message, retryAfterMs: delayMs } as const;
}

const doubtAfter = (before: NotNone | GivenBack | { readonly kind: 'undecidable' }) =>
  before.kind === 'givenBack' || before.kind === 'undecidable' ? before : asInDoubt(before);

type Succeeded = Extract<ChargeOutcome, { kind: 'succeeded' }>;

function paid(answer: Succeeded, charge: Charge, basis: CompletedOutcome['basis'], foundAt?: FoundAt): Charged {
  const { chargedAmount: found = charge.amount } = answer;
  const chargedAmount = found === charge.amount ? null : found;
  return {
    outcome: {
      kind: 'completed',
      transactionId: answer.transactionId.slice(0, LONGEST_TRANSACTION_ID),
      chargedAmount,
      ...(foundAt && { foundAt }),
      basis: chargedAmount === null ? basis : null,
    },
    refused: answer.integrationRefused ?? null,
  };
}

function refusal(answer: Exclude<ChargeOutcome | ResolveOutcome, Succeeded>): string | null | undefined {
  if (answer.kind === 'refused') return answer.message;
  // An unknown card proves nothing about the credentials: they may be another account's.
  return answer.kind === 'declined' && !answer.missing ? null : undefined;
}

function lostLease(mayRepeat: boolean): Outcome {
  const answer = { kind: 'postponed', message: technicalFault().message, retryAfterMs: 0 } as const;
  return { kind: 'inDoubt', answer, mayRepeat };
}
