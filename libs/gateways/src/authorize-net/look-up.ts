import { Since } from '../charge-lists/since.js';
import { givenBack, refundsUnread } from '../given-back.js';
import { dueSecond } from '../occurrence.js';
import type { Charge, LookUpOutcome } from '../payment-gateway.js';
import { accountTransactions } from './account-transactions.js';
import { minorUnits } from './amounts.js';
import { type AuthorizeNetClient, isOk } from './client.js';
import { isRefund, isVoided } from './found-charge.js';
import { namedIn, parseInvoiceNumber } from './invoice-number.js';
import { amountOf, outcomeOfDetails, outcomeOfError, outcomeOfMessages, UNCERTAIN } from './outcomes.js';
import { CHARGED_STATUSES, NOT_CHARGED_STATUSES, NOT_FOUND } from './reasons.js';
import { NotReadWhole, TransactionLists, Unanswered } from './transaction-lists.js';
import type { TransactionDetails, TransactionDetailsAnswer, TransactionSummary } from './wire.js';

/**
 * The most transactions of one customer that are read when the age of the charge is unknown: 100,000. With more, the
 * outcome stays unknown.
 */
const MOST_PAGES = 100;

const SETTLED = 'settledSuccessfully';

type Failed = Extract<LookUpOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

interface Search {
  readonly transactionId?: string | null | undefined;
  /** The longest possible time since it was sent; absent: any time. */
  readonly agoMs?: number | undefined;
  /** The gateway has called it a duplicate, so it must exist: the settled batches are searched too. */
  readonly isKnown?: boolean;
}

/**
 * Finds the outcome of a charge: by its transaction, or by its invoice number among the customer's transactions, then
 * among the unsettled ones, then (only if the charge must exist) in the settled batches. Older transactions and those
 * of other customers do not count, because another installation's three characters may be the same as this one's.
 */
export class LookUp {
  private readonly lists: TransactionLists;

  constructor(private readonly client: AuthorizeNetClient) {
    this.lists = new TransactionLists(client);
  }

  async find(charge: Charge, search: Search): Promise<LookUpOutcome> {
    try {
      if (search.transactionId) return await this.outcomeOf(await this.ask(search.transactionId));
      return (await this.findInLists(charge, search)) ?? { kind: 'notFound' };
    } catch (error) {
      const isMissing = search.transactionId && error instanceof Unanswered && error.message === NOT_FOUND;
      return { ...outcomeOfSearch(error), ...(isMissing ? MISSING : {}) };
    }
  }

  private async ask(transId: string): Promise<TransactionDetails> {
    const answer = await this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId });
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    return answer.transaction;
  }

  private async findInLists(charge: Charge, { agoMs, isKnown }: Search): Promise<LookUpOutcome | undefined> {
    const since = new Since(this.client.clock, agoMs);
    const mostPages = agoMs === undefined ? MOST_PAGES : Infinity;
    let gone: Unanswered | null = null;
    const ofCustomer = await this.search(
      this.lists.ofCustomer(charge.gatewayCustomerId, since, mostPages),
      since,
      charge,
    ).catch((error: unknown) => {
      // A deleted profile lists nothing, although its charges exist.
      if (!(error instanceof Unanswered) || error.message !== NOT_FOUND) throw error;
      gone = error;
      return undefined;
    });
    const found =
      ofCustomer ??
      (await this.search(this.lists.unsettled(since), since, charge)) ??
      (gone || isKnown ? await this.search(this.settled(since), since, charge) : undefined);
    if (!found && gone) return { ...outcomeOfSearch(gone), ...(since.range ? MISSING : {}) };
    return found;
  }

  private async *settled(since: Since): AsyncGenerator<readonly TransactionSummary[], void> {
    if (!since.range) return;
    for (const { batchId } of await this.lists.batches(since.range)) yield* this.lists.ofBatch(batchId);
  }

  private async outcomeOf(details: TransactionDetails): Promise<LookUpOutcome> {
    const outcome = outcomeOfDetails(details);
    if (outcome.kind !== 'succeeded') return outcome;
    try {
      return (await this.isRefunded(details)) ? givenBack(details.transId, 'refunded') : outcome;
    } catch (error) {
      return refundsUnread(details.transId, outcomeOfSearch(error));
    }
  }

  /**
   * Whether all of it was refunded. A refund is a transaction of its own, whose details name the charge. Only what is
   * settled can be refunded.
   */
  private async isRefunded(details: TransactionDetails): Promise<boolean> {
    if (details.transactionStatus !== SETTLED) return false;
    const { clock } = this.client;
    const since = new Since(clock, (clock.nowMs ?? Date.now()) - Date.parse(details.submitTimeUTC));
    let refunded = 0;
    const concerns = (transaction: TransactionSummary, isYoung: boolean) => isYoung && isRefund(transaction);
    for await (const page of accountTransactions(this.lists, since, concerns)) {
      for (const { transId } of page) {
        const { refTransId, settleAmount } = await this.ask(transId);
        if (refTransId === details.transId) refunded += minorUnits(settleAmount ?? 0);
      }
    }
    return refunded > 0 && refunded >= amountOf(details);
  }

  /**
   * The outcome of the transaction that shows most and is not another customer's. The details are needed because a list
   * may lack the customer. What was given back counts for its own attempt alone, and only if nothing else has paid the
   * occurrence.
   */
  private async search(
    pages: AsyncGenerator<readonly TransactionSummary[], void>,
    since: Since,
    charge: Charge,
  ): Promise<LookUpOutcome | undefined> {
    const ofOccurrence = new Map<string, TransactionSummary>();
    for await (const page of pages) {
      for (const one of page) {
        const isYoung = since.includes(Date.parse(one.submitTimeUTC));
        // The refund of a charge may have its invoice number.
        if (isYoung && !isRefund(one) && isOfOccurrence(one, charge) && isOfCustomer(one, charge))
          ofOccurrence.set(one.transId, one);
      }
    }
    let returned: LookUpOutcome | undefined;
    for (const transaction of byWhatTheyTell([...ofOccurrence.values()], charge)) {
      const details = await this.ask(transaction.transId);
      if (!isOfCustomer(details, charge)) continue;
      const outcome = await this.outcomeOf(details);
      if (returned === undefined && outcome.kind !== 'givenBack') return outcome;
      if (outcome.kind === 'succeeded' || outcome.kind === 'unknown') return outcome;
      if (outcome.kind === 'givenBack' && isOfAttempt(transaction, charge)) returned ??= outcome;
    }
    return returned;
  }
}

