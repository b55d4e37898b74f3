import Stripe from 'stripe';
import { AccountProbe } from '../account-probe.js';
import type { Line } from '../line/line.js';
import type {
  Charge,
  ChargeList,
  ChargeOutcome,
  GatewayCredentials,
  LookUpOutcome,
  MaySend,
  PaymentGateway,
  SettlementOutcome,
  UnknownAttempt,
  Verification,
} from '../payment-gateway.js';
import { mayBeUnderWay, notFoundUnlessUnderWay } from '../under-way.js';
import { stripeAmount } from './amounts.js';
import { LineHttpClient } from './http-client.js';
import { chargedAmount, isOfCycle, isOpen, metadataOf, mostTelling, outcomeOfIntent } from './intents.js';
import { AccountMode, type Refused, unusableKey } from './mode.js';
import { type Failure, isIdleConnection, outcomeOfError } from './outcomes.js';

/** Pinned: what an answer means is reviewed anew with each version of the package. */
const API_VERSION = '2026-10-28.endive';
const OWN_URL = 'https://api.stripe.com';
const HOUR_MS = 60 * 60 * 1_000;
/** Stripe keeps a key for at least 24 hours. */
const REPEATABLE_FOR_MS = 23 * HOUR_MS;

/** GatewayOne: off-session PaymentIntents of the Stripe API. */
export class StripeGateway implements PaymentGateway {
  private readonly stripe: Stripe;
  private readonly http: LineHttpClient;
  private readonly probe = new AccountProbe();
  private readonly mode: AccountMode;
  /** Keeps everything from being sent. */
  private readonly unusable: Refused | null;

  constructor(
    credentials: GatewayCredentials,
    line: Line,
    private readonly options: { readonly url?: string | null; readonly underWayMs: number },
  ) {
    const url = new URL(options.url ?? OWN_URL);
    this.unusable = unusableKey(credentials);
    this.mode = new AccountMode(credentials);
    this.http = new LineHttpClient(line);
    this.stripe = new Stripe(credentials.apiKey1 || 'none', {
      apiVersion: API_VERSION,
      httpClient: this.http,
      maxNetworkRetries: 0,
      telemetry: false,
      protocol: url.protocol === 'http:' ? 'http' : 'https',
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
    });
  }

  async charge(charge: Charge, maySend?: MaySend): Promise<ChargeOutcome> {
    const units = stripeAmount(charge.amount, charge.currencyIso);
    if ('refusal' in units) return { kind: 'unchargeable', message: units.refusal };
    return this.probe.run(async () => {
      const refusal = this.unusable ?? this.mode.wrong ?? (await this.askMode());
      const send = () => this.sendOverLivingConnection(charge, units.amount);
      return refusal ?? this.http.guarded(charge.idempotencyKey, maySend, send);
    });
  }

  async settle(
    charge: Charge,
    { ageMs, mayRepeat, transactionId }: UnknownAttempt,
    maySend?: MaySend,
  ): Promise<SettlementOutcome> {
    if (!mayRepeat || transactionId || ageMs >= REPEATABLE_FOR_MS || this.mode.wrong) {
      const sendings = { underWayMs: this.options.underWayMs, repeatedForMs: REPEATABLE_FOR_MS };
      return notFoundUnlessUnderWay(await this.lookUp(charge, transactionId), mayBeUnderWay(ageMs, sendings));
    }
    const again = await this.charge(charge, maySend);
    if (again.kind === 'succeeded' || again.kind === 'refused') return again;
    if (again.kind === 'unavailable' || again.kind === 'postponed') return again;
    if (again.kind === 'unknown' && again.repeatable) return again;
    // A stored 500, `processing`, or a refusal that may have come before the stored answer was looked for.
    const found = await this.lookUp(charge, again.kind === 'unknown' ? again.transactionId : null);
    if (found.kind !== 'notFound') return found;
    if (again.kind !== 'unknown') return again;
    const ended = again.replayed === true && ageMs >= this.options.underWayMs;
    return ended ? found : again;
  }

  async lookUp(charge: Charge, transactionId?: string | null): Promise<LookUpOutcome> {
    if (this.unusable) return this.unusable;
    try {
      const intent = transactionId ? await this.stripe.paymentIntents.retrieve(transactionId) : await this.find(charge);
      if (!intent) return { kind: 'notFound' };
      const outcome = await this.conclude(intent);
      if (outcome.kind !== 'succeeded') return outcome;
      return { ...outcome, chargedAmount: chargedAmount(intent), chargedUtc: new Date(intent.created * 1_000) };
    } catch (error) {
      return nothingLearnt(outcomeOfError(error));
    }
  }

  listCharges(): Promise<ChargeList> {
    throw new Error('not yet');
  }

