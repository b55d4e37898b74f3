import type { Decimal } from '#libs/rules';

/** What receives the Orders of a site: WooCommerce's own REST interface, or a receiver of `POST <Url><Path>`. */
export const RECEIVERS = ['WooCommerceRest', 'Http'] as const;
export type Receiver = (typeof RECEIVERS)[number];

/** How WooCommerce takes its keys. Only Verify can find out: every wrong way has the same answer. */
export const AUTH_MODES = ['Header', 'Query', 'OAuth'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** Where the shop of a site is, with its decrypted credentials. They are only in memory and never in a log. */
export interface Shop {
  readonly receiver: Receiver;
  /** `Site.Url`. */
  readonly url: string;
  /** Of the Http receiver; null: `/scheduled-orders/orders`. */
  readonly path: string | null;
  readonly authMode: AuthMode;
  readonly apiKey1: string | null;
  readonly apiKey2: string | null;
  /** What signs requests to an Http receiver, the present secret first. */
  readonly secrets: readonly string[];
}

/** An address as the shop prints it on the parcel. */
export interface PostalAddress {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly street1: string | null;
  readonly street2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postcode: string | null;
  readonly country: string | null;
}

export interface PushCustomer {
  /** The shop's id of the customer; null: a guest. */
  readonly externalId: string | null;
  readonly email: string | null;
  readonly taxExempt: boolean;
}

export interface PushLine {
  /** The shop's id of the product: of the variation where it is one. Null: the shop has no such product. */
  readonly productExternalId: string | null;
  readonly sku: string | null;
  readonly name: string | null;
  readonly quantity: number;
  /** Net, as charged; null with `taxTotal`: the amounts of a found charge are not known. */
  readonly total: Decimal | null;
  readonly taxTotal: Decimal | null;
  /** The unrounded net of a price with tax (`exactNets`), of which the shop computes its tax; absent: `total`. */
  readonly exactNet?: Decimal;
  readonly isRecurring: boolean;
}

/** A charged Order, as it is to arrive in the shop. Amounts are decimals of its currency. */
export interface Push {
  /** What all names outside of the database: see `pushName`. */
  readonly name: string;
  readonly siteId: number;
  readonly orderId: number;
  readonly scheduledOrderId: number;
  readonly cycle: number;
  readonly dueUtc: Date;
  /** By the database's clock, as all times here: where a look-up by time begins (`LOOK_UP_OVERLAP_MS` before it). */
  readonly claimedUtc: Date;
  readonly datePaid: Date | null;
  readonly currencyIso: string;
  /** Null, with the next two: of a found charge only the total is known. */
  readonly subtotal: Decimal | null;
  readonly shippingTotal: Decimal | null;
  readonly taxTotal: Decimal | null;
  readonly total: Decimal;
  readonly paymentMethodType: string | null;
  readonly gatewayTransactionId: string | null;
  readonly customer: PushCustomer;
  readonly billing: PostalAddress;
  readonly shipping: PostalAddress;
  readonly lines: readonly PushLine[];
}

/** A line as the shop has it. */
export interface ShopLine {
  /** Null: the product is gone. */
  readonly productExternalId: string | null;
  readonly quantity: number;
}

/** An order as the shop has it. */
export interface ShopOrder {
  readonly id: string;
  readonly number: string | null;
  readonly state: 'Unpaid' | 'Paid' | 'Trashed' | 'Draft' | 'Cancelled' | 'Refunded';
  /** Null: the shop does not say (a receiver that takes our total as it is). */
  readonly currencyIso: string | null;
  readonly total: string;
  /** What of the total is tax; null: the shop does not say. */
  readonly taxTotal: string | null;
  readonly lines: readonly ShopLine[] | null;
}

/**
 * What a shop's answer means for the ledger of pushes, when it did not do what it was asked to. There are three groups,
 * never two: done (each call says what), certainly not done, unknown. Merchants may read `message`; `detail` is the
 * beginning of the reply, without credentials.
 */
export type NotDone =
  /** It will never take this: certainly not done, and no retry helps. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly detail?: string | undefined;
      /** The shop does not have what was asked for. */
      readonly missing?: true;
      /** Because it does not sell some of these. */
      readonly products?: readonly Sellable[];
    }
  /** It refuses us altogether: certainly not done, and no try. All its pushes wait for Verify. */
  | { readonly kind: 'shopRefused'; readonly message: string; readonly detail?: string | undefined }
  /** No connection, or told to wait: certainly not done. */
  | {
      readonly kind: 'unavailable';
      readonly message: string;
      readonly detail?: string | undefined;
      readonly retryAfterMs: number | null;
      /** Its clock and ours are too far apart. */
      readonly isOfClocks?: true;
    }
  /** Sent, and nobody knows: only a look-up decides, and not before what was sent has surely ended. */
  | {
      readonly kind: 'unknown';
      readonly message: string;
      readonly detail?: string | undefined;
      readonly retryAfterMs: number | null;
      /** There was an answer, but not all of it was read: smaller lists may be. */
      readonly isCut?: boolean;
    };

