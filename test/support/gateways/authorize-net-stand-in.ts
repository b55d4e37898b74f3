import {
  dateMs,
  failure,
  isoSeconds,
  type Json,
  noRecords,
  REASON_TEXTS,
  refusal,
  serverError,
  success,
  summary,
  type Transaction,
  transactionAnswer,
} from './authorize-net-answers.js';
import { Batches, spanFault } from './authorize-net-batches.js';
import { schemaFault } from './authorize-net-schema.js';
import type { Fault } from './faults.js';
import { type Elsewhere, HttpStandIn, type Nature, type ReceivedRequest, type Reply } from './http-stand-in.js';
import { type Capture, secondOf } from './ledger.js';

interface TransactionRequest {
  readonly amount: string;
  readonly currencyCode: string;
  readonly profile: {
    readonly customerProfileId: string;
    readonly paymentProfile: { readonly paymentProfileId: string };
  };
  readonly order: { readonly invoiceNumber: string; readonly description: string };
  readonly transactionSettings: { readonly setting: readonly { settingName: string; settingValue: string }[] };
}

export const NO_PROFILE = '404404404';
/** The description of what the service did not ask for. */
const OF_THE_SHOP = 'of the shop';

/**
 * The part of the Authorize.Net API that GatewayTwo speaks. A payment profile id of the form `9001xxx` is declined with
 * the response reason xxx (`9001002`: declined, `9001004`: pick up card); the customer profile `NO_PROFILE` does not
 * exist.
 */
export class AuthorizeNetStandIn extends HttpStandIn {
  /** Login ids with their transaction keys; empty: every login is let in. */
  readonly accounts = new Map<string, string>();
  /** Logins whose account takes one currency only, is in test mode, or has the Transaction Details API switched off. */
  readonly currencyOf = new Map<string, string>();
  readonly inTestMode = new Set<string>();
  readonly withoutDetails = new Set<string>();
  /** Customer profiles that have been deleted: their transactions are no longer listed as theirs. */
  readonly deletedProfiles = new Set<string>();
  /** Payment profiles that are declined for the time being. */
  readonly declinedNow = new Set<string>();
  /** Where answers about a transaction say whose it is. */
  profilesIn: 'listsAndDetails' | 'details' | 'nothing' = 'listsAndDetails';
  /** Called before a request is answered: what happens at the gateway between two requests. */
  whenAsked: ((request: string, page: number) => void) | null = null;
  private readonly byId = new Map<string, Transaction>();
  /** Under the login and, with the customer profile, once more. */
  private readonly lists = new Map<string, Transaction[]>();
  private readonly byLikeness = new Map<string, Transaction>();
  private readonly hidden = new Set<string>();
  private readonly stored = new Set<string>();
  private readonly batches = new Batches<Transaction>();

  static start(port = 0): Promise<AuthorizeNetStandIn> {
    return new AuthorizeNetStandIn().listen(port);
  }

  /** As at the end of the day: what was captured leaves the unsettled list for a batch. */
  settleAll(state: 'settledSuccessfully' | 'settlementError' = 'settledSuccessfully'): void {
    this.batches.settle(this.byId.values(), this.nowMs(), state);
  }

  settleOne(transId: string): void {
    this.batches.settle([this.byId.get(transId)!], this.nowMs(), 'settledSuccessfully');
  }

  /** Puts the transactions of batches that failed back among the unsettled ones. */
  resetFailedBatches(): void {
    this.batches.reset();
  }

  /** A stored payment profile of a customer profile. */
  attach(card: string, customer: string): void {
    this.stored.add(`${customer}/${card}`);
  }

  /**
   * What the shop's own software charges; `customer` null: without a customer profile. @returns the transaction's id.
   */
  chargeElsewhere(account: string, { customer, card, amount, currency, invoice }: Elsewhere): string {
    const transaction = this.newTransaction(
      account,
      {
        amount: (amount / 100).toFixed(2),
        currencyCode: currency,
        profile: { customerProfileId: customer ?? '', paymentProfile: { paymentProfileId: card } },
        order: { invoiceNumber: invoice ?? `WC-${this.byId.size}`, description: OF_THE_SHOP },
        transactionSettings: { setting: [] },
      },
      null,
      1,
    ) as Transaction;
    this.elsewhere.push({ transactionId: transaction.transId, customer, card, amount, atUtc: new Date(this.nowMs()) });
    return transaction.transId;
  }

  /** No list shows it from now on. */
  hide(transId: string): void {
    this.hidden.add(transId);
  }

