import { amountOf, isRoundingOf, surplusOf } from './amounts.js';
import type { Differences, LineDifference, Push, ShopOrder } from './shop-receiver.js';

/** @throws RangeError when the shop's total is no amount. */
export function compare(push: Push, order: ShopOrder): Differences {
  const { currencyIso, total, lines } = push;
  const theirs = amountOf(order.total);
  if (theirs === null) throw new RangeError(`"${order.total}" is no amount.`);
  return {
    total: surplusOf(theirs, total, currencyIso),
    isNetOther: isNetOther(push, order),
    currencyIso: order.currencyIso === null || order.currencyIso === currencyIso ? null : order.currencyIso,
    lines: order.lines === null ? [] : lineDifferences(lines, order.lines),
    areAmountsUnknown: lines.some((line) => line.total === null),
  };
}

export const isSame = (differences: Differences): boolean => differences.total === 0 && isByAmountOnly(differences);

/** The right things in the right currency, and at most by tax or rounding another total. */
export const isByAmountOnly = ({ isNetOther, currencyIso, lines, areAmountsUnknown }: Differences): boolean =>
  !isNetOther && currencyIso === null && lines.length === 0 && !areAmountsUnknown;

/** No order at all to anybody who packs it or reads its total. */
export const isOfNoUse = (push: Push, { total, lines }: ShopOrder): boolean =>
  lines?.length === 0 || (amountOf(total) === 0n && amountOf(push.total) !== 0n);

/**
 * Whether what the two totals have besides their taxes differs by more than the rounding of each line and of the
 * shipping.
 */
function isNetOther({ currencyIso, total, taxTotal, lines }: Push, order: ShopOrder): boolean {
  const [theirs, theirTax] = [amountOf(order.total)!, amountOf(order.taxTotal)];
  const [ours, ourTax] = [amountOf(total)!, amountOf(taxTotal)];
  if (theirs === ours || ourTax === null || order.lines === null) return false;
  if (theirTax === null) return true;
  return !isRoundingOf(theirs - theirTax - (ours - ourTax), lines.length + 1, order.total, currencyIso);
}

interface Counted {
  readonly productExternalId: string | null;
  readonly quantity: number;
}

function lineDifferences(ours: readonly Counted[], theirs: readonly Counted[]): LineDifference[] {
  const [wanted, had] = [unitsOf(ours), unitsOf(theirs)];
  return [...new Set([...wanted.keys(), ...had.keys()])]
    .map((id) => ({ productExternalId: id, ours: wanted.get(id) ?? 0, theirs: had.get(id) ?? 0 }))
    .filter((line) => line.ours !== line.theirs);
}

function unitsOf(lines: readonly Counted[]): Map<string | null, number> {
  const units = new Map<string | null, number>();
  for (const { productExternalId: id, quantity } of lines) units.set(id, (units.get(id) ?? 0) + quantity);
  return units;
}
