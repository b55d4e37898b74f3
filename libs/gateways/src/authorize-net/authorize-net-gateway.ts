import { AccountProbe } from '../account-probe.js';
import { handOver } from '../charge-lists/hand-over.js';
import { descriptionOf } from '../occurrence.js';
import type {
  AccountPayment,
  Charge,
  ChargeList,
  ChargeOutcome,
  ChargeQuery,
  FoundCharge,
  GatewayCredentials,
  InDoubtCharge,
  LookUpOutcome,
  MaySend,
  PaymentGateway,
  PaymentQuery,
  ResolveOutcome,
  StoredMethod,
  Verification,
} from '../payment-gateway.js';
import { hasSandboxKey } from '../sandbox-gateway.js';
import type { ThrottledClient } from '../throttle/throttled-client.js';
import { conclusion, searchMs, type Unseen } from '../under-way.js';
import { accountPayments } from './account-payments.js';
import { decimalAmount } from './amounts.js';
import { AuthorizeNetClient, codeOf, type GatewayTwoUrls, isOk } from './client.js';
import { FoundCharges } from './found-charges.js';
import { invoiceNumber } from './invoice-number.js';
import { LookUp, nothingLearnt, outcomeOfSearch } from './look-up.js';
import { outcomeOfError, outcomeOfMessages, outcomeOfTransaction, UNCERTAIN } from './outcomes.js';
import { MISSING_CODES } from './reasons.js';
import type { CreateTransactionAnswer } from './wire.js';

/** The longest duplicate window of Authorize.Net. Within it the same request is answered as a duplicate. */
const DUPLICATE_WINDOW_SECONDS = 28_800;
const DUPLICATE_WINDOW_MS = DUPLICATE_WINDOW_SECONDS * 1_000;
/** Nothing is sent again later than this after the first sending; the margin covers queues and clocks. */
const RESENDABLE_FOR_MS = DUPLICATE_WINDOW_MS - 15 * 60 * 1_000;

/**
 * GatewayTwo: customer profiles of the Authorize.Net API. It has no idempotency keys: a charge is recognised by its
 * invoice number.
 */
export class AuthorizeNetGateway implements PaymentGateway {
  private readonly client: AuthorizeNetClient;
  private readonly lookUps: LookUp;
  private readonly foundCharges: FoundCharges;
  private readonly probe = new AccountProbe();
  private readonly unusable: Extract<ChargeOutcome, { kind: 'refused' }> | null;

  constructor(
    credentials: GatewayCredentials,
    line: ThrottledClient,
    private readonly options: GatewayTwoUrls & Unseen,
  ) {
    this.client = new AuthorizeNetClient(credentials, line, options);
    this.lookUps = new LookUp(this.client);
    this.foundCharges = new FoundCharges(this.client);
    this.unusable = unusable(credentials);
  }

  async charge(charge: Charge, maySend?: MaySend): Promise<ChargeOutcome> {
    const decimal = decimalAmount(charge.amount, charge.currencyIso);
    if ('refusal' in decimal) return { kind: 'unchargeable', message: decimal.refusal };
    const invoice = invoiceOf(charge);
    if ('refusal' in invoice) return { kind: 'unchargeable', message: invoice.refusal };
    if (this.unusable) return this.unusable;
    return this.probe.run(() => this.send(charge, { ...decimal, ...invoice }, maySend));
  }

  async resolve(charge: Charge, attempt: InDoubtCharge, maySend?: MaySend): Promise<ResolveOutcome> {
    const { ageMs, mayRepeat, quietMs, isKnownToGateway, transactionId } = attempt;
    if (this.unusable) return this.unusable;
    const agoMs = Math.max(searchMs(attempt), isKnownToGateway ? DUPLICATE_WINDOW_MS : 0);
    const looked = await this.lookUps.find(charge, { transactionId, agoMs, isKnown: isKnownToGateway });
    const resendable = mayRepeat && quietMs === null && ageMs < RESENDABLE_FOR_MS;
    // The duplicate window protects against lists that are behind: if they lack the charge, the gateway answers
    // "duplicate".
    const listLagMs = resendable ? 0 : this.options.listLagMs;
    const found = conclusion(looked, attempt, { ...this.options, listLagMs, repeatedForMs: RESENDABLE_FOR_MS });
    return found.kind === 'notFound' && resendable ? this.charge(charge, maySend) : found;
  }

  async lookUp(charge: Charge, transactionId?: string | null, agoMs?: number): Promise<LookUpOutcome> {
    return this.unusable ?? this.lookUps.find(charge, { transactionId, agoMs });
  }

  async listCharges(query: ChargeQuery, page: (charges: readonly FoundCharge[]) => Promise<void>): Promise<ChargeList> {
    return this.unusable ?? handOver(this.foundCharges.pages(query), page, outcomeOfSearch);
  }

