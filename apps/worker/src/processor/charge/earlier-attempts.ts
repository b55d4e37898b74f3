import type { SqlExecutor } from '#libs/database';
import { type Charge, type ChargeOutcome, type Gateways, type GivenBack, isSandbox } from '#libs/gateways';
import { DecryptionError } from '#libs/vault';
import type { DatabaseClock } from '../../database/clock.js';
import type { LeasedCycle } from '../cycle.js';
import type { Integration, Loader } from '../prepare/loader.js';
import { unreadableFailure } from '../prepare/unreadable-credentials.js';
import type { Blocked } from '../reconcile/blocked.js';
import { readKey } from './idempotency-key.js';
import { READ_PAST_ATTEMPTS } from './in-doubt-attempts.sql.js';
import { mayArriveForMs, type PastAttempt, withoutAnswer } from './late-arrivals.js';

/**
 * `charged`: one of them has paid the cycle. `givenBack`: it had, but does no more. `postponed`: one of them may still arrive. Nothing may be sent unless
 * there is `none`.
 */
export type EarlierAttempt =
  | { readonly kind: 'none' }
  | GivenBack
  | { readonly kind: 'charged'; readonly said: Extract<ChargeOutcome, { kind: 'succeeded' }> }
  | Blocked;

interface SentAttempt extends PastAttempt {
  readonly Attempt: number;
  readonly Amount: number;
  readonly CurrencyIso: string;
  readonly GatewayCustomerId: string | null;
  readonly GatewayPaymentId: string | null;
  readonly PaymentIntegrationId: number;
  readonly IdempotencyKey: string;
  readonly GatewayTransactionId: string | null;
}

const NONE = { kind: 'none' } as const;

/**
 * Looks up the earlier attempts of a cycle before a further one is sent. GatewayTwo has no idempotency keys: a request that was held on its way may
 * charge after its repetition was declined, and the next attempt has another invoice number.
 */
export class EarlierAttempts {
  constructor(
    private readonly pool: SqlExecutor,
    private readonly loader: Loader,
    private readonly gateways: Gateways,
    private readonly clock: DatabaseClock,
  ) {}

  /** `living`: the integration that the present attempt is sent with. Where every answer came at once, this costs nothing. */
  async of(cycle: LeasedCycle, living: Integration): Promise<EarlierAttempt> {
    if (cycle.attempt < 2 || cycle.lookUps === 0) return NONE;
    const all = await this.read(cycle);
    const attempts = withoutAnswer(all, cycle.lookUps);
    const ids = attempts.map(({ PaymentIntegrationId: id }) => id).filter((id) => id !== living.id);
    const others = await this.loader.pinnedIntegrations(ids.map(String));
    let waitsMs = 0;
    for (const attempt of attempts) {
      const { PaymentIntegrationId: id } = attempt;
      const integration = id === living.id ? living : others.get(id);
      if (integration === undefined || integration instanceof DecryptionError) return UNREADABLE;
      if (integration.credentials.type !== attempt.PaymentMethodType) return UNREADABLE;
      if (isSandbox(integration.credentials)) continue;
      const said = await this.lookUp(cycle, attempt, integration);
      // The shop has been told of it, and has asked for this attempt.
      const isTold = said.kind === 'givenBack' && all.some((one) => one.GatewayTransactionId === said.transactionId);
      if (isTold) continue;
      if (said.kind === 'refused' && id !== living.id) return { ...said, kind: 'unavailable' };
      if (said.kind !== 'none') return said;
      waitsMs = Math.max(waitsMs, mayArriveForMs(attempt, this.clock.now()));
    }
    return waitsMs === 0 ? NONE : { kind: 'postponed', message: MAY_ARRIVE, retryAfterMs: waitsMs };
  }

  private async read({ scheduledOrderId, cycle }: LeasedCycle): Promise<readonly SentAttempt[]> {
    const rows = await this.pool.execute<{ past_attempts: SentAttempt[] | null }>(READ_PAST_ATTEMPTS, [
      scheduledOrderId,
      cycle,
    ]);
    return rows[0]?.past_attempts ?? [];
  }

  private async lookUp(
    cycle: LeasedCycle,
    attempt: SentAttempt,
    { id, credentials }: Integration,
  ): Promise<EarlierAttempt> {
    const charge = chargeOf(cycle, attempt);
    const agoMs = Math.max(0, this.clock.now().getTime() - charge.startedUtc.getTime());
    const said = await this.gateways.for(id, credentials).lookUp(charge, null, agoMs);
    if (said.kind === 'succeeded') return { kind: 'charged', said };
    // A repetition was declined; the first sending may still arrive.
    return said.kind === 'declined' || said.kind === 'notFound' ? NONE : said;
  }
}

const UNREADABLE = { kind: 'unavailable', message: unreadableFailure().message } as const;
const MAY_ARRIVE =
  'An earlier attempt may still arrive at the payment gateway: the next one is sent when that is over.';

/** As it was sent, and under the name by which it was sent. */
function chargeOf(cycle: LeasedCycle, sent: SentAttempt): Charge {
  const { installation, namesCycle } = readKey(sent.IdempotencyKey);
  return {
    idempotencyKey: sent.IdempotencyKey,
    siteId: cycle.siteId,
    scheduledOrderId: cycle.scheduledOrderId,
    attempt: sent.Attempt,
    dueUtc: cycle.dueUtc,
    cycle: namesCycle ? cycle.cycle : null,
    installation,
    amount: sent.Amount,
    currencyIso: sent.CurrencyIso,
    gatewayCustomerId: sent.GatewayCustomerId ?? '',
    gatewayPaymentId: sent.GatewayPaymentId ?? '',
    startedUtc: new Date(sent.StartedUtc),
  };
}
