import type { ReadPage } from '../charge-lists/paging.js';
import type { FoundCharge } from '../payment-gateway.js';
import { minorUnits } from './amounts.js';
import { type AuthorizeNetClient, isOk } from './client.js';
import { foundCharge, isRefund } from './found-charge.js';
import { namedIn } from './invoice-number.js';
import { Unanswered } from './transaction-lists.js';
import type { TransactionDetails, TransactionDetailsAnswer, TransactionSummary } from './wire.js';

/**
 * What a list of transactions has refunded. A refund is a transaction of its own, whose details name the charge. It may
 * have the invoice number of the charge, or none: with another one it is the shop's own.
 */
export class Refunds {
  private readonly byCharge = new Map<string, number>();

  constructor(
    private readonly client: AuthorizeNetClient,
    private readonly asking: string,
    private readonly read: ReadPage,
  ) {}

  isOf(transaction: TransactionSummary): boolean {
    return isRefund(transaction) && (!transaction.invoiceNumber || namedIn(transaction, this.asking) !== null);
  }

  /** The charges of a page, and those that its refunds are of. @throws Unanswered, and the client's errors. */
  async with(charges: readonly FoundCharge[], page: readonly TransactionSummary[]): Promise<readonly FoundCharge[]> {
    const refunded = new Set<string>();
    for (const { transId } of page.filter((transaction) => this.isOf(transaction))) {
      const { refTransId, settleAmount } = await this.details(transId);
      if (refTransId === undefined) continue;
      const amount = minorUnits(settleAmount ?? 0);
      this.byCharge.set(refTransId, (this.byCharge.get(refTransId) ?? 0) + amount);
      refunded.add(refTransId);
    }
    const listed = charges.map((charge) => this.after(charge));
    for (const { transactionId } of charges) refunded.delete(transactionId);
    for (const transId of refunded) {
      const { order, ...details } = await this.details(transId);
      const charge = foundCharge({ ...details, ...order }, this.asking);
      if (charge !== null) listed.push(this.after(charge));
    }
    return listed;
  }

  private after(charge: FoundCharge): FoundCharge {
    return { ...charge, refunded: this.byCharge.get(charge.transactionId) ?? 0 };
  }

  private async details(transId: string): Promise<TransactionDetails> {
    const answer = await this.read(() =>
      this.client.call<TransactionDetailsAnswer>('getTransactionDetailsRequest', { transId }),
    );
    if (!isOk(answer) || !answer.transaction) throw new Unanswered(answer);
    return answer.transaction;
  }
}
