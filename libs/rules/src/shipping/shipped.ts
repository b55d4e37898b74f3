import type { Currency } from '../money/currencies.js';
import type { Ratio } from '../money/ratio.js';
import type { GoodsLine } from '../quote/goods.js';
import type { QuotableOrder } from '../quote/quote-shapes.js';
import type { Purchase } from '../taxes/applied-taxes.js';
import type { Charged } from '../taxes/charges.js';
import { comparable } from '../text.js';
import type { Shipment, ShippingGroup } from './shipment.js';
import { ClassShipping, listedOf, winnerOf } from './shipping.js';
import { chargedShipping } from './shipping-charges.js';
import { shippingTaxes, untaxed } from './shipping-taxes.js';

/** What shipping comes to. */
export interface Shipped {
  /** Of each shipping class why; none where the shop fixed the shipping total. */
  readonly classes: readonly ClassShipping[];
  readonly charged: readonly Charged[];
}

/** What an order is shipped for. */
export interface ShippedGoods {
  readonly order: QuotableOrder;
  readonly currency: Currency;
  readonly purchase: Purchase;
  /** The lines that are available. */
  readonly goods: readonly GoodsLine[];
  /** What rounding took from their gross amount. */
  readonly rest: Ratio;
  /** Minor units: what `MinSubtotal` is compared with. */
  readonly subtotal: number;
  readonly areStepsShown: boolean;
}

/** Source: decisions.md §8, Shipping; Taxed shipping. */
export function shipped(shippedGoods: ShippedGoods): Shipped {
  const { order, currency, purchase } = shippedGoods;
  const { settings } = purchase.rates;
  const part = (prices: typeof settings.prices) =>
    order.taxTotalFixed ? untaxed : shippingTaxes(currency, purchase, shippedGoods.goods, prices);
  // A fixed ShippingTotal is net, as every ShippingTotal.
  if (order.shippingTotalFixed) {
    const charged = chargedShipping(
      currency,
      [BigInt(order.shippingTotal)],
      part('Net'),
      settings.roundTax,
      shippedGoods.rest,
    );
    return { classes: [], charged };
  }
  return shippedByRates(shippedGoods, part(settings.shippingPrices));
}

function shippedByRates(shippedGoods: ShippedGoods, part: ReturnType<typeof shippingTaxes>): Shipped {
  const { currency, purchase, goods, subtotal, areStepsShown } = shippedGoods;
  const { rates } = purchase;
  const units = goods.reduce((sum, { item }) => sum + item.quantity, 0);
  const shipment: Shipment = { currency, to: purchase.to, cycles: shippedGoods.order.cycles, units, subtotal };
  const groups = groupsOf(goods).map((group) => {
    const winner = winnerOf(shipment, group, rates);
    return { group, winner, listed: listedOf(shipment, group, winner) };
  });
  const charged = chargedShipping(
    currency,
    groups.map(({ listed }) => listed),
    part,
    rates.settings.roundTax,
    shippedGoods.rest,
  );
  const classes = groups.map(({ group, winner, listed }, index) => {
    const { net, gross, taxes } = charged[index]!;
    const steps = areStepsShown ? { listed: Number(listed), gross, taxes } : undefined;
    return new ClassShipping(shipment, group, rates, { winner, amount: net, steps });
  });
  return { classes, charged };
}

/** The available items by shipping class, in the order in which the classes first occur. */
function groupsOf(goods: readonly GoodsLine[]): ShippingGroup[] {
  const groups = new Map<string, ShippingGroup>();
  for (const { item } of goods) {
    const { quantity, product } = item;
    const shippingClass = comparable(product.shippingClass);
    const group = groups.get(shippingClass);
    if (group !== undefined) group.units += quantity;
    else groups.set(shippingClass, { class: shippingClass, shippingClass: product.shippingClass, units: quantity });
  }
  return [...groups.values()];
}
