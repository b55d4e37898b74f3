import Stripe from 'stripe';
import { AccountProbe } from '../account-probe.js';
import { handOver } from '../charge-lists/hand-over.js';
import { Since } from '../charge-lists/since.js';
import { givenBack, refundsUnread } from '../given-back.js';
import type {
  AccountPayment,
  Charge,
  ChargeList,
  ChargeOutcome,
  ChargeQuery,
  FoundCharge,
  GatewayCredentials,
  GivenBack,
  InDoubtCharge,
  LookUpOutcome,
  MaySend,
  PaymentGateway,
  PaymentQuery,
  ResolveOutcome,
  StoredMethod,
  Verification,
} from '../payment-gateway.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';
import { conclusion, conclusionOfRepetition, searchMs, type Unseen } from '../under-way.js';
import { stripeAmount } from './amounts.js';
import { isRefunded } from './given-back.js';
import { IntentSearch, outcomeOfSearch } from './intent-search.js';
import { IntentSender } from './intent-sender.js';
import { chargedAmount, isOfAttempt, metadataOf } from './intents.js';
import { AccountMode, type Refused, unusableKey } from './mode.js';
import { type Failure, outcomeOfError } from './outcomes.js';
import { paymentPages } from './payment-list.js';
import { findMethod, outcomeOfPaymentList } from './stored-method.js';
import { StripeApi } from './stripe-api.js';

const OWN_URL = 'https://api.stripe.com';
const HOUR_MS = 60 * 60 * 1_000;
/** Stripe keeps a key for at least 24 hours. */
const REPEATABLE_FOR_MS = 23 * HOUR_MS;

/** GatewayOne: off-session PaymentIntents of the Stripe API. */
export class StripeGateway implements PaymentGateway {
  private readonly api: StripeApi;
  private readonly sender: IntentSender;
  private readonly search: IntentSearch;
  private readonly probe = new AccountProbe();
  private readonly mode: AccountMode;
  /** The reason why nothing may be sent. */
  private readonly unusable: Refused | null;

  constructor(
    credentials: GatewayCredentials,
    private readonly line: ThrottledClient,
    private readonly options: Unseen & { readonly url?: string | null | undefined },
  ) {
    this.unusable = unusableKey(credentials);
    this.mode = new AccountMode(credentials);
    this.api = new StripeApi(line, options.url ?? OWN_URL, credentials.apiKey1 ?? '');
    this.sender = new IntentSender(this.api, this.mode);
    this.search = new IntentSearch(this.api, line.clock);
  }

  async charge(charge: Charge, maySend?: MaySend): Promise<ChargeOutcome> {
    const units = stripeAmount(charge.amount, charge.currencyIso);
    if ('refusal' in units) return { kind: 'unchargeable', message: units.refusal };
    return this.probe.run(async () => {
      const refusal = this.unusable ?? this.mode.wrong ?? (await this.askMode());
      return refusal ?? this.sender.send({ charge, amount: units.amount, metadata: metadataOf(charge) }, maySend);
    });
  }

  async resolve(charge: Charge, attempt: InDoubtCharge, maySend?: MaySend): Promise<ResolveOutcome> {
    const { transactionId } = attempt;
    const agoMs = searchMs(attempt);
    if (!isRepeatable(attempt) || this.mode.wrong) {
      const sendings = { ...this.options, repeatedForMs: REPEATABLE_FOR_MS };
      return conclusion(await this.lookUp(charge, transactionId, agoMs), attempt, sendings);
    }
    // With the same key, and so with the same parameters.
    const again = await this.charge(charge, maySend);
    // It may be the stored answer to the first sending.
    if (again.kind === 'succeeded') return (await this.whetherRefunded(again.transactionId)) ?? again;
    if (again.kind === 'refused') return again;
    if (again.kind === 'unavailable' || again.kind === 'postponed') return again;
    if (again.kind === 'unknown' && again.repeatable) return again;
    // A stored 500, `processing`, or a refusal that may have come before the gateway looked for a stored answer.
    const found = await this.lookUp(charge, again.kind === 'unknown' ? again.transactionId : null, agoMs);
    if (found.kind !== 'notFound') return found;
    if (again.kind !== 'unknown') return again;
    return conclusionOfRepetition(again, attempt, this.options);
  }

