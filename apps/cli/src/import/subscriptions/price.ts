import {
  type CompiledRates,
  decimalOf,
  homeAddress,
  minorUnitExponent,
  needsHomeRates,
  type QuotableOrder,
  type QuotableProduct,
  type Quote,
  quote,
  Rejected,
  type ShippingAddress,
} from '#libs/rules';
import { RowFault } from '../cells.js';
import { proportion, unitPrice } from './amounts.js';

export interface StagedItem {
  readonly productId: number;
  readonly quantity: number;
  /** Minor units, of all pieces together. */
  readonly net: number;
  readonly tax: number;
  readonly product: QuotableProduct;
}

/** A subscription with what it costs in the shop; minor units. */
export interface StagedSubscription extends ShippingAddress {
  readonly currencyIso: string;
  readonly taxExempt: boolean;
  readonly items: readonly StagedItem[];
  readonly shipping: number;
  readonly shippingTax: number | null;
  readonly tax: number;
  readonly total: number;
}

/** What is stored, so that the order costs what the subscription costs. */
export interface Priced {
  /** Of each item. */
  readonly prices: readonly string[];
  readonly shippingTotal: number;
  readonly shippingTotalFixed: boolean;
  readonly taxTotal: number;
  readonly taxTotalFixed: boolean;
  /** What the site's rates would tax, where that differs and the tax is fixed therefore; else null. */
  readonly taxByRates: number | null;
}

