import { givenBack } from '../given-back.js';
import type { ChargeOutcome, LookUpOutcome } from '../payment-gateway.js';
import { AnswerLost, NotSent } from '../throttle/exchange.js';
import { CallDeferred } from '../throttle/throttled-client.js';
import { minorUnits } from './amounts.js';
import { Busy, codeOf, NoApiAnswer } from './client.js';
import * as reasons from './reasons.js';
import type { ApiAnswer, CreateTransactionAnswer, TransactionDetails, TransactionResponse } from './wire.js';

type Outcome<Kind extends ChargeOutcome['kind']> = Extract<ChargeOutcome, { kind: Kind }>;

export const UNCERTAIN = 'It is not certain yet whether the payment went through.';
const REFUSED = 'The payment gateway refuses the credentials of the payment integration.';
const UNREACHABLE = 'The payment gateway cannot be reached.';
const NOT_ACCEPTED = 'The payment gateway does not accept this payment method.';
/** A login or key of the wrong form is a schema error too, but the account causes it, not the order. */
const CREDENTIALS_MALFORMED = /^E00003, .*[:'](merchantAuthentication|name|transactionKey)' element is invalid/;
const TEST_ACCOUNT = 'The account at the payment gateway is in test mode: it approves without charging.';

/** The meaning of an answer to createTransaction. After `duplicate` the caller must look the charge up. */
export function outcomeOfTransaction(answer: CreateTransactionAnswer): ChargeOutcome | 'duplicate' {
  const { transactionResponse: response } = answer;
  switch (response?.responseCode) {
    case '1':
      if (!hasId(response) || response.testRequest === '1') return { kind: 'refused', message: TEST_ACCOUNT };
      return { kind: 'succeeded', transactionId: response.transId };
    case '2':
      return outcomeOfDecline(reasonOf(response), textOf(response));
    case '3':
      return reasonOf(response) === reasons.DUPLICATE ? 'duplicate' : outcomeOfRefusal(response);
    case '4':
      return {
        ...unknown(`held for review, ${reasonText(response)}`),
        message: 'The payment is being reviewed by the payment gateway.',
        ...(hasId(response) ? { transactionId: response.transId } : {}),
      };
    case undefined:
    default:
      return outcomeOfMessages(answer);
  }
}

/** Response code 3: there is no transaction, unless the answer names one. */
function outcomeOfRefusal(response: TransactionResponse): ChargeOutcome {
  const reason = reasonOf(response);
  const detail = reasonText(response);
  if (reasons.ACCOUNT_REASONS.has(reason)) return { kind: 'refused', message: REFUSED, detail };
  if (reasons.UNCHARGEABLE_REASONS.has(reason)) {
    return { kind: 'unchargeable', message: 'The payment gateway cannot take this amount in this currency.', detail };
  }
  if (reasons.INVALID_REASONS.has(reason) || reasons.HARD_REASONS.has(reason)) {
    return { kind: 'declined', hard: true, message: NOT_ACCEPTED, detail };
  }
  if (hasId(response)) return { ...unknown(detail), transactionId: response.transId };
  return { kind: 'unavailable', message: 'The payment gateway could not process the payment.', detail };
}

/** An answer without a transaction: the outcome of the request itself. */
export function outcomeOfMessages(answer: ApiAnswer): Outcome<'refused' | 'unavailable' | 'declined' | 'unknown'> {
  const code = codeOf(answer);
  const detail = [code, answer.messages?.message?.[0]?.text].filter(Boolean).join(', ');
  if (CREDENTIALS_MALFORMED.test(detail)) return { kind: 'refused', message: REFUSED, detail: withoutValue(detail) };
  if (reasons.ACCOUNT_CODES.has(code)) return { kind: 'refused', message: REFUSED, detail };
  if (reasons.BUSY_CODES.has(code)) {
    return { kind: 'unavailable', message: 'The payment gateway is busy.', detail };
  }
  const missing = reasons.MISSING_CODES.has(code) ? { missing: true as const } : {};
  if (reasons.INVALID_CODES.has(code))
    return { kind: 'declined', hard: true, ...missing, message: NOT_ACCEPTED, detail };
  return unknown(detail || 'an answer without content');
}

/** The gateway repeats a login or key of the wrong form in its message, so the text is removed. */
const withoutValue = (detail: string) => detail.replace(/(The value ').*(' is invalid)/s, '$1[redacted]$2');

/** The meaning of a network or client error for a charge. */
export function outcomeOfError(error: unknown): Outcome<'postponed' | 'unavailable' | 'unknown'> {
  if (error instanceof CallDeferred)
    return { kind: 'postponed', message: UNREACHABLE, retryAfterMs: error.retryAfterMs };
  if (error instanceof NotSent) return { kind: 'unavailable', message: UNREACHABLE, detail: error.message };
  if (error instanceof Busy) {
    const { message: detail, retryAfterMs } = error;
    return { kind: 'unavailable', message: 'The payment gateway is busy.', detail, retryAfterMs };
  }
  if (error instanceof AnswerLost || error instanceof NoApiAnswer) return unknown(error.message);
  return unknown('an answer that does not come from Authorize.Net');
}

/** The meaning of a transaction's details for its charge; `notFound` if it did not charge and never will. */
export function outcomeOfDetails(
  details: TransactionDetails,
): Outcome<'succeeded' | 'declined' | 'unknown'> | Extract<LookUpOutcome, { kind: 'givenBack' | 'notFound' }> {
  const { transId: transactionId, transactionStatus: status } = details;
  if (reasons.CHARGED_STATUSES.has(status)) return { kind: 'succeeded', transactionId, ...chargedAmount(details) };
  if (reasons.DECLINED_STATUSES.has(status)) {
    return outcomeOfDecline(String(details.responseReasonCode ?? ''), details.responseReasonDescription);
  }
  if (status === reasons.VOIDED_STATUS) return givenBack(transactionId, 'voided');
  if (reasons.NEVER_CHARGED_STATUSES.has(status)) return { kind: 'notFound' };
  return { ...unknown(`status ${status}`), transactionId };
}

/** What was charged, in minor units; 0: the gateway does not say. */
export const amountOf = ({ settleAmount, authAmount }: TransactionDetails): number =>
  minorUnits(settleAmount ?? 0) || minorUnits(authAmount ?? 0);

function outcomeOfDecline(reason: string, text: string | undefined): Outcome<'declined'> {
  const hard = reasons.HARD_REASONS.has(reason);
  return { kind: 'declined', hard, message: text || 'The card was declined.', detail: `reason ${reason}` };
}

function chargedAmount(details: TransactionDetails): { chargedAmount?: number } {
  const amount = amountOf(details);
  return amount === 0 ? {} : { chargedAmount: amount };
}

function unknown(detail: string): Outcome<'unknown'> {
  return { kind: 'unknown', repeatable: false, message: UNCERTAIN, detail };
}

function hasId(response: TransactionResponse): response is TransactionResponse & { transId: string } {
  return response.transId !== undefined && !/^0*$/.test(response.transId);
}

/** Held transactions have it as a message, failed ones as an error. */
function reasonOf(response: TransactionResponse): string {
  return response.errors?.[0]?.errorCode ?? response.messages?.[0]?.code ?? '';
}

function textOf(response: TransactionResponse): string | undefined {
  return response.errors?.[0]?.errorText;
}

function reasonText(response: TransactionResponse): string {
  return [`reason ${reasonOf(response)}`, textOf(response)].filter(Boolean).join(', ');
}
