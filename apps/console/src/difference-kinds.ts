interface KindWords {
  readonly title: string;
  /** What it means. */
  readonly about: string;
  /** While it is open, its order is not charged. */
  readonly holds: boolean;
}

const held = (title: string, about: string): KindWords => ({ title, about, holds: true });
const listed = (title: string, about: string): KindWords => ({ title, about, holds: false });

/** What each kind means to a shop. The API has the kinds (test/architecture/console-words.test.ts). */
export const KINDS: Readonly<Record<string, KindWords>> = {
  ChargeWithoutCycle: held('A charge too many', 'The gateway charged an occurrence that is not charged here.'),
  CycleWithoutCharge: held('A payment is missing', 'An Order is paid here, and the gateway has no such payment.'),
  TwoCharges: held('Charged twice', 'The gateway has a second charge for an occurrence that is paid.'),
  TransactionTwice: held('One payment for two', 'One payment of the gateway stands for two occurrences.'),
  ChargedAfterStop: held(
    'Charged after a stop',
    'The gateway charged an occurrence that was skipped, stopped or given up.',
  ),
  AmountDiffers: listed('Another amount', 'The gateway charged another amount than the Order has.'),
  CurrencyDiffers: listed('Another currency', 'The gateway charged another currency than the Order has.'),
  CustomerDiffers: listed('Another customer', 'The gateway charged another of its customers.'),
  OccurrenceDiffers: listed('Another occurrence', 'The payment was made for another occurrence.'),
  ForeignCharge: listed('Another installation', 'The payment names another installation.'),
  Voided: listed('Voided', 'The payment was voided at the gateway: no money moved.'),
  RefundUnseen: listed('Refunded', 'The payment was refunded at the gateway, in whole or in part.'),
  DisputeUnseen: listed('Disputed', 'The customer disputes the payment at the gateway.'),
  NotInShop: listed('Not in the shop', 'An Order was pushed, and the shop does not have it any more.'),
  TwiceInShop: listed('Twice in the shop', 'A pushed Order stands in the shop a second time, paid.'),
  TotalDiffersInShop: listed('Another total in the shop', 'The shop has another total than the Order arrived with.'),
};

const UNKNOWN = listed('Something else', 'See the documentation of the API.');

/** A newer API may have more kinds. */
export const kindOf = (kind: string): KindWords => KINDS[kind] ?? UNKNOWN;