  /** Ends what was `undecided`, or changes what was charged, as a person would in the gateway's own interface. */
  finish(transId: string, status: 'capturedPendingSettlement' | 'declined' | 'voided'): void {
    const transaction = this.byId.get(transId)!;
    if (status === 'capturedPendingSettlement') this.capture(transaction);
    transaction.status = status;
  }

  /** As a person does in the merchant interface, which copies the invoice number. `amount`: a decimal, a part of it. */
  refund(transId: string, amount = this.byId.get(transId)!.amount): void {
    const refunded = this.byId.get(transId)!;
    const refund = {
      ...refunded,
      transId: String(60_000_000_000 + this.byId.size),
      amount,
      status: 'refundPendingSettlement',
      settled: false,
      refTransId: transId,
      ...this.present(),
    };
    this.enter(refund);
    this.ledger.givenBack.push({ as: 'refund', transactionId: transId, amount: Math.round(Number(amount) * 100) });
  }

  void(transId: string): void {
    this.finish(transId, 'voided');
    const amount = Math.round(Number(this.byId.get(transId)!.amount) * 100);
    this.ledger.givenBack.push({ as: 'void', transactionId: transId, amount });
  }

  /** As the bank of the customer does. */
  dispute(transId: string): void {
    const transaction = this.byId.get(transId)!;
    transaction.status = 'chargeback';
    const amount = Math.round(Number(transaction.amount) * 100);
    this.ledger.givenBack.push({ as: 'dispute', transactionId: transId, amount });
  }

  /** Something that no gateway does: what was charged is another thing from now on, or was never there (null). */
  falsify(
    transId: string,
    change: Partial<Pick<Transaction, 'amount' | 'customerProfileId' | 'invoiceNumber'>> | null,
  ): void {
    const transaction = this.byId.get(transId)!;
    if (change === null) this.hide(transId);
    Object.assign(transaction, change ?? { account: 'none' });
  }

  /**
   * As after the longest duplicate window: what was sent before `untilMs` of the true clock, but for some attempts:
   * `order/second/attempt`.
   */
  forgetDuplicates(untilMs: number, but: ReadonlySet<string>): void {
    for (const [likeness, { sentMs, invoiceNumber }] of this.byLikeness) {
      const { scheduledOrderId, dueUtc, attempt } = namesOf(invoiceNumber);
      const isKept = but.has(`${scheduledOrderId}/${Date.parse(dueUtc) / 1_000}/${attempt}`);
      if (sentMs < untilMs && !isKept) this.byLikeness.delete(likeness);
    }
  }

  get transactionIds(): string[] {
    return [...this.byId.keys()];
  }

  /** Held for review: `finish` ends them. */
  get undecidedIds(): string[] {
    const held = [...this.byId.values()].filter(({ status }) => status === 'FDSPendingReview');
    return held.map(({ transId }) => transId);
  }

  get invoiceNumbers(): string[] {
    return [...this.byId.values()].map(({ invoiceNumber }) => invoiceNumber);
  }

