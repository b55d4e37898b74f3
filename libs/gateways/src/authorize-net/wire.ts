/** The parts of Authorize.Net's JSON that are read here. All texts and numbers are as the gateway sends them. */
interface ApiMessages {
  readonly resultCode?: 'Ok' | 'Error';
  readonly message?: readonly { readonly code: string; readonly text: string }[];
}

export interface ApiAnswer {
  readonly messages?: ApiMessages;
}

export interface TransactionResponse {
  /** 1 approved, 2 declined, 3 error, 4 held for review. */
  readonly responseCode?: string;
  readonly transId?: string;
  /** "1": the account is in test mode, and nothing was really charged. */
  readonly testRequest?: string;
  readonly messages?: readonly { readonly code: string }[];
  readonly errors?: readonly { readonly errorCode: string; readonly errorText: string }[];
}

export interface CreateTransactionAnswer extends ApiAnswer {
  readonly transactionResponse?: TransactionResponse;
}

/** The customer whose stored card was charged; absent where the gateway does not say. */
export interface OfProfile {
  readonly profile?: {
    readonly customerProfileId?: number | string;
    readonly customerPaymentProfileId?: number | string;
  };
}

export interface TransactionSummary extends OfProfile {
  readonly transId: string;
  readonly submitTimeUTC: string;
  readonly transactionStatus: string;
  readonly invoiceNumber?: string;
  readonly settleAmount?: number | string;
  /** It was settled, and the money was taken back. */
  readonly hasReturnedItems?: boolean | string;
}

export interface TransactionListAnswer extends ApiAnswer {
  readonly transactions?: readonly TransactionSummary[];
  readonly totalNumInResultSet?: number;
}

export interface SettledBatch {
  readonly batchId: string;
  readonly settlementState?: string;
}

export interface SettledBatchListAnswer extends ApiAnswer {
  readonly batchList?: readonly SettledBatch[];
}

export interface TransactionDetails extends OfProfile {
  readonly transId: string;
  readonly submitTimeUTC: string;
  readonly transactionStatus: string;
  /** Of a refund: the transaction that it refunds. */
  readonly refTransId?: string;
  readonly order?: { readonly invoiceNumber?: string };
  readonly responseReasonCode?: number | string;
  readonly responseReasonDescription?: string;
  readonly authAmount?: number | string;
  readonly settleAmount?: number | string;
}

export interface TransactionDetailsAnswer extends ApiAnswer {
  readonly transaction?: TransactionDetails;
}
