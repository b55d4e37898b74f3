export { type Portion, RateLoader, type RatesOfBatch, type Shipped } from './rate-loader.js';
export { RATES_FOR_ADDRESS, RATES_FOR_QUOTE } from './rates.sql.js';
export { compiled, homeKeys, type RatesRow } from './rates-row.js';
