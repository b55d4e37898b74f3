import type { PriceSettings } from '#libs/rules';
import type { Words } from './words.js';

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
