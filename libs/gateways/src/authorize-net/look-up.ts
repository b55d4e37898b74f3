import type { Charge, LookUpOutcome } from '../payment-gateway.js';
import { type AuthorizeNetClient, codeOf, isOk } from './client.js';
import { parseInvoiceNumber } from './invoice-number.js';
import { outcomeOfDetails, outcomeOfError, outcomeOfMessages } from './outcomes.js';
import { CHARGED_STATUSES, DECLINED_STATUSES, NEVER_CHARGED_STATUSES, NOT_FOUND, VOIDED_STATUS } from './reasons.js';
import type { ApiAnswer, TransactionDetailsAnswer, TransactionListAnswer, TransactionSummary } from './wire.js';

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

/** Finds what became of a charge: by its transaction, else by its invoice number among the customer's, then the unsettled ones. */
export class LookUp {
  constructor(private readonly client: AuthorizeNetClient) {}

  async of(charge: Charge, transactionId?: string | null): Promise<LookUpOutcome> {
    try {
      const id = transactionId ?? (await this.find(charge))?.transId;
      return id === undefined ? { kind: 'notFound' } : await this.ask(id, charge);
    } catch (error) {
      return nothingLearnt(error instanceof Unanswered ? outcomeOfMessages(error.answer) : outcomeOfError(error));
    }
  }

  private async ask(transId: string, charge: Charge): Promise<LookUpOutcome> {
    const answer = await this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId });
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    return outcomeOfDetails(answer.transaction, charge);
  }

  private async find(charge: Charge): Promise<TransactionSummary | undefined> {
    const customer = { customerProfileId: charge.gatewayCustomerId };
    const ofCustomer = await this.search('getTransactionListForCustomerRequest', customer, charge);
    if (ofCustomer.found) return ofCustomer.found;
    const { found } = await this.search('getUnsettledTransactionListRequest', {}, charge);
    // A profile that was deleted lists nothing, though its charges may have been settled.
    if (!found && ofCustomer.refusal) throw new Unanswered(ofCustomer.refusal);
    return found;
  }

  /** Newest first, until the time before which the charge cannot have been made. */
  private async search(
    request: string,
    fields: Readonly<Record<string, unknown>>,
    charge: Charge,
  ): Promise<{ found?: TransactionSummary; refusal?: ApiAnswer }> {
    const since = charge.startedUtc.getTime() - MARGIN_MS;
    const ofCycle: TransactionSummary[] = [];
    for (let offset = 1; ; offset += 1) {
      const answer = await this.client.call<TransactionListAnswer>(request, {
        ...fields,
        sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
        paging: { limit: PAGE, offset },
      });
      if (codeOf(answer) === NOT_FOUND) return { refusal: answer };
      if (!isOk(answer)) throw new Unanswered(answer);
      const page = answer.transactions ?? [];
      ofCycle.push(...page.filter((transaction) => isOfCycle(transaction, charge)));
      const last = page.at(-1);
      if (page.length < PAGE || (last && Date.parse(last.submitTimeUTC) < since)) break;
    }
    return { found: mostTelling(ofCycle, charge) };
  }
}

function isOfCycle({ invoiceNumber }: TransactionSummary, charge: Charge): boolean {
  const named = parseInvoiceNumber(invoiceNumber);
  return named?.scheduledOrderId === charge.scheduledOrderId && named.cycle === charge.cycle;
}

const NOT_CHARGED = new Set([...DECLINED_STATUSES, ...NEVER_CHARGED_STATUSES, VOIDED_STATUS]);

/** Of the transactions of one cycle: a charge, one that may become one, this attempt's own failure. */
function mostTelling(transactions: readonly TransactionSummary[], charge: Charge): TransactionSummary | undefined {
  return (
    transactions.find(({ transactionStatus }) => CHARGED_STATUSES.has(transactionStatus)) ??
    transactions.find(({ transactionStatus }) => !NOT_CHARGED.has(transactionStatus)) ??
    transactions.find(({ invoiceNumber }) => parseInvoiceNumber(invoiceNumber)?.attempt === charge.attempt)
  );
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
