import type { PaymentMethodType } from '#libs/gateways';
import type { QuotableItem, QuotableOrder, Status } from '#libs/rules';

/** A scheduled order of another site. */
export interface OtherOrder {
  readonly siteId: number;
  readonly id: number;
}

/** A subscription that was moved in, with its scheduled order as it is priced. */
export interface Candidate extends QuotableOrder {
  readonly id: number;
  readonly siteId: number;
  /** Shows whether its row of `migrated_subscriptions` is unchanged. */
  readonly version: string;
  readonly sourceId: string;
  /** Only what was active in the old shop goes live. */
  readonly sourceStatus: string;
  /** The gateway's ids as in the file; those of the order are what would be charged. */
  readonly gatewayCustomerId: string | null;
  readonly gatewayCardId: string | null;
  readonly nextPaymentUtc: Date | null;
  readonly exportedUtc: Date;
  readonly accountedUtc: Date | null;
  /** A person has said that its next date is not paid. */
  readonly keepsDate: boolean;
  /** Minor units: what the old shop charged each time. */
  readonly sourceTotal: number | null;
  readonly liveUtc: Date | null;
  readonly status: Status;
  readonly deleted: boolean;
  readonly cancelled: boolean;
  /** The order of another site that is charged for the same subscription. */
  readonly liveElsewhere: OtherOrder | null;
  /** Somebody has made it Active or Paused here: it may have been paused because its customer wants it. */
  readonly isDecidedHere: boolean;
  readonly nextOccurrenceUtc: Date | null;
  readonly paymentMethodType: PaymentMethodType | null;
  readonly paymentMethodCustomerId: string | null;
  readonly paymentMethodId: string | null;
  readonly items: readonly (QuotableItem & { readonly title: string | null })[];
}

export type Payer = Pick<
  Candidate,
  'gatewayCustomerId' | 'paymentMethodCustomerId' | 'gatewayCardId' | 'paymentMethodId'
>;

/**
 * The customers and cards of the gateway through which it may have been paid: those of the file, and those of the
 * order.
 */
export const payersOf = (candidate: Payer): readonly string[] => [
  ...payerKeys(candidate.gatewayCustomerId, candidate.gatewayCardId),
  ...payerKeys(candidate.paymentMethodCustomerId, candidate.paymentMethodId),
];

/** Customers and cards may have equal numbers. */
export const payerKeys = (customerId: string | null, cardId: string | null): readonly string[] => [
  ...(customerId === null ? [] : [`customer ${customerId}`]),
  ...(cardId === null ? [] : [`card ${cardId}`]),
];
