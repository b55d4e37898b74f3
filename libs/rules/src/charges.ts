import type { AppliedTaxes } from './applied-taxes.js';
import type { Currency } from './currencies.js';
import { byRemainder, largestRemainder } from './largest-remainder.js';
import type { PriceSettings } from './price-settings.js';
import type { CompiledTaxRate } from './rates.js';
import { over, type Ratio, ratio, roundDown, roundHalfDown, roundHalfUp, sumOf, times } from './ratio.js';
import type { TaxSet } from './tax-set.js';
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

/** Source: decisions.md §8, Rounding; Gross prices; Rounding taxes. */
export const charged = (
  currency: Currency,
  charges: readonly Charge[],
  roundTax: PriceSettings['roundTax'],
): Charged[] =>
  roundTax === 'Total' ? chargedTogether(currency, charges) : charges.map((charge) => chargedAlone(currency, charge));

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
 * The taxes in a gross amount: each is calculated from the net amount before that is rounded, and is rounded half down. Their sum is never above
 * the gross amount.
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

/** Nothing is rounded before it is added up; what each charge shows are shares of the rounded sums. */
function chargedTogether(currency: Currency, charges: readonly Charge[]): Charged[] {
  const { step } = currency;
  const exact = charges.map(({ listed, applied }) => adjusted(listed, applied));
  const areRounded = charges.every(({ isRounded }) => isRounded);
  const amounts = areRounded
    ? charges.map((charge) => amountAlone(currency, charge))
    : largestRemainder(roundHalfUp(sumOf(exact), step), exact, step);
  const parts = charges.map(({ applied }, index): Part => {
    const net = applied.inPrice ? over(exact[index]!, applied.taxes.factor) : exact[index]!;
    const exactTaxes = applied.taxes.perNet.map((perNet) => times(net, perNet));
    const surely = exactTaxes.reduce((sum, tax) => sum + roundDown(tax, step), 0n);
    return {
      applied,
      amount: amounts[index]!,
      exactTaxes,
      room: applied.inPrice ? amounts[index]! - surely : null,
    };
  });
  const taxes = sharedTaxes(currency, parts);
  return parts.map((part) => {
    const own = part.applied.taxes.rates.map((rate) => lineTax(rate, Number(taxes.get(rate)!.get(part))));
    return (part.applied.inPrice ? inside : onTop)(Number(part.amount), own);
  });
}

/** Of each rate its tax on all parts, rounded once, and what share of it each part has. */
function sharedTaxes({ step }: Currency, parts: readonly Part[]): Map<CompiledTaxRate, Map<Part, bigint>> {
  const partsOf = new Map<CompiledTaxRate, { part: Part; exact: Ratio }[]>();
  for (const part of parts) {
    for (const [index, rate] of part.applied.taxes.rates.entries()) {
      const known = partsOf.get(rate) ?? [];
      partsOf.set(rate, known);
      known.push({ part, exact: part.exactTaxes[index]! });
    }
  }
  const shared = new Map<CompiledTaxRate, Map<Part, bigint>>();
  for (const [rate, taxed] of partsOf) {
    const exact = taxed.map((one) => one.exact);
    const round = taxed[0]!.part.applied.inPrice ? roundHalfDown : roundHalfUp;
    const shares = exact.map((tax) => roundDown(tax, step));
    let left = round(sumOf(exact), step) - shares.reduce((sum, share) => sum + share, 0n);
    for (const index of byRemainder(exact, shares)) {
      const { part } = taxed[index]!;
      if (left === 0n) break;
      if (part.room !== null && part.room < step) continue;
      if (part.room !== null) part.room -= step;
      shares[index]! += step;
      left -= step;
    }
    shared.set(rate, new Map(taxed.map(({ part }, index) => [part, shares[index]!])));
  }
  return shared;
}