  protected natureOf({ body }: ReceivedRequest): Nature {
    const charging = body.startsWith('{"createTransactionRequest"');
    const [, account = ''] = /"name":"([^"]*)"/.exec(body) ?? [];
    return { operation: charging ? 'charge' : 'lookUp', account };
  }

  protected rateLimited(): Reply {
    return { status: 429, body: '<html><body>429 Too Many Requests</body></html>' };
  }

  protected answer({ method, url, body }: ReceivedRequest, fault: Fault | null): Reply {
    if (method !== 'POST' || url.pathname !== '/xml/v1/request.api') {
      return { status: 404, body: '<html><body>404</body></html>' };
    }
    const [[request = '', fields] = []] = Object.entries(JSON.parse(body) as Record<string, Json>);
    const invalid = schemaFault(request, fields);
    if (invalid) return failure('E00003', invalid);
    const { name, transactionKey } = fields!.merchantAuthentication as { name: string; transactionKey: string };
    if (this.accounts.size > 0 && this.accounts.get(name) !== transactionKey) {
      return failure('E00007', 'User authentication failed due to invalid authentication values.');
    }
    const { offset = 1 } = (fields!.paging ?? {}) as { offset?: number };
    this.whenAsked?.(request, offset);
    this.batches.settleDue(this.byId.values(), this.nowMs());
    if (request === 'authenticateTestRequest') return success({});
    if (request === 'createTransactionRequest') return this.create(name, fields!, fault);
    if (request === 'getCustomerPaymentProfileRequest') return this.storedProfile(fields!);
    if (this.withoutDetails.has(name)) {
      return failure('E00011', 'Access denied. You do not have permissions to call the Transaction Details API.');
    }
    if (request === 'getTransactionDetailsRequest') return this.details(name, String(fields!.transId));
    if (request === 'getSettledBatchListRequest') return this.batchList(name, fields!);
    if (request === 'getTransactionListRequest') return this.ofBatch(name, fields!);
    return this.list(name, request, fields!);
  }

  private create(account: string, fields: Json, fault: Fault | null): Reply {
    const request = fields.transactionRequest as TransactionRequest;
    const { customerProfileId, paymentProfile } = request.profile;
    if (fault === 'errorBefore') return serverError();
    if (customerProfileId === NO_PROFILE) return failure('E00040', 'The record cannot be found.');
    const currency = this.currencyOf.get(account);
    if (currency && currency !== request.currencyCode) return refusal(3, 39);
    const [, reason] = /^9001(\d{3})$/.exec(paymentProfile.paymentProfileId) ?? [];
    const isDeclined = this.declinedNow.has(paymentProfile.paymentProfileId);
    const transaction = this.newTransaction(account, request, fault, Number(reason ?? (isDeclined ? 2 : 1)));
    if (transaction === 'duplicate') return refusal(3, 11);
    if (fault === 'errorAfter') return serverError();
    const { transId, status, reasonCode } = transaction;
    if (status === 'declined') return refusal(2, reasonCode, transId);
    if (status === 'FDSPendingReview') return transactionAnswer({ responseCode: '4', transId, testRequest: '0' }, 253);
    const inTestMode = this.inTestMode.has(account);
    return transactionAnswer(
      { responseCode: '1', transId: inTestMode ? '0' : transId, testRequest: inTestMode ? '1' : '0' },
      1,
    );
  }

  private newTransaction(
    account: string,
    request: TransactionRequest,
    fault: Fault | null,
    reasonCode: number,
  ): Transaction | 'duplicate' {
    const { amount, currencyCode, profile, order, transactionSettings } = request;
    const setting = transactionSettings.setting.find(({ settingName }) => settingName === 'duplicateWindow');
    const windowMs = Math.min(Number(setting?.settingValue ?? 120), 28_800) * 1_000;
    const { customerProfileId, paymentProfile } = profile;
    const card = paymentProfile.paymentProfileId;
    const likeness = JSON.stringify([account, customerProfileId, card, amount, currencyCode, order.invoiceNumber]);
    const before = this.byLikeness.get(likeness);
    if (before && this.nowMs() - before.submittedMs < windowMs) return 'duplicate';
    const transaction: Transaction = {
      transId: String(60_000_000_000 + this.byId.size),
      account,
      customerProfileId,
      likeness,
      invoiceNumber: order.invoiceNumber,
      amount,
      currencyCode,
      ...this.present(),
      card,
      status: reasonCode !== 1 ? 'declined' : fault === 'undecided' ? 'FDSPendingReview' : 'capturedPendingSettlement',
      settled: false,
      reasonCode,
      reasonText: REASON_TEXTS[reasonCode] ?? 'Declined.',
    };
    if (this.inTestMode.has(account)) return transaction;
    this.enter(transaction);
    if (transaction.status !== 'declined') this.byLikeness.set(likeness, transaction);
    if (transaction.status === 'capturedPendingSettlement' && order.description !== OF_THE_SHOP)
      this.capture(transaction);
    return transaction;
  }

  private present(): Pick<Transaction, 'submittedMs' | 'madeMs' | 'sentMs'> {
    return { submittedMs: this.nowMs(), madeMs: this.elapsedMs(), sentMs: this.sentMs() };
  }

  private enter(transaction: Transaction): void {
    const { account, customerProfileId, transId } = transaction;
    for (const name of [account, `${account}/${customerProfileId}`]) {
      const list = this.lists.get(name);
      if (list) list.push(transaction);
      else this.lists.set(name, [transaction]);
    }
    this.byId.set(transId, transaction);
  }

  private capture(transaction: Transaction): void {
    this.ledger.add({
      account: transaction.account,
      transactionId: transaction.transId,
      ...namesOf(transaction.invoiceNumber),
      amount: transaction.amount,
      currencyIso: transaction.currencyCode,
      atUtc: new Date(transaction.submittedMs),
      sentMs: transaction.sentMs,
      gatewayCustomerId: transaction.customerProfileId,
      gatewayPaymentId: transaction.card,
    });
  }

  private details(account: string, transId: string): Reply {
    const transaction = this.byId.get(transId);
    if (transaction?.account !== account) return failure('E00040', 'The record cannot be found.');
    return success({
      transaction: {
        ...summary(transaction, this.profilesIn !== 'nothing'),
        responseReasonCode: transaction.reasonCode,
        responseReasonDescription: transaction.reasonText,
        order: { invoiceNumber: transaction.invoiceNumber },
        ...(transaction.refTransId === undefined ? {} : { refTransId: transaction.refTransId }),
        authAmount: Number(transaction.amount),
      },
    });
  }

  private storedProfile({ customerProfileId, customerPaymentProfileId }: Json): Reply {
    if (!this.stored.has(`${String(customerProfileId)}/${String(customerPaymentProfileId)}`)) {
      return failure('E00040', 'The record cannot be found.');
    }
    return success({ paymentProfile: { customerProfileId, customerPaymentProfileId } });
  }

  private list(account: string, request: string, fields: Json): Reply {
    const ofCustomer = request === 'getTransactionListForCustomerRequest';
    const customer = String(fields.customerProfileId);
    if (ofCustomer && (customer === NO_PROFILE || this.deletedProfiles.has(customer)))
      return failure('E00040', 'The record cannot be found.');
    const listed = this.lists.get(ofCustomer ? `${account}/${customer}` : account) ?? [];
    return this.page(ofCustomer ? listed : listed.filter(({ settled }) => !settled), fields);
  }

  /** Without dates: of the last 24 hours. */
  private batchList(account: string, { firstSettlementDate: first, lastSettlementDate: last }: Json): Reply {
    const fault = spanFault(first, last);
    if (fault) return failure('E00013', fault);
    const [fromMs, toMs] = first ? [dateMs(first), dateMs(last)] : [this.nowMs() - 86_400_000, this.nowMs()];
    const batches = this.batches.between(account, fromMs, toMs);
    if (batches.length === 0) return noRecords();
    return success({
      batchList: batches.map(({ batchId, settledMs, state }) => ({
        batchId,
        settlementTimeUTC: isoSeconds(settledMs),
        settlementState: state,
        paymentMethod: 'creditCard',
      })),
    });
  }

  private ofBatch(account: string, fields: Json): Reply {
    const batch = this.batches.find(account, String(fields.batchId));
    return batch ? this.page(batch.transactions, fields) : noRecords();
  }

  private page(transactions: readonly Transaction[], { paging, sorting }: Json): Reply {
    const { limit, offset } = (paging ?? { limit: 1_000, offset: 1 }) as { limit: number; offset: number };
    const { orderDescending = false } = (sorting ?? {}) as { orderDescending?: boolean };
    const shownUntilMs = this.elapsedMs() - this.listDelayMs;
    const visible = transactions.filter(({ transId, madeMs }) => madeMs <= shownUntilMs && !this.hidden.has(transId));
    visible.sort((one, other) => one.submittedMs - other.submittedMs || Number(one.transId) - Number(other.transId));
    if (orderDescending) visible.reverse();
    const page = visible.slice((offset - 1) * limit, offset * limit);
    if (page.length === 0) return noRecords();
    return success({
      transactions: page.map((transaction) => summary(transaction, this.profilesIn === 'listsAndDetails')),
      totalNumInResultSet: visible.length,
    });
  }
}

/**
 * Installation, order, second of the occurrence and attempt in 3, 7, 7 and 2 characters of base 36; in an old form:
 * order, cycle and attempt.
 */
function namesOf(invoiceNumber: string): Pick<Capture, 'installation' | 'scheduledOrderId' | 'dueUtc' | 'attempt'> {
  const [order = NaN, cycle = NaN, attemptOfCycle = NaN] = invoiceNumber.split('-').map(Number);
  if (invoiceNumber.length !== 20)
    return { installation: '', scheduledOrderId: order, dueUtc: `cycle ${cycle}`, attempt: attemptOfCycle };
  const [scheduledOrderId = NaN, second = NaN, attempt = NaN] = [
    invoiceNumber.slice(3, 10),
    invoiceNumber.slice(10, 17),
    invoiceNumber.slice(17, 19),
  ].map((digits) => parseInt(digits, 36));
  const dueUtc = secondOf(new Date(second * 1_000));
  return { installation: invoiceNumber.slice(0, 3), scheduledOrderId, dueUtc, attempt };
}
