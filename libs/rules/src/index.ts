export { isAvailable, type Stock, stockUnits, unavailableBecause } from './availability.js';
export { isCountry } from './countries.js';
export { COUNTRY_UNKNOWN, countryProblem, type CountryProblem } from './country-problem.js';
export { currencyFault, minorUnitExponent } from './currencies.js';
export { type Decimal, isPriceOfUnits, isSamePrice, priceOfUnits } from './decimal.js';
export {
  describeFailure,
  type Failure,
  failure,
  FAILURE_CODES,
  type FailureCode,
  type FailureName,
} from './failure-codes.js';
export { FREQUENCY_RANGES, frequencyFault } from './frequency.js';
export { chargedMinorUnits, decimalOf, minorUnitsOf, shownAmount } from './money.js';
export type { PassedOverRate } from './passed-over-rate.js';
export { type PayableOrder, paymentProblem } from './payment-problem.js';
export { placeKeys } from './place-keys.js';
export type { RateLocation, ShippingAddress } from './places.js';
export {
  DEFAULT_PRICE_SETTINGS,
  GROSS_OUTSIDE,
  homeAddress,
  needsHomeRates,
  PRICES,
  type PriceSettings,
  ROUND_TAX,
  SHIPPING_TAX,
} from './price-settings.js';
export { quote } from './quote.js';
export type {
  FixedTotal,
  QuotableItem,
  QuotableOrder,
  QuotableProduct,
  Quote,
  QuoteLine,
  QuoteSteps,
} from './quote-shapes.js';
export {
  type CompiledRates,
  compileRates,
  minCyclesOf,
  NO_RATES,
  type ShippingRateRow,
  type TaxRateRow,
} from './rates.js';
export { type Fault, Rejected } from './rejected.js';
export {
  advance,
  type Advanced,
  type LookAhead,
  missingDay,
  mostOccurrences,
  nextOccurrence,
  occurrencesAhead,
  type OccurrencesAhead,
  type OnHold,
  rollForward,
  type TakenUp,
  upcoming,
} from './schedule.js';
export type { ClassShipping, ShippingSteps } from './shipping.js';
export { shownDay, shownInstant, weekdayName } from './shown-instant.js';
export type { LineTax, PriceSteps } from './taxes.js';
export { comparable } from './text.js';
export { FREQUENCY_TYPES, type FrequencyRule, type FrequencyType, type Status, STATUSES } from './vocabulary.js';
export { addPeriod, isPeriod } from './period.js';
