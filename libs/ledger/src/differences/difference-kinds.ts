/**
 * What a difference between a gateway's books, or a shop, and the ledger means. Documentation and OpenAPI follow from
 * this one table.
 */
interface KindOfDifference {
  /** While it is open, its order is not charged (decisions.md §9, code 1009). */
  readonly holds: boolean;
  readonly about: string;
}

const hold = (about: string): KindOfDifference => ({ holds: true, about });
const list = (about: string): KindOfDifference => ({ holds: false, about });

const KINDS = {
  ChargeWithoutCycle: hold('the gateway has a charge for an occurrence that the ledger has not charged.'),
  CycleWithoutCharge: hold('a cycle is completed as paid, and the gateway has no such payment.'),
  TwoCharges: hold('the gateway has a second charge for an occurrence that is paid.'),
  TransactionTwice: hold('one payment of the gateway stands for two cycles.'),
  ChargedAfterStop: hold('the gateway has a charge for an occurrence that was skipped, stopped or given up.'),
  AmountDiffers: list('another amount was charged than the Order has.'),
  CurrencyDiffers: list('another currency was charged than the Order has.'),
  CustomerDiffers: list('another customer of the gateway was charged than the cycle names.'),
  OccurrenceDiffers: list('the payment of a cycle was made for another occurrence.'),
  ForeignCharge: list('the payment of a cycle names another installation.'),
  Voided: list('the payment of a cycle was voided at the gateway: no money moved.'),
  RefundUnseen: list('the payment of a cycle was refunded at the gateway, in whole or in part.'),
  DisputeUnseen: list('the payment of a cycle is disputed at the gateway.'),
  NotInShop: list('an Order was pushed, and the shop does not have it any more.'),
  TwiceInShop: list('a pushed Order stands in the shop a second time, paid.'),
  TotalDiffersInShop: list('a pushed Order has another total in the shop than it arrived with.'),
} as const satisfies Readonly<Record<string, KindOfDifference>>;

export type DifferenceKind = keyof typeof KINDS;
export const DIFFERENCE_KINDS: Readonly<Record<DifferenceKind, KindOfDifference>> = KINDS;

/**
 * They say one fact: a charge has no Order. Which of them it is changes with the cycles of its order, so a charge that
 * one of them is known of is not reported as another.
 */
export const WITHOUT_ORDER: readonly DifferenceKind[] = ['ChargeWithoutCycle', 'TwoCharges', 'ChargedAfterStop'];
