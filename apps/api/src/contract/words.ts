import type { ApiKeyAccess, CycleState, ENDS_IN_SHOP, PushState, ShopState } from '#libs/entities';
import type { ActionType, LoggedEventType } from '#libs/events';
import type { PaymentMethodType } from '#libs/gateways';
import { FAILURE_CODES, type FailureName, type FrequencyType, type PriceSettings, type Status } from '#libs/rules';

/**
 * The meaning of the contract's words, for the documentation. A new word does not compile until it is explained here.
 */
export type Words<Word extends string> = Readonly<Record<Word, string>>;

const list = (lines: readonly string[]) => lines.map((line) => `* ${line}`).join('\n');

/** A description that ends with the meaning of each word. */
export const explained = (sentence: string, words: Readonly<Record<string, string>>): string =>
  `${sentence}\n\n${list(Object.entries(words).map(([word, meaning]) => `\`${word}\`: ${meaning}`))}`;

/** Source: processing.md, States of a cycle. */
export const CYCLE_STATE_WORDS: Words<CycleState> = {
  Claimed: 'a worker has it; nothing was sent.',
  Charging: 'the charge was sent, or is about to be.',
  Unknown: 'sent, and nobody knows yet whether it was charged; it is looked up until that is known.',
  Retrying: 'the next try has its time in `NextAttemptUtc`.',
  Waiting: 'it waits for the payment integration, or is held (1009, 1010).',
  Completed: 'ended: charged (or nothing to pay) and recorded as an Order.',
  Skipped: 'ended: passed over by request.',
  Failed: 'ended: given up, or ended by request before it was charged.',
};

/** Source: decisions.md §12. */
export const PUSH_STATE_WORDS: Words<PushState> = {
  Waiting: 'it waits for its turn or its next try, or until the State of the Shop is `Ready`.',
  Sending: 'it is being sent, or a worker was stopped while it was.',
  Unknown: 'whether the shop has it is being looked up. Nothing is sent again before.',
  Pushed: 'the shop has it, paid.',
  Differs: 'the shop has it otherwise than it was charged, or ended it: somebody decides by Accept, Link or Retry.',
  Failed: 'the shop does not have it, and it is not tried again by itself: Retry or Link.',
};

export const END_IN_SHOP_WORDS: Words<(typeof ENDS_IN_SHOP)[number]> = {
  Cancelled: 'somebody has cancelled it.',
  Refunded: 'somebody has refunded it, whole.',
  Trashed: 'somebody has thrown it away: Retry or Link.',
  Deleted: 'the shop has it no more: Retry or Link.',
};

export const SHOP_STATE_WORDS: Words<ShopState> = {
  Ready: 'Orders are pushed.',
  Unverified: 'it was not verified yet, or was changed since.',
  Refused: 'it refuses the keys, or is no such shop.',
  Unreachable: 'it does not answer.',
};

/** Source: processing.md, Statuses of an order. */
export const STATUS_WORDS: Words<Status> = {
  Active: 'it is processed when it falls due.',
  Pending: 'somebody has to act before it is processed: after a failure, or because it has no frequency yet.',
  Paused: 'it is not processed until it is `Active` again.',
};

/** Source: contract.md, Frequency by FrequencyType. */
export const FREQUENCY_TYPE_WORDS: Words<FrequencyType> = {
  Days: 'every so many days, 1 to 3650.',
  Weeks: 'every so many weeks, 1 to 520.',
  Months: 'every so many months, 1 to 120.',
  DayOfTheWeek: 'every week on that day, 1 (Sunday) to 7 (Saturday).',
  DayOfTheMonth: 'every month on that day, 1 to 31; in a shorter month on its last day.',
};

export const PAYMENT_METHOD_TYPE_WORDS: Words<PaymentMethodType> = {
  GatewayOne: 'speaks the Stripe API.',
  GatewayTwo: 'speaks the Authorize.Net API.',
};

export const ACCESS_SCOPE_WORDS: Words<'Merchant' | 'Customer'> = {
  Merchant: 'reaches everything of the account.',
  Customer: 'is limited to one customer.',
};

export const API_KEY_ACCESS_WORDS: Words<ApiKeyAccess> = {
  Full: 'what a Merchant token may, except making keys and sites, and seeing or rotating the secrets of webhooks.',
  Read: 'reads only (`GET`, and a `POST` that changes nothing), and sees no credentials.',
};

export const ACTION_TYPE_WORDS: Words<ActionType> = {
  CreateScheduledOrder: 'the order was created.',
  UpdateScheduledOrder: 'the order was changed.',
  PauseScheduledOrder: 'its status became `Paused`.',
  ActivateScheduledOrder: 'its status became `Active`.',
  DeleteScheduledOrder: 'the order was deleted.',
  CreateScheduledOrderItem: 'an item was added.',
  UpdateScheduledOrderItem: 'an item was changed.',
  DeleteScheduledOrderItem: 'an item was deleted.',
  RescheduleScheduledOrder: 'its next occurrence was moved.',
  SkipScheduledOrder: 'its next occurrence was passed over.',
  RetryScheduledOrder: 'it was made due at once (Process).',
};

export const EVENT_TYPE_WORDS: Words<LoggedEventType> = {
  ScheduledOrderProcessed: 'the cycle was charged and recorded.',
  ScheduledOrderFailed: 'the cycle was given up, and the order is `Pending`.',
  ScheduledOrderRetryScheduled: 'the cycle failed, and will be tried again.',
  ScheduledOrderHeld: 'the order waits for its payment integration, or is held (1009, 1010).',
};

/** Source: decisions.md §9, Failure codes. */
const FAILURE_WORDS: Words<FailureName> = {
  EmptyScheduledOrder: 'the order has no items. It becomes `Pending`: add items, then set it `Active`.',
  NoItemsToShip: 'every product is deleted or unavailable. The order becomes `Pending`.',
  ShippingRateNotFound:
    'the site has shipping rates, but none for some of the items at this address. The order becomes `Pending`.',
  PaymentIntegrationNotFound:
    'the site has no payment integration of this type, or the gateway refuses its credentials. The order waits and stays `Active`.',
  PaymentMethodNull: 'the order has no payment method. It becomes `Pending`.',
  AmountNotChargeable: 'the gateway cannot take this currency or amount. The order becomes `Pending`.',
  PaymentDiffers:
    'the gateway’s books and the ledger differ about a payment of the order (`Differences`). The order is held and stays `Active` until that is settled.',
  NotPushable:
    'the shop could not take the Order: it has too many lines, or a product that the shop does not have. The order is held and stays `Active` until that is corrected, or PushAnyway of the Shop is set.',
  PaymentFailed: 'the card was declined. It is tried again for some days, unless no retry can help; then `Pending`.',
  GatewayCommunicationFailed:
    'the gateway is unavailable, or the outcome is unknown. It is tried again within minutes and hours; then `Pending`.',
  Unknown: 'anything else. It is tried again like 2001.',
};

/** The failure codes with their names and meaning, as a list. */
export const FAILURE_LIST = list(
  Object.values(FAILURE_CODES).map(({ code, name }) => `\`${code}\` ${name}: ${FAILURE_WORDS[name]}`),
);

/** Source: decisions.md §8, Gross prices. */
export const PRICES_WORDS: Words<PriceSettings['prices']> = {
  Net: 'tax comes on top of them.',
  Gross: 'they have tax in them.',
};

export const GROSS_OUTSIDE_WORDS: Words<PriceSettings['grossOutside']> = {
  Keep: 'it is the same at every address.',
  RemoveTax: 'where no tax applies, the tax of the shop’s home is taken out of it.',
  Adjust: 'the tax of the shop’s home is taken out of it, and that of the address added.',
};

/** Source: decisions.md §8, Taxed shipping. */
export const SHIPPING_TAX_WORDS: Words<PriceSettings['shippingTax']> = {
  None: 'none.',
  ByRate: 'the rates with `AppliesToShipping`, of the class of the goods; of the standard class where they have none.',
  Proportional: 'those of the goods, each on its part of the shipping by net value.',
  HighestRate: 'the highest that is on the goods.',
};

export const ROUND_TAX_WORDS: Words<PriceSettings['roundTax']> = {
  Line: 'on each line.',
  Total: 'once, in the total of goods, shipping and all tax; lines and rates show shares of it.',
};
