import { minorUnitExponent } from '#libs/rules';

/**
 * Currencies that Stripe accepts for cards and counts in the minor units of ISO 4217.
 * Reviewed against docs.stripe.com/currencies; a currency that is in neither table is refused (decisions.md §9, 1005).
 */
const AS_ISO = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP ' +
    'CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD JPY ' +
    'KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD ' +
    'PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SOS SRD SZL THB TJS TOP TRY TTD TWD TZS ' +
    'UAH USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/**
 * Currencies that Stripe counts in other units: Stripe's units = ISO minor units × `times` ÷ `per`, and a multiple of
 * `step`.
 */
const OTHERWISE: Readonly<Record<string, { times: number; per: number; step: number }>> = {
  /** ISO 0, Stripe 2 for compatibility, and no fractions. */
  ISK: { times: 100, per: 1, step: 100 },
  UGX: { times: 100, per: 1, step: 100 },
  /** ISO 2, Stripe 0. */
  MGA: { times: 1, per: 100, step: 1 },
  /** Three decimals, the last of them 0. */
  BHD: { times: 1, per: 1, step: 10 },
  JOD: { times: 1, per: 1, step: 10 },
  KWD: { times: 1, per: 1, step: 10 },
  OMR: { times: 1, per: 1, step: 10 },
  TND: { times: 1, per: 1, step: 10 },
};

export const STRIPE_CURRENCIES: readonly string[] = [...AS_ISO, ...Object.keys(OTHERWISE)];

/** An ISO 4217 amount in Stripe's units, or a sentence that says why it cannot be expressed. */
export function stripeAmount(amount: number, currencyIso: string): { amount: number } | { refusal: string } {
  const unit = OTHERWISE[currencyIso];
  if (!unit && !(AS_ISO.has(currencyIso) && minorUnitExponent(currencyIso) !== undefined)) {
    return { refusal: `The payment gateway does not take ${currencyIso}.` };
  }
  const { times, per, step } = unit ?? { times: 1, per: 1, step: 1 };
  const exact = amount % per === 0 ? (amount / per) * times : NaN;
  if (!Number.isSafeInteger(exact) || exact <= 0 || exact % step !== 0) {
    return { refusal: `The payment gateway cannot take exactly this amount of ${currencyIso}.` };
  }
  return { amount: exact };
}

/** Converts Stripe's units to ISO 4217 minor units. */
export function isoAmount(stripeUnits: number, currencyIso: string): number {
  const { times, per } = OTHERWISE[currencyIso] ?? { times: 1, per: 1 };
  return (stripeUnits * per) / times;
}
