import type { Reply } from './http-stand-in.js';

export type Json = Record<string, unknown>;

export interface Transaction {
  readonly transId: string;
  readonly account: string;
  readonly customerProfileId: string;
  /** All that a duplicate has in common. */
  readonly likeness: string;
  readonly invoiceNumber: string;
  readonly amount: string;
  readonly currencyCode: string;
  readonly submittedMs: number;
  /** Not shown: when it was made as time passes, and by the true clock. */
  readonly madeMs: number;
  readonly sentMs: number;
  readonly card: string;
  status: string;
  settled: boolean;
  readonly reasonCode: number;
  /** Of a refund: the transaction that it refunds. */
  readonly refTransId?: string;
  readonly reasonText: string;
}

export const REASON_TEXTS: Readonly<Record<number, string>> = {
  1: 'This transaction has been approved.',
  2: 'This transaction has been declined.',
  4: 'The card needs to be picked up.',
  8: 'The credit card has expired.',
  11: 'A duplicate transaction has been submitted.',
  39: 'The supplied currency code is either invalid, not supported, not allowed for this merchant or doesn’t have an exchange rate.',
  253: 'Your order has been received. Thank you for your business!',
};

/** Amounts are numbers in the gateway's JSON. */
export function summary(transaction: Transaction, namesProfile: boolean): Json {
  const { transId, submittedMs, status, invoiceNumber, amount, customerProfileId, card } = transaction;
  const submitTimeUTC = isoSeconds(submittedMs);
  const ids = { customerProfileId, customerPaymentProfileId: card };
  const profile = namesProfile && customerProfileId !== '' ? { profile: ids } : {};
  return { transId, submitTimeUTC, transactionStatus: status, invoiceNumber, settleAmount: Number(amount), ...profile };
}

export function refusal(responseCode: 2 | 3, reason: number, transId = '0'): Reply {
  const errors = [{ errorCode: String(reason), errorText: REASON_TEXTS[reason] ?? 'Declined.' }];
  return transactionAnswer({ responseCode: String(responseCode), transId, testRequest: '0', errors });
}

export function transactionAnswer(response: Json, message?: number): Reply {
  const messages = message ? [{ code: String(message), description: REASON_TEXTS[message] }] : undefined;
  const transactionResponse = { ...response, accountNumber: 'XXXX1111', accountType: 'Visa', messages };
  if (response.responseCode !== '3') return success({ transactionResponse });
  return reply({ transactionResponse, messages: outcome('Error', 'E00027', 'The transaction was unsuccessful.') });
}

export function success(fields: Json): Reply {
  return reply({ ...fields, messages: outcome('Ok', 'I00001', 'Successful.') });
}

/** An empty list is none at all. */
export function noRecords(): Reply {
  return reply({ messages: outcome('Ok', 'I00004', 'No records found.') });
}

export const isoSeconds = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
/** Without an offset it is taken as UTC. */
export const dateMs = (text: unknown) =>
  Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(String(text)) ? String(text) : `${String(text)}Z`);

export function failure(code: string, text: string): Reply {
  return reply({ messages: outcome('Error', code, text) });
}

function outcome(resultCode: 'Ok' | 'Error', code: string, text: string): Json {
  return { resultCode, message: [{ code, text }] };
}

/** Every answer begins with a byte-order mark. */
function reply(value: Json): Reply {
  return { status: 200, body: `\uFEFF${JSON.stringify(value)}` };
}

export function serverError(): Reply {
  return { status: 500, body: '<html><body>500 Internal Server Error</body></html>' };
}
