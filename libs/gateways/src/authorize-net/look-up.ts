import type { Charge, LookUpOutcome } from '../payment-gateway.js';
import { type AuthorizeNetClient, codeOf, isOk } from './client.js';
import { parseInvoiceNumber } from './invoice-number.js';
import { outcomeOfDetails, outcomeOfError, outcomeOfMessages } from './outcomes.js';
import { CHARGED_STATUSES, DECLINED_STATUSES, NEVER_CHARGED_STATUSES, NOT_FOUND, VOIDED_STATUS } from './reasons.js';
import type {
  ApiAnswer,
  TransactionDetails,
  TransactionDetailsAnswer,
  TransactionListAnswer,
  TransactionSummary,
} from './wire.js';

const PAGE = 1_000;
/** For clocks that disagree. */
const MARGIN_MS = 60 * 60 * 1_000;

type Failed = Extract<LookUpOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** The gateway answered a look-up with a refusal of its own. */
class Unanswered extends Error {
  constructor(readonly answer: ApiAnswer) {
    super(codeOf(answer));
  }
}

/**
 * Finds what became of a charge: by its transaction, else by its invoice number among the customer's, then the unsettled ones. Older
 * transactions and other customers' are not it: another installation on the same account counts its orders from 1 as well.
 */
export class LookUp {
  constructor(private readonly client: AuthorizeNetClient) {}

  async of(charge: Charge, transactionId?: string | null): Promise<LookUpOutcome> {
    try {
      const found = transactionId ? await this.ask(transactionId) : await this.find(charge);
      return found ? outcomeOfDetails(found) : { kind: 'notFound' };
    } catch (error) {
      return nothingLearnt(error instanceof Unanswered ? outcomeOfMessages(error.answer) : outcomeOfError(error));
    }
  }

  private async ask(transId: string): Promise<TransactionDetails> {
    const answer = await this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId });
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    return answer.transaction;
  }

  private async find(charge: Charge): Promise<TransactionDetails | undefined> {
    const customer = { customerProfileId: charge.gatewayCustomerId };
    const ofCustomer = await this.list('getTransactionListForCustomerRequest', customer, charge);
    const found = await this.confirmed(ofCustomer.found, charge);
    if (found) return found;
    const unsettled = await this.list('getUnsettledTransactionListRequest', {}, charge);
    const foundUnsettled = await this.confirmed(unsettled.found, charge);
    // A profile that was deleted lists nothing, though its charges may have been settled.
    if (!foundUnsettled && ofCustomer.refusal) throw new Unanswered(ofCustomer.refusal);
    return foundUnsettled;
  }

  /** The details of the first that they do not show to be another customer's: a list may leave the customer out. */
  private async confirmed(
    transactions: readonly TransactionSummary[],
    charge: Charge,
  ): Promise<TransactionDetails | undefined> {
    for (const { transId } of transactions) {
      const details = await this.ask(transId);
      if (isOfCustomer(details, charge)) return details;
    }
    return undefined;
  }

  /** The most telling first. Newest first from the gateway, until the time before which the charge cannot have been made. */
  private async list(
    request: string,
    fields: Readonly<Record<string, unknown>>,
    charge: Charge,
  ): Promise<{ found: TransactionSummary[]; refusal?: ApiAnswer }> {
    const since = charge.startedUtc.getTime() - MARGIN_MS;
    const isYounger = ({ submitTimeUTC }: TransactionSummary) => !(Date.parse(submitTimeUTC) < since);
    const ofCycle: TransactionSummary[] = [];
    for (let offset = 1; ; offset += 1) {
      const answer = await this.client.call<TransactionListAnswer>(request, {
        ...fields,
        sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
        paging: { limit: PAGE, offset },
      });
      if (codeOf(answer) === NOT_FOUND) return { found: [], refusal: answer };
      if (!isOk(answer)) throw new Unanswered(answer);
      const page = answer.transactions ?? [];
      ofCycle.push(...page.filter((one) => isYounger(one) && isOfCycle(one, charge) && isOfCustomer(one, charge)));
      const last = page.at(-1);
      if (page.length < PAGE || (last && !isYounger(last))) break;
    }
    return { found: byWhatTheyTell(ofCycle, charge) };
  }
}

function isOfCycle({ invoiceNumber }: TransactionSummary, charge: Charge): boolean {
  const named = parseInvoiceNumber(invoiceNumber);
  return named?.scheduledOrderId === charge.scheduledOrderId && named.cycle === charge.cycle;
}

function isOfCustomer({ profile }: TransactionSummary | TransactionDetails, charge: Charge): boolean {
  const id = profile?.customerProfileId;
  return id === undefined || Number(id) === Number(charge.gatewayCustomerId);
}

const NOT_CHARGED = new Set([...DECLINED_STATUSES, ...NEVER_CHARGED_STATUSES, VOIDED_STATUS]);

/** Of the transactions of one cycle: charges, those that may become one, this attempt's own failures. */
function byWhatTheyTell(transactions: readonly TransactionSummary[], charge: Charge): TransactionSummary[] {
  const isCharged = ({ transactionStatus }: TransactionSummary) => CHARGED_STATUSES.has(transactionStatus);
  const isOpen = ({ transactionStatus }: TransactionSummary) =>
    !CHARGED_STATUSES.has(transactionStatus) && !NOT_CHARGED.has(transactionStatus);
  const isOwnFailure = ({ transactionStatus, invoiceNumber }: TransactionSummary) =>
    NOT_CHARGED.has(transactionStatus) && parseInvoiceNumber(invoiceNumber)?.attempt === charge.attempt;
  return [isCharged, isOpen, isOwnFailure].flatMap((tells) => transactions.filter(tells));
}

/** A look-up that failed says nothing of the charge; only what the gateway said of itself is worth passing on. */
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