  async lookUp(charge: Charge, transactionId?: string | null, agoMs?: number): Promise<LookUpOutcome> {
    if (this.unusable) return this.unusable;
    try {
      if (transactionId) return await this.conclude(await this.api.intent(transactionId));
      let returned: GivenBack | undefined;
      for (const intent of await this.search.find(charge, agoMs)) {
        const outcome = await this.conclude(intent);
        if (returned === undefined && outcome.kind !== 'givenBack') return outcome;
        if (outcome.kind === 'succeeded' || outcome.kind === 'unknown') return outcome;
        // It counts for its own attempt alone, and only if nothing else has paid the occurrence.
        if (outcome.kind === 'givenBack' && isOfAttempt(intent, charge)) returned ??= outcome;
      }
      return returned ?? { kind: 'notFound' };
    } catch (error) {
      const isMissing =
        transactionId && error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';
      return { ...outcomeOfSearch(error), ...(isMissing ? { missing: true } : {}) };
    }
  }

  async listCharges(query: ChargeQuery, page: (charges: readonly FoundCharge[]) => Promise<void>): Promise<ChargeList> {
    return this.unusable ?? handOver(this.search.charges(query), page, outcomeOfSearch);
  }

  async listPayments(
    { agoMs, installation }: PaymentQuery,
    page: (payments: readonly AccountPayment[]) => Promise<void>,
  ): Promise<ChargeList> {
    if (this.unusable) return this.unusable;
    const pages = paymentPages(this.api, new Since(this.line.clock, agoMs), installation);
    return handOver(pages, page, outcomeOfPaymentList);
  }

  async findMethod(gatewayCustomerId: string, gatewayPaymentId: string): Promise<StoredMethod> {
    return this.unusable ?? findMethod(this.api, gatewayCustomerId, gatewayPaymentId);
  }

  async verify(): Promise<Verification> {
    const known = this.unusable ?? this.mode.wrong;
    if (known) return { verified: false, message: known.message };
    try {
      // Checks the permissions for charging and for looking up, not only any permission.
      const { data } = await this.api.intents({ limit: 1 });
      const livemode = data[0]?.livemode;
      const refusal = livemode === undefined ? await this.askMode() : this.mode.see(livemode);
      return refusal ? { verified: false, message: refusal.message } : { verified: true };
    } catch (error) {
      return { verified: false, message: outcomeOfSearch(error).message };
    }
  }

  /** @throws the errors of `StripeApi`. */
  private async conclude(intent: Stripe.PaymentIntent): Promise<LookUpOutcome> {
    const outcome = await this.sender.conclude(intent);
    if (outcome.kind !== 'succeeded') return outcome;
    return (await this.whetherRefunded(intent.id)) ?? { ...outcome, chargedAmount: chargedAmount(intent) };
  }

  /** Null: it is not. */
  private async whetherRefunded(intentId: string): Promise<LookUpOutcome | null> {
    try {
      return (await isRefunded(this.api, intentId)) ? givenBack(intentId, 'refunded') : null;
    } catch (error) {
      return refundsUnread(intentId, outcomeOfSearch(error));
    }
  }

  /** When the key does not show its mode, the gateway is asked before anything is charged. */
  private async askMode(): Promise<Failure | null> {
    if (this.mode.known) return null;
    try {
      return this.mode.see((await this.api.balance()).livemode);
    } catch (error) {
      const outcome = outcomeOfError(error);
      // A restricted key may lack this one permission. Then the first charge shows the mode, and it goes alone.
      if (outcome.kind === 'refused') return error instanceof Stripe.errors.StripePermissionError ? null : outcome;
      if (outcome.kind === 'postponed' || outcome.kind === 'unavailable') return outcome;
      return { kind: 'unavailable', message: 'The payment gateway cannot be reached.' };
    }
  }
}

/** Whether the same request may be sent again with the same key: only while the gateway surely still knows the key. */
function isRepeatable({ ageMs, mayRepeat, quietMs, isKnownToGateway, transactionId }: InDoubtCharge): boolean {
  return mayRepeat && quietMs === null && !isKnownToGateway && !transactionId && ageMs < REPEATABLE_FOR_MS;
}
