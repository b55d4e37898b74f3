export {
  isAvailable,
  leftOutBecause,
  OUT_OF_STOCK,
  soldDespite,
  type Stock,
  type StockRule,
  stockUnits,
  unavailableBecause,
  WORDS_ALONE,
} from './quote/availability.js';
export { countryCode, COUNTRY_UNKNOWN, countryProblem, type CountryProblem, isCountry } from './places/countries.js';
export { currencyFault, minorUnitExponent } from './money/currencies.js';
export {
  type Decimal,
  divideRounded,
  isPriceOfUnits,
  isSamePrice,
  PERCENTAGE_PLACES,
  priceOfUnits,
  scaled,
  unscaled,
} from './money/decimal.js';
export {
  describeFailure,
  failure,
  type Failure,
  FAILURE_CODES,
  type FailureCode,
  type FailureName,
  HOLDING,
  type PayableOrder,
  paymentProblem,
} from './quote/failures.js';
export { isWooCommerceId, MOST_WOOCOMMERCE_LINES, type PushableProduct, pushProblem } from './quote/pushable.js';
export { FREQUENCY_RANGES, frequencyFault, frequencyRule } from './schedule/frequency.js';
export { chargedMinorUnits, decimalOf, minorUnitsOf, shownAmount } from './money/money.js';
export type { PassedOverRate } from './shipping/passed-over-rate.js';
export { placeKeys } from './places/place-keys.js';
export type { RateLocation, ShippingAddress } from './places/places.js';
export {
  DEFAULT_PRICE_SETTINGS,
  GROSS_OUTSIDE,
  homeAddress,
  needsHomeRates,
  PRICES,
  type PriceSettings,
  ROUND_TAX,
  SHIPPING_TAX,
} from './taxes/price-settings.js';
export { exactNets } from './quote/exact-nets.js';
export { quote } from './quote/quote.js';
export type {
  FixedTotal,
  QuotableItem,
  QuotableOrder,
  QuotableProduct,
  Quote,
  QuoteLine,
  QuoteSteps,
} from './quote/quote-shapes.js';
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
  firstOccurrence,
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
} from './schedule/schedule.js';
export {
  BLACKOUT_SHIFTS,
  type BlackoutShift,
  calendarFaults,
  type CalendarSettings,
  civilDate,
  MOST_LOCK_HOURS,
  type SiteCalendar,
  siteCalendar,
} from './schedule/site-calendar.js';
export type { ClassShipping, ShippingSteps } from './shipping/shipping.js';
export { shownDay, shownInstant, weekdayName } from './schedule/shown-instant.js';
export type { LineTax, PriceSteps } from './taxes/taxes.js';
export { comparable } from './text.js';
export { FREQUENCY_TYPES, type FrequencyRule, type FrequencyType, type Status, STATUSES } from './vocabulary.js';
export { addPeriod, isPeriod } from './schedule/period.js';
export { afterCompletion, afterSkip, type BoxItem, isInBox, type ItemsAfter } from './terms/box-items.js';
export { type Box, boxes, type OrderAhead } from './terms/boxes.js';
export { becomeActive, goOn, type NextDates, resume, type SkippedAhead } from './terms/dates.js';
export {
  CUSTOMER_ACTIONS,
  type CustomerAction,
  isLocked,
  lockedBecause,
  type LockWindow,
  lockWindow,
  NEVER_LOCKED,
} from './terms/lock.js';
export {
  closedBecause,
  type ClosedOrder,
  type Ending,
  ENDINGS,
  isAfterEnd,
  isCountReached,
  NO_TERMS,
  type OrderLimits,
  type OrderTerms,
  reopens,
  termsFaults,
  type TermsToJudge,
} from './terms/order-terms.js';
export {
  droppedWords,
  type NewestCycle,
  type PlannedSkip,
  type SkipAhead,
  skipAhead,
  type SkipBack,
  skipBack,
  type SkippedOrder,
  skippedWords,
  withSkip,
} from './terms/planned-skips.js';
export {
  chargeableFrom,
  DECLINE_DAYS,
  declinedTooOftenWords,
  type DeclinesOfDay,
  isSameCard,
  MOST_DECLINES,
  refusedCardBecause,
} from './terms/refused-card.js';