function isOfOccurrence(transaction: TransactionSummary, charge: Charge): boolean {
  const named = namedIn(transaction, charge.installation);
  if (named?.scheduledOrderId !== charge.scheduledOrderId || named.dueUtc === null) return false;
  return named.installation === 'this' && dueSecond({ dueUtc: named.dueUtc }) === dueSecond(charge);
}

const isOfAttempt = ({ invoiceNumber }: TransactionSummary, { attempt }: Charge): boolean =>
  parseInvoiceNumber(invoiceNumber)?.attempt === attempt;

function isOfCustomer({ profile }: TransactionSummary | TransactionDetails, charge: Charge): boolean {
  const id = profile?.customerProfileId;
  return id === undefined || Number(id) === Number(charge.gatewayCustomerId);
}

/**
 * Sorts the transactions of one occurrence: charges, then those that may become one, then what was voided, then
 * failures of this attempt.
 */
function byWhatTheyTell(transactions: readonly TransactionSummary[], charge: Charge): TransactionSummary[] {
  const isCharged = ({ transactionStatus }: TransactionSummary) => CHARGED_STATUSES.has(transactionStatus);
  const isOpen = ({ transactionStatus }: TransactionSummary) =>
    !CHARGED_STATUSES.has(transactionStatus) && !NOT_CHARGED_STATUSES.has(transactionStatus);
  const isOwnVoided = (transaction: TransactionSummary) => isVoided(transaction) && isOfAttempt(transaction, charge);
  const isOwnFailure = (transaction: TransactionSummary) =>
    NOT_CHARGED_STATUSES.has(transaction.transactionStatus) &&
    !isVoided(transaction) &&
    isOfAttempt(transaction, charge);
  return [isCharged, isOpen, isOwnVoided, isOwnFailure].flatMap((tells) => transactions.filter(tells));
}

/**
 * The account has no such transaction; or the customer's profile is deleted, and the account's own lists have been read
 * to the end.
 */
const MISSING = { missing: true } as const;

/** The outcome of a failed look-up or list. It shows nothing about any charge, only about the gateway. */
export function outcomeOfSearch(error: unknown): Failed {
  if (error instanceof NotReadWhole) {
    return { kind: 'unknown', repeatable: false, message: UNCERTAIN, detail: error.message };
  }
  return nothingLearnt(error instanceof Unanswered ? outcomeOfMessages(error.answer) : outcomeOfError(error));
}

/** A failed look-up shows nothing about the charge. Only the gateway's answer about itself is passed on. */
export function nothingLearnt(failure: ReturnType<typeof outcomeOfMessages | typeof outcomeOfError>): Failed {
  switch (failure.kind) {
    case 'refused':
    case 'unavailable':
    case 'postponed':
      return failure;
    case 'unknown':
      return { kind: 'unavailable', message: 'The payment gateway did not answer.', detail: failure.detail };
    case 'declined':
      return {
        kind: 'unknown',
        repeatable: false,
        message: 'The payment gateway cannot find the customer or the payment.',
        detail: failure.detail,
      };
  }
}
