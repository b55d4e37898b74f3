export { pricingAtVersion, type ProductClasses } from './past-pricing.js';
export { NOTHING_PROPOSED, type ProposedRates, withProposed } from './proposed-rates.js';
export { PROPOSED_SHIPPING_RATES, PROPOSED_TAX_RATES } from './proposed-rates.sql.js';
export { type Portion, RateLoader, type RatesOfBatch, type Shipped } from './rate-loader.js';
export {
  MOST_EXPLAINED_RATES,
  RATE_VERSIONS,
  RATES_FOR_ADDRESS,
  RATES_FOR_QUOTE,
  RATES_OF_PLACES,
  RATES_OF_SITES,
} from './rates.sql.js';
export { compiled, homeKeys, type RatesRow, versionNumber } from './rates-row.js';
