/**
 * The meaning of Authorize.Net's codes. From its list of response codes
 * (developer.authorize.net/api/reference/responseCodes): response reason codes of a transaction, then codes of a
 * request. Every decline that is not listed is soft.
 */
const numbers = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Declines and errors that are final for this card: picked up, lost, unknown, expired, card type not accepted. */
export const HARD_REASONS = numbers('4 6 7 8 17 28 37 315 316 317');

/** The amount or the currency is not possible. */
export const UNCHARGEABLE_REASONS = numbers('5 39 47 48 49');

/** The merchant's account or its configuration is the cause, not the card. */
export const ACCOUNT_REASONS = numbers('13 30 34 35 38 92 103 123');

/** A request that can never succeed in this form. */
export const INVALID_REASONS = numbers('9 10 14 15 16 18 24 33 40 42 43 50 51 52 53 54 55 56 68 69 70');

/** The same request was accepted before. */
export const DUPLICATE = '11';

/** Login, key, permissions or account are refused. */
export const ACCOUNT_CODES: ReadonlySet<string> = new Set([
  'E00005',
  'E00006',
  'E00007',
  'E00008',
  'E00009',
  'E00010',
  'E00011',
  'E00044',
  'E00059',
]);

/** The gateway is busy or down for maintenance: nothing was done. */
export const BUSY_CODES: ReadonlySet<string> = new Set(['E00053', 'E00104', 'E00105']);

/** The request was read and found invalid, or names a profile that does not exist. */
export const INVALID_CODES: ReadonlySet<string> = new Set([
  'E00002',
  'E00003',
  'E00004',
  'E00013',
  'E00014',
  'E00015',
  'E00016',
  'E00019',
  'E00029',
  'E00040',
  'E00041',
  'E00098',
  'E00099',
]);

/** The account has no such customer or payment profile. */
export const MISSING_CODES: ReadonlySet<string> = new Set(['E00040', 'E00098']);

/** No such record: a look-up's own answer for a customer profile or transaction that does not exist (any more). */
export const NOT_FOUND = 'E00040';

/**
 * What a transaction's status means for the money. Statuses that are not listed are not final: held for review, only
 * authorised, in error.
 */
export const CHARGED_STATUSES: ReadonlySet<string> = new Set([
  'capturedPendingSettlement',
  'settledSuccessfully',
  'approvedReview',
  'pendingFinalSettlement',
  'pendingSettlement',
  'updatingSettlement',
  'refundPendingSettlement',
  'refundSettledSuccessfully',
  'couldNotVoid',
  'returnedItem',
  'chargeback',
  'chargebackReversal',
]);
export const DECLINED_STATUSES: ReadonlySet<string> = new Set(['declined', 'failedReview']);
/** Somebody voided or refunded the charge at the gateway: it is not repeated automatically. */
export const VOIDED_STATUS = 'voided';
export const NEVER_CHARGED_STATUSES: ReadonlySet<string> = new Set(['generalError', 'communicationError', 'expired']);
export const NOT_CHARGED_STATUSES: ReadonlySet<string> = new Set([
  ...DECLINED_STATUSES,
  ...NEVER_CHARGED_STATUSES,
  VOIDED_STATUS,
]);
/** The money was taken back from the merchant. */
export const DISPUTED_STATUSES: ReadonlySet<string> = new Set(['returnedItem', 'chargeback']);
/** The type of a transaction that returns money. In a look-up it shows that there was a charge. */
export const REFUND_STATUSES: ReadonlySet<string> = new Set(['refundPendingSettlement', 'refundSettledSuccessfully']);

/**
 * Whether a transaction took money, or still may. A refund is a transaction of its own; the refunded charge has its own
 * entry.
 */
export const tookMoney = (status: string): boolean => !NOT_CHARGED_STATUSES.has(status) && !REFUND_STATUSES.has(status);
