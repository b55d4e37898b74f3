import { dueSecond } from '../occurrence.js';
import type { Charge, LookUpOutcome } from '../payment-gateway.js';
import { Since } from '../since.js';
import { type AuthorizeNetClient, isOk } from './client.js';
import { namedIn, parseInvoiceNumber } from './invoice-number.js';
import { outcomeOfDetails, outcomeOfError, outcomeOfMessages, UNCERTAIN } from './outcomes.js';
import { CHARGED_STATUSES, NOT_CHARGED_STATUSES, NOT_FOUND } from './reasons.js';
import { NotReadWhole, TransactionLists, Unanswered } from './transaction-lists.js';
import type { TransactionDetails, TransactionDetailsAnswer, TransactionSummary } from './wire.js';

/** The most transactions of one customer that are read when the age of the charge is unknown: 100,000. With more, the outcome stays unknown. */
const MOST_PAGES = 100;

type Failed = Extract<LookUpOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

interface Asked {
  readonly transactionId?: string | null | undefined;
  /** The longest possible time since it was sent; absent: any time. */
  readonly agoMs?: number | undefined;
  /** The gateway has called it a duplicate, so it must exist: the settled batches are searched too. */
  readonly isKnown?: boolean;
}

/**
 * Finds the outcome of a charge: by its transaction, or by its invoice number among the customer's transactions, then among the unsettled ones, then
 * (only if the charge must exist) in the settled batches. Older transactions and those of other customers do not count, because other software may
 * make the invoice numbers that earlier versions made.
 */
export class LookUp {
  private readonly lists: TransactionLists;

  constructor(private readonly client: AuthorizeNetClient) {
    this.lists = new TransactionLists(client);
  }

  async of(charge: Charge, asked: Asked): Promise<LookUpOutcome> {
    try {
      const found = asked.transactionId ? await this.ask(asked.transactionId) : await this.find(charge, asked);
      return found ? outcomeOfDetails(found) : { kind: 'notFound' };
    } catch (error) {
      return outcomeOfSearch(error);
    }
  }

  private async ask(transId: string): Promise<TransactionDetails> {
    const answer = await this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId });
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    return answer.transaction;
  }

  private async find(charge: Charge, { agoMs, isKnown }: Asked): Promise<TransactionDetails | undefined> {
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
    if (!found && gone) throw gone as Unanswered;
    return found;
  }

  private async *settled(since: Since): AsyncGenerator<readonly TransactionSummary[], void> {
    if (!since.range) return;
    for (const { batchId } of await this.lists.batches(since.range)) yield* this.lists.ofBatch(batchId);
  }

  /** The details of the transaction that shows most and is not another customer's. The details are needed because a list may lack the customer. */
  private async search(
    pages: AsyncGenerator<readonly TransactionSummary[], void>,
    since: Since,
    charge: Charge,
  ): Promise<TransactionDetails | undefined> {
    const ofOccurrence = new Map<string, TransactionSummary>();
    for await (const page of pages) {
      for (const one of page) {
        const isYoung = since.includes(Date.parse(one.submitTimeUTC));
        if (isYoung && isOfOccurrence(one, charge) && isOfCustomer(one, charge)) ofOccurrence.set(one.transId, one);
      }
    }
    for (const { transId } of byWhatTheyTell([...ofOccurrence.values()], charge)) {
      const details = await this.ask(transId);
      if (isOfCustomer(details, charge)) return details;
    }
    return undefined;
  }
}

/** The number of a cycle counts only for an attempt that an earlier version froze. */
function isOfOccurrence(transaction: TransactionSummary, charge: Charge): boolean {
  const named = namedIn(transaction, charge.installation);
  if (named?.scheduledOrderId !== charge.scheduledOrderId) return false;
  if (named.dueUtc === null) return charge.cycle !== null && named.cycle === charge.cycle;
  return named.installation === 'this' && dueSecond({ dueUtc: named.dueUtc }) === dueSecond(charge);
}

function isOfCustomer({ profile }: TransactionSummary | TransactionDetails, charge: Charge): boolean {
  const id = profile?.customerProfileId;
  return id === undefined || Number(id) === Number(charge.gatewayCustomerId);
}

/** Sorts the transactions of one occurrence: charges, then those that may become one, then failures of this attempt. */
function byWhatTheyTell(transactions: readonly TransactionSummary[], charge: Charge): TransactionSummary[] {
  const isCharged = ({ transactionStatus }: TransactionSummary) => CHARGED_STATUSES.has(transactionStatus);
  const isOpen = ({ transactionStatus }: TransactionSummary) =>
    !CHARGED_STATUSES.has(transactionStatus) && !NOT_CHARGED_STATUSES.has(transactionStatus);
  const isOwnFailure = ({ transactionStatus, invoiceNumber }: TransactionSummary) =>
    NOT_CHARGED_STATUSES.has(transactionStatus) && parseInvoiceNumber(invoiceNumber)?.attempt === charge.attempt;
  return [isCharged, isOpen, isOwnFailure].flatMap((tells) => transactions.filter(tells));
}

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
