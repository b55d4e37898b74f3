import { Injectable } from '@nestjs/common';
import {
  type Charge,
  type ChargeOutcome,
  credentialsFingerprint,
  Gateways,
  type GivenBack,
  isSandbox,
} from '#libs/gateways';
import { type PastAttempt, readPastAttempts } from '#libs/ledger';
import { ConnectionPool, DecryptionError } from '#libs/platform';
import { DatabaseClock } from '../../database/clock.js';
import { integrationKey, Integrations } from '../../gateways/integrations.js';
import { unreadableFailure } from '../../gateways/unreadable-credentials.js';
import type { Blocked } from '../cycle/blocked.js';
import type { LeasedCycle } from '../cycle/cycle.js';
import type { Integration } from '../cycle/cycle.js';
import type { FoundAt } from '../cycle/outcome.js';
import { installationIn } from '../prepare/idempotency-key.js';
import { mayArriveForMs, withoutAnswer } from './late-arrivals.js';

/**
 * `charged`: one of them has paid the cycle. `givenBack`: it had, but does no more. `mayArrive`: none has, but
 * one of them may still arrive. `undecidable`: no look-up can tell any more whether one of them has, so a person
 * decides. Nothing may be sent unless there is `none`.
 */
export type EarlierAttempt =
  | { readonly kind: 'none' }
  | { readonly kind: 'undecidable' }
  | MayArrive
  | GivenBack
  | {
      readonly kind: 'charged';
      readonly answer: Extract<ChargeOutcome, { kind: 'succeeded' }>;
      readonly foundAt: FoundAt;
    }
  | Blocked;

export interface MayArrive {
  readonly kind: 'mayArrive';
  readonly message: string;
  /** When it can arrive no more. */
  readonly retryAfterMs: number;
}

const NONE = { kind: 'none' } as const;
const UNDECIDABLE = { kind: 'undecidable' } as const;

/**
 * Looks up the earlier attempts of a cycle before a further one is sent. GatewayTwo has no idempotency keys: a request
 * that was held on its way may charge after its repetition was declined, and the next attempt has another invoice
 * number.
 */
@Injectable()
export class EarlierAttempts {
  constructor(
    private readonly pool: ConnectionPool,
    private readonly integrations: Integrations,
    private readonly gateways: Gateways,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * `living`: the integration that the present attempt is sent with. Where every answer came at once, this costs
   * nothing.
   */
  async lookUp(cycle: LeasedCycle, living: Integration): Promise<EarlierAttempt> {
    if (cycle.attempt < 2 || cycle.lookUps === 0) return NONE;
    const { sent, settledUntilUtc } = await this.read(cycle);
    const attempts = withoutAnswer(sent);
    const ids = attempts.map(({ PaymentIntegrationId: id }) => id).filter((id) => id !== living.id);
    const others = await this.integrations.pinned(ids);
    let [waitsMs, isUndecidable] = [0, false];
    for (const attempt of attempts) {
      const { PaymentIntegrationId: id } = attempt;
      const sentWith = id === living.id ? living : others.get(id);
      if (sentWith instanceof DecryptionError) return UNREADABLE;
      if (sentWith && isSandbox(sentWith.credentials)) continue;
      const answer = await this.lookUpOne(cycle, attempt, sentWith, living);
      // The shop knows of it, and has chosen this attempt.
      const isReported =
        answer.kind === 'givenBack' && sent.some((one) => one.GatewayTransactionId === answer.transactionId);
      if (isReported) continue;
      if (answer.kind !== 'none' && answer.kind !== 'undecidable') return answer;
      isUndecidable ||= answer.kind === 'undecidable' && Date.parse(attempt.StartedUtc) >= settledUntilUtc;
      waitsMs = Math.max(waitsMs, mayArriveForMs(attempt, this.clock.now()));
    }
    if (waitsMs > 0) return { kind: 'mayArrive', message: MAY_ARRIVE, retryAfterMs: waitsMs };
    return isUndecidable ? UNDECIDABLE : NONE;
  }

  private async read({ scheduledOrderId, cycle }: LeasedCycle) {
    const all = await readPastAttempts(this.pool, scheduledOrderId, cycle);
    const settled = all.flatMap((one) => ('SettledUtc' in one ? Date.parse(one.SettledUtc) : []));
    return {
      sent: all.flatMap((one) => ('SettledUtc' in one ? [] : one)),
      settledUntilUtc: Math.max(...settled, -Infinity),
    };
  }

  /**
   * Asks the integration that it was sent with. Where that one is gone, or refused, it is the shop's present one of its
   * type: its account may be the same. What that one does not find may be in the other account.
   */
  private async lookUpOne(
    cycle: LeasedCycle,
    attempt: PastAttempt,
    sentWith: Integration | undefined,
    living: Integration,
  ): Promise<EarlierAttempt> {
    const { PaymentMethodType: type, PaymentIntegrationId: id } = attempt;
    const isOfType = sentWith?.credentials.type === type;
    const answer = isOfType ? await this.lookUpAt(sentWith, cycle, attempt) : null;
    if (answer !== null && (answer.kind !== 'refused' || id === living.id)) return answer;
    const present = living.credentials.type === type ? living : await this.presentOf(cycle.siteId, type);
    if (present === null || present.id === id) return UNDECIDABLE;
    const again = await this.lookUpAt(present, cycle, attempt);
    const isUnheard = again.kind === 'refused' && present.id !== living.id;
    return again.kind === 'none' || isUnheard ? UNDECIDABLE : again;
  }

  private async presentOf(siteId: number, type: PastAttempt['PaymentMethodType']): Promise<Integration | null> {
    const present = (await this.integrations.ofSites([siteId])).get(integrationKey(siteId, type));
    return present === undefined || present instanceof DecryptionError ? null : present;
  }

  private async lookUpAt(
    { id, credentials }: Integration,
    cycle: LeasedCycle,
    attempt: PastAttempt,
  ): Promise<EarlierAttempt> {
    const charge = chargeOf(cycle, attempt);
    const agoMs = Math.max(0, this.clock.now().getTime() - charge.startedUtc.getTime());
    const answer = await this.gateways.for(id, credentials).lookUp(charge, null, agoMs);
    if (answer.kind === 'succeeded')
      return { kind: 'charged', answer, foundAt: { integrationId: id, type: credentials.type } };
    // A repetition was declined; the first sending may still arrive.
    if (answer.kind === 'declined' || answer.kind === 'notFound') return NONE;
    if (answer.kind !== 'unknown' || answer.missing !== true) return answer;
    // Only the account that it was sent to would have it.
    return credentialsFingerprint(credentials) === attempt.CredentialsFingerprint ? NONE : UNDECIDABLE;
  }
}

const UNREADABLE = { kind: 'unavailable', message: unreadableFailure().message } as const;
const MAY_ARRIVE =
  'An earlier attempt may still arrive at the payment gateway: the next one is sent when that is over.';

/** As it was sent, and under the name by which it was sent. */
function chargeOf(cycle: LeasedCycle, sent: PastAttempt): Charge {
  return {
    idempotencyKey: sent.IdempotencyKey,
    siteId: cycle.siteId,
    scheduledOrderId: cycle.scheduledOrderId,
    attempt: sent.Attempt,
    dueUtc: cycle.dueUtc,
    installation: installationIn(sent.IdempotencyKey),
    amount: sent.Amount,
    currencyIso: sent.CurrencyIso,
    gatewayCustomerId: sent.GatewayCustomerId ?? '',
    gatewayPaymentId: sent.GatewayPaymentId ?? '',
    startedUtc: new Date(sent.StartedUtc),
  };
}
