/** The two kinds of payment gateway an order's card may live in; the contract's neutral names. */
export const PAYMENT_METHOD_TYPES = ['GatewayOne', 'GatewayTwo'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** Credentials of one payment integration, in clear: they live in memory only and never reach a log. */
export interface GatewayCredentials {
  readonly type: PaymentMethodType;
  readonly apiAccount: string | null;
  readonly apiKey1: string | null;
  readonly apiKey2: string | null;
  readonly testMode: boolean;
}

/**
 * One attempt to charge a stored payment method, exactly as it was frozen in the ledger.
 * The same request is what a look-up is asked about later.
 */
export interface Charge {
  /** Names order, cycle and attempt; the same for every repetition of this attempt. */
  readonly idempotencyKey: string;
  readonly siteId: number;
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly attempt: number;
  /** The occurrence that is charged for: what is sent names it, so that the charge is known again when cycles are numbered otherwise. */
  readonly dueUtc: Date;
  /** Tells installations that share a gateway account apart (`deployment.key_prefix`). */
  readonly installation: string;
  /** Minor units of `currencyIso` (ISO 4217 exponent), above 0. */
  readonly amount: number;
  readonly currencyIso: string;
  /** Customer and payment method record ids in the gateway. */
  readonly gatewayCustomerId: string;
  readonly gatewayPaymentId: string;
  /**
   * By the database's clock: when this attempt was, or at the earliest may have been, sent first. (In an adopted database that may be
   * older than its last charges: the time at which the cycle fell due.) No look-up begins at this instant, for that clock may be wrong: how
   * far back to look is told as a duration.
   */
  readonly startedUtc: Date;
}

/**
 * What a gateway said. Three families, never two (docs/processing.md, Three outcomes): it charged, it definitely did not, nobody knows.
 * `message` is fit for the customer to read; `detail` is for the shop's error log. Neither carries a credential.
 */
export type ChargeOutcome =
  | {
      readonly kind: 'succeeded';
      readonly transactionId: string;
      /**
       * Of a charge that a look-up found, in minor units: it may be another attempt of this cycle, or this one as a later state of
       * the database sent it, and of another amount than `Charge.amount`.
       */
      readonly chargedAmount?: number;
      /** By the gateway's clock; of a charge that a look-up found. */
      readonly chargedUtc?: Date;
      /**
       * Set when the money moved in another mode than `testMode` says (decisions.md §12): record the charge, then hold the
       * integration's orders as for `refused`, with this as the reason.
       */
      readonly integrationRefused?: string;
    }
  /**
   * Refused by the card's side; `hard`: can never succeed with this card. Failure code 2000.
   * `missing`: the account has no such card or customer, as when the credentials are another account's.
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
  /** The gateway cannot take this currency or amount; nothing was charged, mostly not even sent. Failure code 1005. */
  | { readonly kind: 'unchargeable'; readonly message: string; readonly detail?: string | undefined }
  /** Definitely not charged, but not by the card's fault (rate limited, never connected). Failure code 2001. */
  | {
      readonly kind: 'unavailable';
      readonly message: string;
      readonly detail?: string | undefined;
      readonly retryAfterMs?: number;
    }
  /**
   * Nothing was sent and the attempt is not used up: the breaker of this integration is open, the gateway asked for a rest, another
   * charge is still finding out whether the credentials work, the caller may not send it any more, or the service is stopping.
   */
  | { readonly kind: 'postponed'; readonly message: string; readonly retryAfterMs: number }
  /**
   * Sent, and the answer is missing or says nothing. Failure code 2001 until it is settled.
   * `repeatable`: the same request may be sent again with the same key; otherwise only a look-up tells.
   */
  | {
      readonly kind: 'unknown';
      readonly repeatable: boolean;
      readonly message: string;
      readonly detail?: string | undefined;
      readonly transactionId?: string;
      /**
       * The gateway says that it has this charge already, and shows it nowhere: a later look-up that does not find it proves nothing.
       * Record it (`InDoubtCharge.isKnownToGateway`) before anything else happens to the attempt.
       */
      readonly duplicate?: true;
      /** The gateway repeated a stored answer: the first sending has ended, nothing of it is under way any more. */
      readonly replayed?: true;
    };

/** What a look-up found. From `resolve` `notFound` is definite: this attempt has charged nothing and never will. */
export type LookUpOutcome =
  | Extract<ChargeOutcome, { kind: 'succeeded' | 'declined' | 'refused' | 'unavailable' | 'postponed' | 'unknown' }>
  | { readonly kind: 'notFound' };

/** What `resolve` came to; see there which of these settle the attempt. */
export type ResolveOutcome = LookUpOutcome | Extract<ChargeOutcome, { kind: 'unchargeable' }>;

/** What is known of an attempt whose outcome is unknown (also: of one that a crash cut short). */
export interface InDoubtCharge {
  /** By the database's clock: how long ago it was sent first. Never calculated from this machine's own clock. */
  readonly ageMs: number;
  /** How far back its charge is looked for, where that is longer than `ageMs`: another state of the database may have sent it earlier. */
  readonly agoMs?: number;
  /**
   * False when the attempt may only be looked up: the integration is not the one that it was sent with, or the
   * database was adopted since. What is `notFound` then is for a person to settle.
   */
  readonly mayRepeat: boolean;
  /**
   * By the database's clock: how long ago, at least, the last sending began. Null: it may be sent at any time. Set when a request stopped the
   * cycle, after which nothing is sent any more.
   */
  readonly quietMs: number | null;
  /** An `unknown` of it was `duplicate`: the gateway has the charge, so that it is only looked up, and never `notFound`. */
  readonly isKnownToGateway: boolean;
  /** The transaction that an earlier `unknown` named. */
  readonly transactionId?: string | null | undefined;
}

export type Verification = { readonly verified: true } | { readonly verified: false; readonly message: string };

/**
 * Asked just before a charge goes out, after whatever it had to wait for: when its turn in the line has come, and once more when the
 * connection stands, before a byte of the request is written. When it says no, or throws, nothing is sent. A worker that stood still while its charge waited has a successor, who may have settled it; an order may have been
 * paused meanwhile.
 */
export type MaySend = () => boolean | Promise<boolean>;

/** A charge as the gateway lists it: one that took money, or still may. */
export interface FoundCharge {
  readonly transactionId: string;
  /** False: the gateway has not decided yet. */
  readonly isCharged: boolean;
  /** As it was named when it was sent; null: the gateway's list does not say. */
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly attempt: number;
  readonly siteId: number | null;
  readonly dueUtc: Date | null;
  readonly installation: string | null;
  readonly gatewayCustomerId: string | null;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217; null: the gateway's list does not say. */
  readonly currencyIso: string | null;
  /** By the gateway's clock. */
  readonly chargedUtc: Date;
}

export interface ChargeQuery {
  /** How far back: milliseconds before the gateway's own present. A margin for clocks is the adapter's to add. */
  readonly agoMs: number;
  /** Only this customer's; absent: the whole account's. */
  readonly gatewayCustomerId?: string;
}

/** `listed`: every page was handed over. */
export type ChargeList =
  { readonly kind: 'listed' } | Extract<ChargeOutcome, { kind: 'refused' | 'unavailable' | 'postponed' | 'unknown' }>;

/** One merchant account at a payment gateway. Adapters never throw for what a gateway did: it is an outcome. */
export interface PaymentGateway {
  charge(charge: Charge, maySend?: MaySend): Promise<ChargeOutcome>;
  /**
   * Finds out what became of an attempt that was, or may have been, sent before: sends it again where the gateway surely
   * recognises the repetition, looks it up otherwise, and both where one alone does not tell. **Always use this, never a second
   * `charge`, for an attempt that may have been sent**: to a repetition an answer like 429 says nothing about the first sending.
   * `succeeded`, `declined`, `unchargeable` and `notFound` settle the attempt; `refused`, `unavailable`, `postponed` and `unknown` leave
   * it as it was.
   */
  resolve(charge: Charge, attempt: InDoubtCharge, maySend?: MaySend): Promise<ResolveOutcome>;
  /**
   * Asks what became of `charge`, or of any other attempt of its cycle that charged, without ever charging.
   * `agoMs`: how long ago it was made at the earliest (a difference of two times of the database's clock); the margin for clocks is the
   * adapter's to add. Absent: it may be of any age, and where there is more than can be read the answer is `unknown`.
   * Its `notFound` is as good as the moment: only `resolve` knows when nothing can be under way any more.
   */
  lookUp(charge: Charge, transactionId?: string | null, agoMs?: number): Promise<LookUpOutcome>;
  /**
   * Lists every charge of scheduled orders since then, settled or not, page by page, in no particular order. What took no money, and what
   * no scheduled order is named by, is left out.
   */
  listCharges(query: ChargeQuery, page: (charges: readonly FoundCharge[]) => Promise<void>): Promise<ChargeList>;
  /** A harmless call that shows whether the credentials work. */
  verify(): Promise<Verification>;
}
