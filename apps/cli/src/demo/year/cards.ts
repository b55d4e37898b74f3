import type { Gateway } from './orders.js';

const BRANDS = ['Visa', 'Mastercard', 'American Express'];

/** The sandbox declines what has `declined` in its id, and for good what has `declined_hard`. */
const CARDS = {
  first: { suffix: '', more: '' },
  expired: { suffix: '_declined', more: ', expired' },
  lost: { suffix: '_declined_hard', more: ', reported lost' },
  second: { suffix: '_b', more: '' },
} as const;

export type Card = keyof typeof CARDS;

/** The payment fields of a customer's orders. All their ids in the gateway are made of the customer's. */
export function cardOf(externalId: string, gateway: Gateway, card: Card) {
  const { suffix, more } = CARDS[card];
  const number = Number(externalId) + (card === 'second' ? 1 : 0);
  const digits = 1_000 + ((number * 7_919) % 9_000);
  return {
    PaymentMethodType: gateway,
    PaymentMethodCustomerId: gateway === 'GatewayOne' ? `cus_${externalId}` : `90${externalId}`,
    PaymentMethodId: `${gateway === 'GatewayOne' ? 'pm_' : '80'}${externalId}${suffix}`,
    PaymentMethodDescription: `${BRANDS[number % BRANDS.length]!} ending in ${digits}${more}`,
  };
}
