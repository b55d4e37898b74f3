import { readOnce, type ReadPage } from '../charge-lists/paging.js';
import type { Since } from '../charge-lists/since.js';
import { type AuthorizeNetClient, codeOf, isOk } from './client.js';
import type {
  ApiAnswer,
  SettledBatch,
  SettledBatchListAnswer,
  TransactionDetailsAnswer,
  TransactionListAnswer,
  TransactionSummary,
} from './wire.js';

const PAGE = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** One request can ask for batches of at most 31 days. */
const LONGEST_SPAN_MS = 31 * DAY_MS;
/** How often the unsettled list is read again because transactions left it while it was read. */
const MOST_READINGS = 5;

type Transactions = readonly TransactionSummary[];

/** The gateway answered a look-up with a refusal of its own. */
export class Unanswered extends Error {
  constructor(readonly answer: ApiAnswer) {
    super(codeOf(answer));
  }
}

/** The list is longer than the part that was read, or keeps changing: it may have more transactions. */
export class NotReadWhole extends Error {
  override readonly name = 'NotReadWhole';
}

/**
 * The lists of an account's transactions, page by page, newest first. @throws Unanswered, NotReadWhole, and the
 * client's errors.
 */
export class TransactionLists {
  constructor(
    private readonly client: AuthorizeNetClient,
    private readonly read: ReadPage = readOnce,
  ) {}

  /** Settled or not. A deleted profile is refused (E00040), although its transactions exist. */
  async *ofCustomer(customerProfileId: string, since: Since, mostPages = Infinity): AsyncGenerator<Transactions, void> {
    let pages = 0;
    for await (const { transactions = [] } of this.answers('getTransactionListForCustomerRequest', {
      customerProfileId,
    })) {
      yield transactions;
      if (reachesBefore(since, transactions)) return;
      pages += 1;
      if (pages === mostPages && transactions.length === PAGE) {
        throw new NotReadWhole(`more than ${mostPages * PAGE} transactions of the customer`);
      }
    }
  }

  /**
   * When a transaction leaves the list during the reading, the others move to earlier pages and would be missed. The
   * totals show it, because new transactions move the others in the other direction. Then the list is read again, so
   * transactions may come twice.
   */
  async *unsettled(since: Since): AsyncGenerator<Transactions, void> {
    for (let reading = 0; reading < MOST_READINGS; reading += 1) {
      let total = 0;
      let read = 0;
      let isWhole = true;
      for await (const answer of this.answers('getUnsettledTransactionListRequest', {})) {
        const { transactions = [], totalNumInResultSet } = answer;
        read += transactions.length;
        yield transactions;
        if (reachesBefore(since, transactions)) break;
        // A page that is now empty has no total.
        isWhole &&= (totalNumInResultSet ?? read) >= total;
        total = totalNumInResultSet ?? total;
      }
      if (isWhole) return;
    }
    throw new NotReadWhole('the list of unsettled transactions kept changing');
  }

  /**
   * The batches that were settled between two times of the gateway. Batches whose settlement failed come first: their
   * transactions may be in a later batch again, so a reader only has to remember those.
   */
  async batches({ fromMs, toMs }: { fromMs: number; toMs: number }): Promise<readonly SettledBatch[]> {
    const byId = new Map<string, SettledBatch>();
    for (let ms = fromMs; ms < toMs; ms += LONGEST_SPAN_MS) {
      const span = {
        firstSettlementDate: wholeSeconds(ms),
        lastSettlementDate: wholeSeconds(Math.min(ms + LONGEST_SPAN_MS, toMs)),
      };
      const answer = await this.read(() =>
        this.client.call<SettledBatchListAnswer>('getSettledBatchListRequest', span),
      );
      if (!isOk(answer)) throw new Unanswered(answer);
      for (const batch of answer.batchList ?? []) byId.set(batch.batchId, batch);
    }
    const batches = [...byId.values()];
    return [...batches.filter(hasFailed), ...batches.filter((batch) => !hasFailed(batch))];
  }

  /** `from`: the first page, counted from 1. */
  async *ofBatch(batchId: string, from = 1): AsyncGenerator<Transactions, void> {
    for await (const { transactions = [] } of this.answers('getTransactionListRequest', { batchId }, from))
      yield transactions;
  }

  /**
   * The transaction, with the profile that it charged. Where its list does not say, its details are asked; none: a
   * purchase as a guest, for example.
   */
  async withProfile(transaction: TransactionSummary): Promise<TransactionSummary> {
    const { transId, profile } = transaction;
    if (profile !== undefined) return transaction;
    const answer = await this.read(() =>
      this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId }),
    );
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    const details = answer.transaction;
    return details.profile === undefined ? transaction : { ...transaction, profile: details.profile };
  }

  private async *answers(
    request: string,
    fields: Readonly<Record<string, unknown>>,
    from = 1,
  ): AsyncGenerator<TransactionListAnswer, void> {
    for (let offset = from; ; offset += 1) {
      const page = {
        ...fields,
        sorting: { orderBy: 'submitTimeUTC', orderDescending: true },
        paging: { limit: PAGE, offset },
      };
      const answer = await this.read(() => this.client.call<TransactionListAnswer>(request, page));
      if (!isOk(answer)) throw new Unanswered(answer);
      yield answer;
      if ((answer.transactions ?? []).length < PAGE) return;
    }
  }
}

export const hasFailed = ({ settlementState }: SettledBatch): boolean => settlementState === 'settlementError';

/** Whether the next pages of the list are older than the search needs. */
function reachesBefore(since: Since, transactions: Transactions): boolean {
  const [newest] = transactions;
  const oldest = transactions.at(-1);
  if (!newest || !oldest) return false;
  since.includes(Date.parse(newest.submitTimeUTC));
  return !since.includes(Date.parse(oldest.submitTimeUTC));
}

/** In the form of XML Schema. */
const wholeSeconds = (ms: number) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
