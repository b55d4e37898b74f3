/**
 * What a failure code means to a shop, and what happens then. The API has the codes
 * (test/architecture/console-words.test.ts).
 */
export interface ReasonWords {
  readonly name: string;
  readonly words: string;
  readonly then: string;
}

const PENDING = 'The order is Pending until somebody corrects it.';

const REASONS: Readonly<Record<number, ReasonWords>> = {
  1000: { name: 'EmptyScheduledOrder', words: 'The order has no items', then: PENDING },
  1001: { name: 'NoItemsToShip', words: 'None of its products is available', then: PENDING },
  1002: { name: 'ShippingRateNotFound', words: 'No shipping rate for its address', then: PENDING },
  1003: {
    name: 'PaymentIntegrationNotFound',
    words: 'No payment integration that works',
    then: 'The order waits until there is one, and goes on by itself.',
  },
  1004: { name: 'PaymentMethodNull', words: 'No payment method', then: PENDING },
  1005: { name: 'AmountNotChargeable', words: 'The gateway cannot charge this amount', then: PENDING },
  1006: {
    name: 'ShippingCountryUnknown',
    words: 'The shipping country is not a country',
    then: 'The order is processed, perhaps with other taxes than it should have.',
  },
  1009: {
    name: 'PaymentDiffers',
    words: 'A payment is not as the gateway has it',
    then: 'The order is held until the difference is settled, or somebody processes it.',
  },
  1010: {
    name: 'NotPushable',
    words: 'The shop could not take the order',
    then: 'The order is held until its products are corrected, or PushAnyway of the shop is set.',
  },
  2000: {
    name: 'PaymentFailed',
    words: 'The card was declined',
    then: 'It is tried again for some days, unless no retry can help; then the order is Pending.',
  },
  2001: {
    name: 'GatewayCommunicationFailed',
    words: 'The payment gateway did not answer',
    then: 'It is tried again within minutes and hours; then the order is Pending.',
  },
  99: {
    name: 'Unknown',
    words: 'An unexpected error',
    then: 'It is tried again within minutes and hours; then the order is Pending.',
  },
};

export const REASON_CODES: readonly number[] = Object.keys(REASONS).map(Number);

export const reasonOf = (code: number): ReasonWords =>
  REASONS[code] ?? { name: String(code), words: `Failure ${code}`, then: 'See the documentation of the API.' };
