import type { Charge, GatewayCredentials } from '#libs/gateways';

let orders = 0;

/** Lists show each charge at once. */
export const NO_LAG = { GatewayOne: 0, GatewayTwo: 0 };

/** A charge of 12.34 USD for a fresh order; what the test is about is given. */
export function givenCharge(about: Partial<Charge> = {}): Charge {
  orders += 1;
  const { scheduledOrderId = orders, attempt = 1 } = about;
  return {
    idempotencyKey: `order-${scheduledOrderId}-attempt-${attempt}`,
    siteId: 7,
    scheduledOrderId,
    attempt,
    dueUtc: new Date(),
    installation: 'test',
    amount: 1234,
    currencyIso: 'USD',
    gatewayCustomerId: `cus_${scheduledOrderId}`,
    gatewayPaymentId: 'pm_card_visa',
    startedUtc: new Date(),
    ...about,
  };
}

export function gatewayOneCredentials(about: Partial<GatewayCredentials> = {}): GatewayCredentials {
  return {
    type: 'GatewayOne',
    apiAccount: null,
    apiKey1: 'sk_test_merchant',
    apiKey2: 'pk_test_merchant',
    testMode: true,
    ...about,
  };
}

export function gatewayTwoCredentials(about: Partial<GatewayCredentials> = {}): GatewayCredentials {
  return {
    type: 'GatewayTwo',
    apiAccount: 'login',
    apiKey1: 'key4567890123456',
    apiKey2: null,
    testMode: true,
    ...about,
  };
}
