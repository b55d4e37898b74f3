import type { Currency } from '../money/currencies.js';
import { byRemainder, largestRemainder } from '../money/largest-remainder.js';
import {
  over,
  plus,
  type Ratio,
  ratio,
  roundDown,
  roundHalfDown,
  roundHalfUp,
  sumOf,
  times,
  ZERO,
} from '../money/ratio.js';
import type { CompiledTaxRate } from '../rates.js';
import { Rejected } from '../rejected.js';
import type { AppliedTaxes, TaxSet } from './applied-taxes.js';
import type { PriceSettings } from './price-settings.js';
import { type LineTax, lineTax, taxLine } from './taxes.js';

/** A line of goods, or shipping, before it is rounded. */
export interface Charge {
  /** Minor units, as the prices say. */
  readonly listed: Ratio;
  /** It is an amount of money already, and stays what it is. */
  readonly isRounded: boolean;
  readonly applied: AppliedTaxes;
}

/** What a charge comes to; in minor units. `net` and all of `taxes` are `gross`. */
export interface Charged {
  readonly net: number;
  readonly gross: number;
  readonly taxes: readonly LineTax[];
}

/** What several charges come to. */
export interface AllCharged {
  readonly each: readonly Charged[];
  /** What rounding took from their gross amount; below 0 where it added something. */
  readonly rest: Ratio;
}

/**
 * The most taxes that are calculated of all lines, and of shipping: 500 lines with 200 taxes each. Nothing that is sold
 * has as many.
 */
export const MOST_TAXES = 100_000;

/**
 * What charges come to. `before` is what the charges before them have left unrounded: with `RoundTax` `Total` it is
 * rounded with these, so that the total of all is rounded once. @throws Rejected for too many taxes. Source:
 * decisions.md §8, Rounding; Gross prices; Rounding taxes.
 */
export function charged(
  currency: Currency,
  charges: readonly Charge[],
  roundTax: PriceSettings['roundTax'],
  before: Ratio = ZERO,
): AllCharged {
  assertCountable(charges);
  return roundTax === 'Total'
    ? chargedTogether(currency, charges, before)
    : { each: charges.map((charge) => chargedAlone(currency, charge)), rest: ZERO };
}

function assertCountable(charges: readonly Charge[]): void {
  const taxes = charges.reduce((sum, { applied }) => sum + taxesIn(applied), 0);
  if (taxes <= MOST_TAXES) return;
  const message = `${charges.length} lines have ${taxes} taxes in all at this address; at most ${MOST_TAXES} are calculated: order fewer items, or give the place fewer tax rates.`;
  throw new Rejected([{ field: 'ScheduledOrderItems', message }]);
}

const taxesIn = ({ taxes, takenOut }: AppliedTaxes) => taxes.rates.length + (takenOut?.rates.length ?? 0);

function chargedAlone(currency: Currency, charge: Charge): Charged {
  const { applied } = charge;
  const amount = amountAlone(currency, charge);
  return applied.inPrice
    ? inside(Number(amount), taxInclusive(currency, amount, applied.taxes))
    : onTop(Number(amount), taxLine(currency, Number(amount), applied.taxes.rates));
}

/** Rounded as it is listed, and again where it changes with the place. */
function amountAlone({ step }: Currency, { listed, isRounded, applied }: Charge): bigint {
  const amount = isRounded ? listed.numerator : roundHalfUp(listed, step);
  return applied.takenOut === null ? amount : roundHalfUp(adjusted(ratio(amount), applied), step);
}

/** A price that contains the taxes of one place, with the taxes of another place instead. The net amount stays. */
const adjusted = (gross: Ratio, { takenOut, taxes }: AppliedTaxes): Ratio =>
  takenOut === null ? gross : over(times(gross, taxes.factor), takenOut.factor);

/**
 * The taxes in a gross amount: each is calculated from the net amount before that is rounded, and is rounded half down.
 * Their sum is never above the gross amount.
 */
export function taxInclusive(currency: Currency, gross: bigint, taxes: TaxSet): LineTax[] {
  const net = over(ratio(gross), taxes.factor);
  let left = gross;
  return taxes.rates.map((rate, index) => {
    const rounded = roundHalfDown(times(net, taxes.perNet[index]!), currency.step);
    const amount = rounded < left ? rounded : left;
    left -= amount;
    return lineTax(rate, Number(amount));
  });
}

