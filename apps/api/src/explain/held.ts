import { DIFFERENCE_KINDS, type HoldingDifference, isWaiting, type PaymentSide } from '#libs/ledger';
import { describeFailure, type Failure, FAILURE_CODES, minorUnitExponent, shownAmount, shownDay } from '#libs/rules';
import type { Facts } from './facts.js';
import { sentences } from './words.js';

const { code, name } = FAILURE_CODES.PaymentDiffers;

/**
 * What holds an order (decisions.md §9, code 1009), since when, and what lifts it; null where nothing does. A customer
 * learns of the wait only.
 */
export function heldWords(held: readonly HoldingDifference[], isShop: boolean): string | null {
  const [oldest] = held;
  if (oldest === undefined) return null;
  if (!isShop) return 'Nothing is charged before the shop has settled an earlier payment of this order.';
  return sentences(
    `The order is held since ${shownDay(oldest.createdUtc)}, and nothing is charged: ${code} ${name}.`,
    ...held.map(differenceWords),
    `It goes on when ${held.length === 1 ? 'this is' : 'all of these are'} settled (Settle), or when the shop processes the order (Process).`,
  );
}

/** Why the newest cycle is held: its shop could not take the Order (decisions.md §9, code 1010); null: it is not. */
export function notPushable({ newest, cycle }: Pick<Facts, 'newest' | 'cycle'>): Failure | null {
  const { NotPushable } = FAILURE_CODES;
  if (!isWaiting(newest) || cycle?.failureCode !== NotPushable.code) return null;
  return { ...NotPushable, message: cycle.failureMessage ?? '' };
}

/** The same in words, with what lifts it. A customer learns of the wait only. */
export function notPushableWords(facts: Pick<Facts, 'newest' | 'cycle'>, isShop: boolean): string | null {
  const problem = notPushable(facts);
  if (problem === null) return null;
  if (!isShop) return 'Nothing is charged before the shop has prepared this order.';
  return sentences(
    `The order is held, and nothing is charged: ${describeFailure(problem)}`,
    'It goes on when that is corrected, or when PushAnyway of the Shop is set.',
  );
}

const differenceWords = ({ id, kind, ours, theirs }: HoldingDifference): string =>
  `Difference ${id}, ${kind}: ${DIFFERENCE_KINDS[kind].about.replace(/\.$/, '')} (ledger: ${sideWords(ours)}; gateway: ${sideWords(theirs)}).`;

/** The sum that one side has, as far as it says it. */
function sideWords(side: PaymentSide | null): string {
  if (side === null) return 'nothing';
  const { Amount: amount, CurrencyIso: currency } = side;
  if (amount == null) return 'no amount';
  if (currency == null) return `${amount} minor units`;
  return minorUnitExponent(currency) === undefined
    ? `${amount} minor units of ${currency}`
    : shownAmount(amount, currency);
}