  async verify(): Promise<Verification> {
    const known = this.unusable ?? this.mode.wrong;
    if (known) return { verified: false, message: known.message };
    try {
      // What charging and looking up need, not merely any permission.
      const { data } = await this.stripe.paymentIntents.list({ limit: 1 });
      const livemode = data[0]?.livemode;
      const refusal = livemode === undefined ? await this.askMode() : this.mode.see(livemode);
      return refusal ? { verified: false, message: refusal.message } : { verified: true };
    } catch (error) {
      return { verified: false, message: nothingLearnt(outcomeOfError(error)).message };
    }
  }

  /** A connection that was closed while it lay idle costs a repetition, with the same key, and no more: its own failure says nothing. */
  private async sendOverLivingConnection(charge: Charge, amount: number): Promise<ChargeOutcome> {
    try {
      return await this.send(charge, amount);
    } catch (error) {
      const lost = outcomeOfError(error);
      if (!isIdleConnection(error)) return lost;
      const again = await this.send(charge, amount).catch(outcomeOfError);
      return again.kind === 'succeeded' || again.kind === 'unknown' ? again : lost;
    }
  }

  private async send(charge: Charge, amount: number): Promise<ChargeOutcome> {
    try {
      const intent = await this.stripe.paymentIntents.create(
        {
          amount,
          currency: charge.currencyIso.toLowerCase(),
          customer: charge.gatewayCustomerId,
          payment_method: charge.gatewayPaymentId,
          confirm: true,
          off_session: true,
          error_on_requires_action: true,
          automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
          description: `Scheduled order ${charge.scheduledOrderId}, cycle ${charge.cycle}`,
          metadata: metadataOf(charge),
        },
        { idempotencyKey: charge.idempotencyKey },
      );
      return await this.conclude(intent);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) this.mode.see(error.payment_intent?.livemode);
      throw error;
    }
  }

  /** An intent that could still be completed is cancelled before it counts as declined. */
  private async conclude(intent: Stripe.PaymentIntent) {
    const outcome = outcomeOfIntent(intent);
    const refusal = this.mode.see(intent.livemode);
    if (outcome.kind === 'succeeded' && refusal) return { ...outcome, integrationRefused: refusal.message };
    if (outcome.kind !== 'declined' || !isOpen(intent)) return outcome;
    try {
      const cancelled = await this.stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
      return outcomeOfIntent(cancelled);
    } catch {
      return stillOpen(intent);
    }
  }

  /** Listing is consistent at once (the search API lags); an hour's margin for clocks that disagree. */
  private async find(charge: Charge): Promise<Stripe.PaymentIntent | undefined> {
    const since = Math.floor((charge.startedUtc.getTime() - HOUR_MS) / 1_000);
    const ofCycle: Stripe.PaymentIntent[] = [];
    const page = { customer: charge.gatewayCustomerId, created: { gte: since }, limit: 100 };
    for await (const intent of this.stripe.paymentIntents.list(page)) {
      if (isOfCycle(intent, charge)) ofCycle.push(intent);
    }
    return mostTelling(ofCycle, charge);
  }

  /** Of a key that does not say its mode it is asked before anything is charged. */
  private async askMode(): Promise<Failure | null> {
    if (this.mode.known) return null;
    try {
      return this.mode.see((await this.stripe.balance.retrieve()).livemode);
    } catch (error) {
      const outcome = outcomeOfError(error);
      // A restricted key may lack this one permission: then the first answer tells, and it goes ahead alone.
      if (outcome.kind === 'refused') return error instanceof Stripe.errors.StripePermissionError ? null : outcome;
      if (outcome.kind === 'postponed' || outcome.kind === 'unavailable') return outcome;
      return { kind: 'unavailable', message: 'The payment gateway cannot be reached.' };
    }
  }
}

/** It could not be cancelled, perhaps because it went through meanwhile. */
function stillOpen({ id, status }: Stripe.PaymentIntent): Extract<ChargeOutcome, { kind: 'unknown' }> {
  const message = 'It is not certain yet whether the payment went through.';
  return { kind: 'unknown', repeatable: false, message, detail: `${id} is still ${status}`, transactionId: id };
}

/** A look-up that failed says nothing of the charge; only what the gateway said of itself is worth passing on. */
function nothingLearnt(failure: Failure): Failure & LookUpOutcome {
  switch (failure.kind) {
    case 'refused':
    case 'unavailable':
    case 'postponed':
      return failure;
    case 'unknown':
      return { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: failure.detail };
    case 'declined':
    case 'unchargeable':
      return {
        kind: 'unknown',
        repeatable: false,
        message: 'The payment gateway cannot find the customer or the payment.',
        detail: failure.detail,
      };
  }
}
