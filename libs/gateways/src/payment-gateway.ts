import type { Paging } from './charge-lists/paging.js';

/** The two types of payment gateway, with the contract's neutral names. */
export const PAYMENT_METHOD_TYPES = ['GatewayOne', 'GatewayTwo'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** Decrypted credentials of one payment integration. They are only in memory and never in a log. */
export interface GatewayCredentials {
  readonly type: PaymentMethodType;
  readonly apiAccount: string | null;
  readonly apiKey1: string | null;
  readonly apiKey2: string | null;
  readonly testMode: boolean;
}

/**
 * One attempt to charge a stored payment method, exactly as it was frozen in the ledger. A later look-up gets the same
 * request.
 */
export interface Charge {
  /** Names installation, order, occurrence and attempt; the same for every repetition of this attempt. */
  readonly idempotencyKey: string;
  readonly siteId: number;
  readonly scheduledOrderId: number;
  readonly attempt: number;
  /**
   * The occurrence that is charged. What is sent names its second, and no number of the ledger: a restored database
   * gives those out again.
   */
  readonly dueUtc: Date;
  /** Distinguishes installations that share a gateway account (`deployment.key_prefix`). */
  readonly installation: string;
  /** Minor units of `currencyIso` (ISO 4217 exponent), above 0. */
  readonly amount: number;
  readonly currencyIso: string;
  /** Customer and payment method record ids in the gateway. */
  readonly gatewayCustomerId: string;
  readonly gatewayPaymentId: string;
  /**
   * By the database's clock: the earliest time at which this attempt can have been sent. (In an adopted database, which
   * may be older than its last charges, it is the time at which the cycle fell due.) No look-up begins at this instant,
   * because that clock may be wrong. Look-ups get a duration instead.
   */
  readonly startedUtc: Date;
}

/**
 * A gateway's answer. There are three groups, never two (docs/concepts.md, Exactly once): charged, certainly not
 * charged, unknown. Customers may read `message`; `detail` is for the shop's error log. Neither has a credential.
 */
export type ChargeOutcome =
  | {
      readonly kind: 'succeeded';
      readonly transactionId: string;
      /**
       * The amount of a charge that a look-up found, in minor units. It may differ from `Charge.amount`: the charge may
       * be another attempt of this occurrence, or a later state of the database sent it.
       */
      readonly chargedAmount?: number;
      /**
       * Set when the money moved in another mode than `testMode` says (decisions.md §12): record the charge, then let
       * the integration's orders wait as after `refused`, with this reason.
       */
      readonly integrationRefused?: string;
    }
  /**
   * The card was declined; `hard`: it can never succeed with this card. Failure code 2000. `missing`: the account has
   * no such card or customer, for example because the credentials are another account's.
   */
  | {
      readonly kind: 'declined';
      readonly hard: boolean;
      readonly missing?: true;
      readonly message: string;
      readonly detail?: string | undefined;
    }
  /** The integration's credentials (or their mode) are refused; nothing was charged. Failure code 1003. */
  | { readonly kind: 'refused'; readonly message: string; readonly detail?: string | undefined }
  /**
   * The gateway cannot charge this currency or amount. Nothing was charged, and mostly nothing was sent. Failure code
   * 1005.
   */
  | { readonly kind: 'unchargeable'; readonly message: string; readonly detail?: string | undefined }
  /** Certainly not charged, and the card is not the cause (rate limit, no connection). Failure code 2001. */
  | {
      readonly kind: 'unavailable';
      readonly message: string;
      readonly detail?: string | undefined;
      readonly retryAfterMs?: number;
    }
  /**
   * Nothing was sent and the attempt is not used up: the breaker of this integration is open, the gateway asked to
   * wait, another charge is still testing the credentials, the caller may no longer send it, or the service is
   * stopping.
   */
  | {
      readonly kind: 'postponed';
      readonly message: string;
      readonly retryAfterMs: number;
      /** The gateway has repeated a stored answer, and its lists may be behind it. */
      readonly replayed?: true;
    }
  /**
   * Sent, but the answer is missing or not clear. Failure code 2001 until the outcome is known. `repeatable`: the same
   * request may be sent again with the same key. Otherwise only a look-up helps.
   */
  | {
      readonly kind: 'unknown';
      readonly repeatable: boolean;
      readonly message: string;
      readonly detail?: string | undefined;
      readonly transactionId?: string;
      /**
       * The account has no such transaction; or no such customer (any more), and none of its lists shows the charge.
       * Another account may have it.
       */
      readonly missing?: true;
      /**
       * The gateway says that it has this charge already, but no list shows it. So a later look-up that does not find
       * it proves nothing. Record this (`InDoubtCharge.isKnownToGateway`) before anything else happens to the attempt.
       */
      readonly duplicate?: true;
      /**
       * The gateway repeated a stored answer: what sent it first has ended. Record this (`InDoubtCharge.replayedMs`).
       */
      readonly replayed?: true;
    };

/**
 * It was charged, and all of it was given back since: refunded, or voided. It has not paid for anything, and nobody but
 * the shop knows whether it is to be charged again.
 */
export interface GivenBack {
  readonly kind: 'givenBack';
  readonly transactionId: string;
  readonly message: string;
  readonly detail?: string | undefined;
}

/** The result of a look-up. From `resolve`, `notFound` is final: this attempt has charged nothing and never will. */
export type LookUpOutcome =
  | Extract<ChargeOutcome, { kind: 'succeeded' | 'declined' | 'refused' | 'unavailable' | 'postponed' | 'unknown' }>
  | GivenBack
  | { readonly kind: 'notFound' };

/** The result of `resolve`. Its comment says which results are final for the attempt. */
export type ResolveOutcome = LookUpOutcome | Extract<ChargeOutcome, { kind: 'unchargeable' }>;

/** What is known about an attempt whose outcome is unknown, for example after a crash. */
export interface InDoubtCharge {
  /** How long ago it was first sent, by the database's clock and never by this machine's. */
  readonly ageMs: number;
  /**
   * How far back to search for its charge, when that is longer than `ageMs`: another state of the database may have
   * sent it earlier.
   */
  readonly agoMs?: number;
  /**
   * False when the attempt may only be looked up: it was sent with another integration, or the database was adopted
   * since. After `notFound` a person must then decide.
   */
  readonly mayRepeat: boolean;
  /**
   * The least time since the last sending began, by the database's clock. Null: it may be sent at any time. It is set
   * when a request stopped the cycle, because nothing is sent after that.
   */
  readonly quietMs: number | null;
  /**
   * An earlier `unknown` was `duplicate`: the gateway has the charge. So it is only looked up, and never `notFound`.
   */
  readonly isKnownToGateway: boolean;
  /**
   * How long ago the gateway first repeated a stored answer, by the database's clock; null or absent: it has not. All
   * that the attempt may have charged was charged before.
   */
  readonly replayedMs?: number | null;
  /** The transaction that an earlier `unknown` named. */
  readonly transactionId?: string | null | undefined;
}

export type Verification = { readonly verified: true } | { readonly verified: false; readonly message: string };

/**
 * Asked just before a charge is sent, after all waiting: when its turn in the queue has come, and again when the
 * connection is open, before the first byte of the request. When it answers no, or throws, nothing is sent. Another
 * worker may have taken over the cycle from a worker that was frozen while its charge waited, or a request may have
 * paused the order.
 */
export type MaySend = () => boolean | Promise<boolean>;

/** Which installation a charge names: the one that asks, another one, or none (an old form, `parseOlder`). */
export type NamedInstallation = 'this' | 'other' | 'unnamed';

/** A charge of a scheduled order from the gateway's list: one that took money, still may, or was voided since. */
export interface FoundCharge {
  readonly transactionId: string;
  /** False: the gateway has not decided yet. */
  readonly isCharged: boolean;
  readonly scheduledOrderId: number;
  readonly attempt: number;
  /** The occurrence, a whole second; null: an old form does not name it. */
  readonly dueUtc: Date | null;
  /** The number of the cycle in an old form, else null. It proves nothing: other software may number like this. */
  readonly cycle: number | null;
  readonly siteId: number | null;
  readonly installation: NamedInstallation;
  /** The customer that was sent; null: the gateway does not say. */
  readonly gatewayCustomerId: string | null;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217; null: the gateway's list does not say. */
  readonly currencyIso: string | null;
  /** By the gateway's clock. */
  readonly chargedUtc: Date;
  /** Minor units that went back to the customer. This and the next two are what a query asks for with `givenBack`. */
  readonly refunded: number;
  /** Cancelled before it was settled: no money moved. */
  readonly isVoided: boolean;
  /** The customer's bank claims it back. */
  readonly isDisputed: boolean;
}

export interface PaymentQuery {
  /** How far back, in milliseconds before the gateway's present time. The adapter adds a margin for clocks. */
  readonly agoMs: number;
  /** The one that asks (`deployment.key_prefix`). */
  readonly installation: string;
}

export interface ChargeQuery extends PaymentQuery {
  /** Only charges of this customer; absent: of the whole account. */
  readonly gatewayCustomerId?: string;
  /** For a list of the whole account: reads pages again after faults, and knows where a later reading goes on. */
  readonly paging?: Paging;
  /**
   * Of the whole account: also tells what was given back since then, of charges of any age, as far as the gateway and
   * the permissions of the key allow. It costs a call or two more.
   */
  readonly givenBack?: true;
  /** Instead of the margin for clocks, for who knows that they agree. */
  readonly marginMs?: number;
}

/** A payment in the account's list, whoever made it: one that took money, or still may. */
export interface AccountPayment {
  readonly transactionId: string;
  /** False: the gateway has not decided yet, or the money is only reserved. */
  readonly isCharged: boolean;
  /** Null: the payment names no customer of the gateway, for example a purchase as a guest. */
  readonly gatewayCustomerId: string | null;
  /** Null: the gateway does not say. */
  readonly gatewayPaymentId: string | null;
  /** Minor units of `currencyIso`, or of the account's currency. */
  readonly amount: number;
  /** ISO 4217; null: the gateway's list does not say. */
  readonly currencyIso: string | null;
  /** By the gateway's clock. */
  readonly chargedUtc: Date;
  /** The occurrence of a scheduled order that it names, also one of another installation; null: it names none. */
  readonly named: Pick<FoundCharge, 'scheduledOrderId' | 'dueUtc' | 'installation'> | null;
}

/**
 * Whether the account has a stored payment method of a customer. `missing`: it has not, or not of this customer;
 * `message` is a sentence for the shop.
 */
export type StoredMethod =
  | { readonly kind: 'stored' }
  | { readonly kind: 'missing'; readonly message: string }
  | Extract<ChargeOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** `listed`: every page was passed on. */
export type ChargeList =
  { readonly kind: 'listed' } | Extract<ChargeOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** One merchant account at a payment gateway. Adapters never throw for what a gateway did: they return an outcome. */
export interface PaymentGateway {
  charge(charge: Charge, maySend?: MaySend): Promise<ChargeOutcome>;
  /**
   * Finds out the outcome of an attempt that was, or may have been, sent before: sends it again where the gateway
   * surely recognises the repetition, looks it up otherwise, and does both where one is not enough. **Always use this,
   * never a second `charge`, for an attempt that may have been sent**: an answer like 429 to a repetition says nothing
   * about the first sending. `succeeded`, `declined`, `unchargeable`, `givenBack` and `notFound` are final for the
   * attempt; `refused`, `unavailable`, `postponed` and `unknown` change nothing.
   */
  resolve(charge: Charge, attempt: InDoubtCharge, maySend?: MaySend): Promise<ResolveOutcome>;
  /**
   * Looks up the outcome of `charge`, or of any other attempt of its occurrence that charged and was not given back. It
   * never charges. `agoMs`: the longest possible time since the charge (a difference of two times of the database's
   * clock); the adapter adds a margin for clocks. Absent: any age, and with more data than can be read the answer is
   * `unknown`. Its `notFound` is true only at this moment: only `resolve` knows when nothing can be in flight any more.
   */
  lookUp(charge: Charge, transactionId?: string | null, agoMs?: number): Promise<LookUpOutcome>;
  /**
   * Lists every charge of scheduled orders since then, settled or not, page by page, in no particular order. It leaves
   * out what took no money, and what names no scheduled order.
   */
  listCharges(query: ChargeQuery, page: (charges: readonly FoundCharge[]) => Promise<void>): Promise<ChargeList>;
  /**
   * Lists every payment of the account since then, also those that name no scheduled order: a shop's own purchases and
   * renewals. Page by page, in no particular order. It leaves out what took no money.
   */
  listPayments(query: PaymentQuery, page: (payments: readonly AccountPayment[]) => Promise<void>): Promise<ChargeList>;
  /** Asks whether a customer's stored payment method exists. It never charges. */
  findMethod(gatewayCustomerId: string, gatewayPaymentId: string): Promise<StoredMethod>;
  /** A harmless call that shows whether the credentials work. */
  verify(): Promise<Verification>;
}
