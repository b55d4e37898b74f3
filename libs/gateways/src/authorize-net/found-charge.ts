import type { FoundCharge } from '../payment-gateway.js';
import { minorUnits } from './amounts.js';
import { namedIn } from './invoice-number.js';
import { CHARGED_STATUSES, DISPUTED_STATUSES, REFUND_STATUSES, tookMoney, VOIDED_STATUS } from './reasons.js';
import type { TransactionSummary } from './wire.js';

export const isVoided = ({ transactionStatus }: TransactionSummary) => transactionStatus === VOIDED_STATUS;
export const isRefund = ({ transactionStatus }: TransactionSummary) => REFUND_STATUSES.has(transactionStatus);
export const isDisputed = ({ transactionStatus, hasReturnedItems }: TransactionSummary) =>
  DISPUTED_STATUSES.has(transactionStatus) || String(hasReturnedItems) === 'true';

/**
 * A transaction of a scheduled order that took money, still may, or was voided; null: any other. `asking`: the
 * installation that asks.
 */
export function foundCharge(transaction: TransactionSummary, asking: string): FoundCharge | null {
  const { transactionStatus: status, transId, submitTimeUTC, settleAmount, profile } = transaction;
  const named = namedIn(transaction, asking);
  if (!named || !(tookMoney(status) || isVoided(transaction))) return null;
  const customer = profile?.customerProfileId;
  return {
    ...named,
    transactionId: transId,
    isCharged: CHARGED_STATUSES.has(status),
    siteId: null,
    gatewayCustomerId: customer === undefined ? null : String(customer),
    amount: minorUnits(settleAmount ?? 0),
    currencyIso: null,
    chargedUtc: new Date(submitTimeUTC),
    refunded: 0,
    isVoided: isVoided(transaction),
    isDisputed: isDisputed(transaction),
  };
}