/**
 * `created`: write its id into the ledger, then `settle` it, also when it is paid already. `products`: it sells these.
 */
export type Creation =
  { readonly kind: 'created'; readonly order: ShopOrder; readonly products?: readonly Sellable[] } | NotDone;

/** `found`: everything that the shop has under the push name, also twins, thrown away and left behind ones. */
export type LookUp = { readonly kind: 'found'; readonly orders: readonly ShopOrder[] } | NotDone;

/** Whether a shop sells a product: why not, as a sentence; null: it does. */
export interface Sellable {
  readonly productExternalId: string;
  readonly unsellable: string | null;
}

/** How many units of a product the Order has, and how many the shop's. */
export interface LineDifference {
  readonly productExternalId: string | null;
  readonly ours: number;
  readonly theirs: number;
}

/** What the shop's order has otherwise than what was charged. */
export interface Differences {
  /** Minor units that the shop's total has more than ours. */
  readonly total: number;
  /** Not by tax or rounding alone: a fee, a discount, another price, or no shipping. */
  readonly isNetOther: boolean;
  /** The shop's currency, where it is another. */
  readonly currencyIso: string | null;
  readonly lines: readonly LineDifference[];
  /** The amounts of our lines are not known (a found charge): the shop used its own prices. */
  readonly areAmountsUnknown: boolean;
}

/**
 * `settled`: as paid as it gets. `isPushed`: it is, with the right things, and what `differences` it has are by tax or
 * rounding only, and accepted; else a person decides. `isStockTaken`: false when the shop paid it and then broke down,
 * so that nobody was mailed and no stock was reduced; null when that was not looked at, or does not show. `unsellable`:
 * why some of its products cannot be bought in the shop; then a person decides. `removed`: the order was of no use to
 * anybody, and was deleted; a person decides.
 */
export type Settlement =
  | {
      readonly kind: 'settled';
      readonly order: ShopOrder;
      readonly differences: Differences;
      readonly isPushed: boolean;
      readonly isStockTaken: boolean | null;
      readonly unsellable: readonly string[];
    }
  | { readonly kind: 'removed'; readonly order: ShopOrder; readonly message: string }
  | NotDone;

export interface SettleOptions {
  readonly taxDifference: 'Accept' | 'Refuse';
  /** Products that the shop does not sell were pushed, too. */
  readonly pushAnyway: boolean;
  /** Look-ups that did not show all before: what can never be read counts as not shown. */
  readonly foundNothing?: number;
}

/** One thing that Verify has looked at. */
export interface Finding {
  readonly check: string;
  readonly agrees: boolean;
  /** A sentence: what was found and, where it does not agree, what to do. */
  readonly message: string;
}

export interface Verification {
  readonly findings: readonly Finding[];
  /** Whether it takes Orders: what differs besides is a person's, and holds no push. */
  readonly state: 'Ready' | 'Refused' | 'Unreachable';
  /** Found by trying; null: none works. */
  readonly authMode: AuthMode | null;
  /** Products that were looked at. */
  readonly products?: readonly Sellable[];
}

export interface Probe {
  /** The site's. */
  readonly currencyIso: string;
  /** Whether the site's prices have tax in them. */
  readonly prices: 'Net' | 'Gross';
  /** How long it may go on looking at products. */
  readonly mostMs: number;
  /** Those that scheduled orders have. */
  readonly products: readonly Pick<PushLine, 'productExternalId' | 'name'>[];
  /** A real product to a real address of the site, named `probeName`; null: the site has none, or no worker ran. */
  readonly order: Push | null;
}

/**
 * One site's shop. The ledger of pushes drives it: it writes what one call has shown before it makes the next. Adapters
 * never throw for what a shop did: they return an outcome.
 *
 * `lookUp` (unless nothing was ever sent) → `create` → `settle`. After an `unknown` nothing is repeated before
 * PUSH_UNKNOWN_WAIT has passed and two look-ups found nothing. `judgeFound` says what is to be done with what a look-up
 * found.
 */
export interface ShopReceiver {
  lookUp(push: Push): Promise<LookUp>;
  /** `pushAnyway`: also with products that the shop does not sell. */
  create(push: Push, options: { readonly pushAnyway: boolean }): Promise<Creation>;
  /**
   * Compares what the shop has with what was charged, and has it paid. `order`: as it was just read or created, since a
   * payment whose outcome is unknown is never sent again before it was looked for.
   */
  settle(push: Push, order: ShopOrder, options: SettleOptions): Promise<Settlement>;
  /** Deletes an order by force: an unpaid twin, or what a refusal has left behind. */
  remove(orderId: string): Promise<{ readonly kind: 'removed' } | NotDone>;
  verify(probe: Probe): Promise<Verification>;
}
