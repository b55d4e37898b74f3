/**
 * Why the check holds a subscription, the gravest first: only the first that holds is stored. Each has a heading for
 * the table. The reason is stored as `Name: sentence`.
 */
export const HEADINGS = {
  Deleted: 'the scheduled order was deleted here',
  Cancelled: 'it was cancelled here',
  NotPaused: 'its status was changed here, so it is no longer Paused',
  DecidedHere: 'somebody has made it Active or Paused here',
  LiveElsewhere: 'the same subscription is live in another site',
  NoDate: 'it has no next date',
  IntegrationMissing: "the site has no integration for the subscription's gateway",
  IntegrationRefused: 'the gateway refuses the integration, or its mode',
  GatewaySilent: 'the gateway could not be asked: try again later',
  PaidSinceExport: 'the gateway shows a payment of its customer since the export',
  DatePassed: 'its next date has passed, and the gateway shows no payment for it',
  NoItems: 'it has no items',
  ProductUnavailable: 'a product of it is not available',
  ShippingRateMissing: 'no shipping rate applies to it',
  PriceDiffers: 'it would cost another amount here than in the old shop',
  NotPriceable: 'it cannot be priced',
  NoPaymentMethod: 'it has no customer or card of the gateway',
  CardMissing: 'the gateway does not know its card, or not as one of its customer',
  ChangedSinceCheck: 'it was changed here after the check: check again',
} as const;

export type Reason = keyof typeof HEADINGS;

export interface Held {
  readonly reason: Reason;
  /** What is wrong, and what to do. */
  readonly sentence: string;
}

export const held = (reason: Reason, sentence: string): Held => ({ reason, sentence });

/** The longest text of the column. */
const LONGEST = 2_000;

export const storedReason = ({ reason, sentence }: Held): string => `${reason}: ${sentence}`.slice(0, LONGEST);

/** The reason of a text from `storedReason`; null for any other text, as the import writes it. */
export function reasonOf(stored: string): Reason | null {
  const name = /^(\w+): /.exec(stored)?.[1] ?? '';
  return Object.hasOwn(HEADINGS, name) ? (name as Reason) : null;
}