const onTop = (net: number, taxes: readonly LineTax[]): Charged => ({ net, gross: net + sumOfTaxes(taxes), taxes });
const inside = (gross: number, taxes: readonly LineTax[]): Charged => ({
  net: gross - sumOfTaxes(taxes),
  gross,
  taxes,
});

export const sumOfTaxes = (taxes: readonly LineTax[]): number => taxes.reduce((sum, { amount }) => sum + amount, 0);

/** A charge whose amount is rounded, and whose taxes are not yet. */
interface Part {
  readonly applied: AppliedTaxes;
  /** With tax in it where its prices have. */
  readonly amount: bigint;
  readonly exactTaxes: readonly Ratio[];
  /** How much more tax has room in it; null where taxes come on top. */
  room: bigint | null;
}

/**
 * Nothing is rounded before it is added up: the gross amount is rounded once, and so is all tax. What each charge shows
 * are shares of that. All charges have the tax in them, or none has.
 */
function chargedTogether(currency: Currency, charges: readonly Charge[], before: Ratio): AllCharged {
  const { step } = currency;
  const inPrice = charges.some(({ applied }) => applied.inPrice);
  const exact = charges.map(({ listed, applied }) => adjusted(listed, applied));
  const exactTaxes = charges.map(({ applied: { taxes } }, index) => {
    const net = inPrice ? over(exact[index]!, taxes.factor) : exact[index]!;
    return taxes.perNet.map((perNet) => times(net, perNet));
  });
  const allTaxes = sumOf(exactTaxes.flat());
  const tax = inPrice ? roundHalfDown(allTaxes, step) : roundHalfUp(plus(before, allTaxes), step);
  const exactGross = inPrice ? sumOf(exact) : plus(sumOf(exact), allTaxes);
  const gross = roundHalfUp(exactGross, step);
  const amounts = charges.every(({ isRounded }) => isRounded)
    ? charges.map((charge) => amountAlone(currency, charge))
    : largestRemainder(inPrice ? gross : gross - tax, exact, step);
  const parts = charges.map(({ applied }, index): Part => {
    const surely = exactTaxes[index]!.reduce((sum, one) => sum + roundDown(one, step), 0n);
    const amount = amounts[index]!;
    return { applied, amount, exactTaxes: exactTaxes[index]!, room: inPrice ? amount - surely : null };
  });
  const taxes = sharedTaxes(currency, parts, tax);
  const each = parts.map((part) => {
    const own = part.applied.taxes.rates.map((rate) => lineTax(rate, Number(taxes.get(rate)!.get(part))));
    return (inPrice ? inside : onTop)(Number(part.amount), own);
  });
  return { each, rest: plus(exactGross, ratio(-gross)) };
}

/** What of `tax`, the rounded tax on all parts, each rate has, and of that each part. */
function sharedTaxes({ step }: Currency, parts: readonly Part[], tax: bigint): Map<CompiledTaxRate, Map<Part, bigint>> {
  const partsOf = new Map<CompiledTaxRate, { part: Part; exact: Ratio }[]>();
  for (const part of parts) {
    for (const [index, rate] of part.applied.taxes.rates.entries()) {
      const known = partsOf.get(rate) ?? [];
      partsOf.set(rate, known);
      known.push({ part, exact: part.exactTaxes[index]! });
    }
  }
  const all = [...partsOf];
  const exactOfRates = all.map(([, taxed]) => sumOf(taxed.map(({ exact }) => exact)));
  const ofRates = rounded(tax, exactOfRates, step, () => true);
  return new Map(
    all.map(([rate, taxed], place) => {
      const exact = taxed.map((one) => one.exact);
      const shares = rounded(ofRates[place]!, exact, step, (index) => takesRoom(taxed[index]!.part, step));
      return [rate, new Map(taxed.map(({ part }, index) => [part, shares[index]!]))];
    }),
  );
}

/**
 * Amounts that add up to `total`: each is rounded down, and one step more goes to those that lost most, if they may
 * take it.
 */
function rounded(total: bigint, exact: readonly Ratio[], step: bigint, mayTake: (index: number) => boolean): bigint[] {
  const shares = exact.map((one) => roundDown(one, step));
  let left = total - shares.reduce((sum, share) => sum + share, 0n);
  for (const index of byRemainder(exact, shares)) {
    if (left === 0n) break;
    if (!mayTake(index)) continue;
    shares[index]! += step;
    left -= step;
  }
  return shares;
}

function takesRoom(part: Part, step: bigint): boolean {
  if (part.room === null) return true;
  if (part.room < step) return false;
  part.room -= step;
  return true;
}