export interface RatesOfSite {
  readonly rates: CompiledRates;
  readonly hasTaxRates: boolean;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Prices and totals with which an order costs exactly what the subscription costs. A total that the site's rates give
 * anyhow follows the rates from now on; another one is fixed.
 * @throws RowFault where the order would cost something else.
 */
export function priced(subscription: StagedSubscription, site: RatesOfSite): Priced {
  const taxes = taxesOf(subscription);
  const isGross = site.rates.settings.prices === 'Gross';
  const net = sum(subscription.items.map((item) => item.net));
  const listed = subscription.items.map((item) =>
    pricePer(item, isGross ? item.net + item.tax : item.net, subscription),
  );
  const exact: Totals = {
    shipping: subscription.shipping,
    tax: isGross ? taxes.all : subscription.total - net - subscription.shipping,
  };
  const calculated = byRates(subscription, site, [listed, ...atHome(subscription, site)], exact);
  if (calculated !== null) return { ...calculated, taxByRates: null };
  // Prices with tax contain a fixed tax, and shipping does not: its tax is part of what it costs then.
  const fixed = isGross
    ? { shipping: subscription.total - sum(subscription.items.map((item) => item.net + item.tax)), tax: taxes.goods }
    : exact;
  return { ...allFixed(subscription, site, listed, fixed), taxByRates: taxByRates(subscription, site, listed) };
}

interface Totals {
  readonly shipping: number;
  readonly tax: number;
}

/** Every amount of the file may be rounded, each by half a minor unit at most. */
const toleranceOf = ({ items, currencyIso }: StagedSubscription) =>
  (items.length + 2) * (minorUnitExponent(currencyIso) === 3 ? 10 : 1);

/**
 * The tax of everything, and that of the goods alone. (Before WooCommerce 3, order_tax was without that of shipping.)
 */
function taxesOf(subscription: StagedSubscription): { readonly all: number; readonly goods: number } {
  const { items, shipping, tax, total, currencyIso } = subscription;
  const money = (amount: number) => decimalOf(amount, currencyIso);
  const tolerance = toleranceOf(subscription);
  const goods = sum(items.map((item) => item.tax));
  const ofShipping = subscription.shippingTax ?? Math.max(0, tax - goods);
  const all = Math.abs(tax - goods - ofShipping) <= tolerance ? tax : tax + ofShipping;
  if (Math.abs(all - goods - ofShipping) > tolerance) {
    throw new RowFault(
      `order_tax ${money(tax)} is not the tax of its parts: items ${money(goods)}, shipping ${money(ofShipping)}`,
    );
  }
  const net = sum(items.map((item) => item.net));
  if (Math.abs(total - net - shipping - all) > tolerance) {
    throw new RowFault(
      `order_total ${money(total)} is not the sum of its parts: items ${money(net)}, shipping ${money(shipping)}, tax ${money(all)}`,
    );
  }
  return { all, goods: all - ofShipping };
}

const pricePer = ({ quantity }: StagedItem, amount: number, { currencyIso }: StagedSubscription) =>
  unitPrice(amount, quantity, currencyIso);

/** A price that is so large that its share of tax is exact. */
const ONE_PRICE = '1000000';

/**
 * Where prices contain the tax of the shop's home, the prices that the catalogue has there, from what is left elsewhere
 * without tax; none where prices do not depend on the home.
 */
function atHome(subscription: StagedSubscription, { rates }: RatesOfSite): string[][] {
  const { settings } = rates;
  if (settings.prices !== 'Gross' || !needsHomeRates(settings)) return [];
  const { currencyIso, items } = subscription;
  const one = { ...subscription, ...homeAddress(settings), taxExempt: false };
  const atOnePrice = tryQuote(
    orderOf(
      one,
      items.map(() => ONE_PRICE),
      { shippingFixed: true, taxFixed: false, shipping: 0, tax: 0 },
      1,
    ),
    rates,
  );
  const gross = Number(ONE_PRICE) * 10 ** minorUnitExponent(currencyIso)!;
  return [
    items.map(({ net, quantity }, index) => {
      const left = atOnePrice.lines[index]!.amount;
      const price = left === 0 ? net : proportion(net, gross, left * quantity);
      return unitPrice(price, 1, currencyIso);
    }),
  ];
}

interface Fixing extends Totals {
  readonly shippingFixed: boolean;
  readonly taxFixed: boolean;
}

const orderOf = (
  subscription: StagedSubscription,
  prices: readonly string[],
  fixing: Fixing,
  pieces?: number,
): QuotableOrder => ({
  ...subscription,
  cycles: 0,
  shippingTotal: fixing.shipping,
  shippingTotalFixed: fixing.shippingFixed,
  taxTotal: fixing.tax,
  taxTotalFixed: fixing.taxFixed,
  items: subscription.items.map(({ productId, quantity, product }, index) => ({
    id: null,
    productId,
    price: prices[index]!,
    salePrice: null,
    quantity: pieces ?? quantity,
    product,
  })),
});

function tryQuote(order: QuotableOrder, rates: CompiledRates): Quote {
  try {
    return quote(order, rates);
  } catch (error) {
    if (error instanceof Rejected) throw new RowFault(`order_total: ${error.message}`);
    throw error;
  }
}

/** The fewest fixed totals with which the site's rates give the subscription's amounts; null where they do not. */
function byRates(
  subscription: StagedSubscription,
  { rates, hasTaxRates }: RatesOfSite,
  candidates: readonly (readonly string[])[],
  exact: Totals,
): Omit<Priced, 'taxByRates'> | null {
  if (!hasTaxRates) return null;
  for (const prices of candidates) {
    for (const shippingFixed of rates.hasShippingRates ? [false, true] : [true]) {
      const found = tryQuote(orderOf(subscription, prices, { ...exact, shippingFixed, taxFixed: false }), rates);
      const isSame =
        found.total === subscription.total && found.shippingTotal === exact.shipping && found.taxTotal === exact.tax;
      if (!isSame || found.problems.length > 0) continue;
      return {
        prices,
        shippingTotal: exact.shipping,
        shippingTotalFixed: shippingFixed,
        taxTotal: exact.tax,
        taxTotalFixed: false,
      };
    }
  }
  return null;
}

function allFixed(subscription: StagedSubscription, { rates }: RatesOfSite, prices: readonly string[], fixed: Totals) {
  const money = (amount: number) => decimalOf(amount, subscription.currencyIso);
  if (fixed.shipping < 0 || fixed.tax < 0) {
    throw new RowFault(
      `order_total ${money(subscription.total)} is less than its items: are prices with tax what Prices of the site's settings says?`,
    );
  }
  const found = tryQuote(orderOf(subscription, prices, { ...fixed, shippingFixed: true, taxFixed: true }), rates);
  for (const [index, line] of found.lines.entries()) {
    if (!line.available)
      throw new RowFault(`order_items: item ${index + 1} would not be charged: ${line.unavailableBecause}`);
  }
  if (found.total !== subscription.total) {
    throw new RowFault(`order_total ${money(subscription.total)} would be ${money(found.total)} here`);
  }
  return {
    prices,
    shippingTotal: fixed.shipping,
    shippingTotalFixed: true,
    taxTotal: fixed.tax,
    taxTotalFixed: true,
  };
}

function taxByRates(
  subscription: StagedSubscription,
  { rates, hasTaxRates }: RatesOfSite,
  prices: readonly string[],
): number | null {
  if (!hasTaxRates) return null;
  const fixing = { shippingFixed: true, taxFixed: false, shipping: subscription.shipping, tax: 0 };
  return tryQuote(orderOf(subscription, prices, fixing), rates).taxTotal;
}