  async listPayments(
    query: PaymentQuery,
    page: (payments: readonly AccountPayment[]) => Promise<void>,
  ): Promise<ChargeList> {
    return this.unusable ?? handOver(accountPayments(this.client, query), page, outcomeOfSearch);
  }

  async findMethod(customerProfileId: string, customerPaymentProfileId: string): Promise<StoredMethod> {
    if (this.unusable) return this.unusable;
    const missing = `The account has no payment profile ${customerPaymentProfileId} of a customer profile ${customerProfileId}.`;
    // Other ids than numbers break the gateway's schema.
    if (![customerProfileId, customerPaymentProfileId].every(isNumeric)) return { kind: 'missing', message: missing };
    try {
      const profile = { customerProfileId, customerPaymentProfileId };
      const answer = await this.client.call('getCustomerPaymentProfileRequest', profile);
      if (isOk(answer)) return { kind: 'stored' };
      if (MISSING_CODES.has(codeOf(answer))) return { kind: 'missing', message: missing };
      return nothingLearnt(outcomeOfMessages(answer));
    } catch (error) {
      return nothingLearnt(outcomeOfError(error));
    }
  }

  async verify(): Promise<Verification> {
    if (this.unusable) return { verified: false, message: this.unusable.message };
    try {
      const authenticated = await this.client.call('authenticateTestRequest', {});
      if (!isOk(authenticated)) return { verified: false, message: outcomeOfMessages(authenticated).message };
      const paging = { limit: 1, offset: 1 };
      // Without the Transaction Details API an unknown charge could never be looked up.
      const list = await this.client.call('getUnsettledTransactionListRequest', { paging });
      if (isOk(list)) return { verified: true };
      return {
        verified: false,
        message: "The account's Transaction Details API is off: it must be on, so that charges can be looked up.",
      };
    } catch (error) {
      return { verified: false, message: nothingLearnt(outcomeOfError(error)).message };
    }
  }

  private async send(charge: Charge, { amount, invoice }: Sent, maySend?: MaySend): Promise<ChargeOutcome> {
    try {
      const fields = {
        refId: invoice,
        transactionRequest: {
          transactionType: 'authCaptureTransaction',
          amount,
          currencyCode: charge.currencyIso,
          profile: {
            customerProfileId: charge.gatewayCustomerId,
            paymentProfile: { paymentProfileId: charge.gatewayPaymentId },
          },
          order: {
            invoiceNumber: invoice,
            description: descriptionOf(charge),
          },
          transactionSettings: {
            setting: [{ settingName: 'duplicateWindow', settingValue: String(DUPLICATE_WINDOW_SECONDS) }],
          },
        },
      };
      const answer = await this.client.call<CreateTransactionAnswer>('createTransactionRequest', fields, maySend);
      const outcome = outcomeOfTransaction(answer);
      return outcome === 'duplicate' ? await this.chargedAlready(charge) : outcome;
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  /**
   * "A duplicate transaction has been submitted": the gateway has this charge, with the same customer, card, amount and
   * number, from within the duplicate window. If a look-up does not find it, or finds only a failure, the lists are
   * behind. It does not show that nothing was charged.
   */
  private async chargedAlready(charge: Charge): Promise<ChargeOutcome> {
    const found = await this.lookUps.find(charge, { agoMs: DUPLICATE_WINDOW_MS, isKnown: true });
    if (found.kind === 'succeeded') return found;
    if (found.kind === 'unknown') return { ...found, duplicate: true };
    return {
      kind: 'unknown',
      repeatable: false,
      duplicate: true,
      message: UNCERTAIN,
      detail: `the gateway calls it a duplicate; look-up: ${found.kind}`,
    };
  }
}

interface Sent {
  /** A decimal. */
  readonly amount: string;
  readonly invoice: string;
}

/** The invoice number of a charge, or a sentence that says why it has none. */
function invoiceOf(charge: Charge): { invoice: string } | { refusal: string } {
  try {
    return { invoice: invoiceNumber(charge) };
  } catch (error) {
    return { refusal: `The payment gateway cannot take this charge: ${(error as RangeError).message}` };
  }
}

const isNumeric = (id: string) => /^\d+$/.test(id);

function unusable({ apiAccount, apiKey1 }: GatewayCredentials): Extract<ChargeOutcome, { kind: 'refused' }> | null {
  if (!apiAccount) return { kind: 'refused', message: 'The payment integration has no login id (ApiAccount).' };
  if (!apiKey1) return { kind: 'refused', message: 'The payment integration has no transaction key (ApiKey1).' };
  if (hasSandboxKey(apiKey1)) return { kind: 'refused', message: 'A sandbox key works in TestMode only.' };
  return null;
}
