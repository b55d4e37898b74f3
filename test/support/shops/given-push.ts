import { type Probe, type Push, type PushLine, pushName, type Shop } from '#libs/shops';

export const INSTALLATION = '0f3a9c1e';

const CALIFORNIA = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', street1: '1 Main St', street2: null, city: 'Oakland' },
  ...{ state: 'CA', postcode: '94607', country: 'US' },
};

/** 3 of product 10 at 9.99, shipping 5.00, 8.25 %: 37.85, as the real shop said. */
export function givenPush(change: Partial<Push> & { scheduledOrderId?: number } = {}): Push {
  const { scheduledOrderId = 12, dueUtc = new Date('2026-11-24T10:30:00Z') } = change;
  return {
    name: pushName({ installation: INSTALLATION, scheduledOrderId, dueUtc }),
    ...{ siteId: 1, orderId: 900 + scheduledOrderId, scheduledOrderId, cycle: 4, dueUtc },
    claimedUtc: new Date(),
    datePaid: new Date('2026-11-24T10:30:05Z'),
    currencyIso: 'USD',
    ...{ subtotal: '29.97', shippingTotal: '5.00', taxTotal: '2.88', total: '37.85' },
    ...{ paymentMethodType: 'GatewayOne', gatewayTransactionId: `pi_${scheduledOrderId}` },
    customer: { externalId: '2', email: 'ada@shop.example', taxExempt: false },
    billing: CALIFORNIA,
    shipping: CALIFORNIA,
    lines: [givenLine()],
    ...change,
  };
}

export const givenLine = (change: Partial<PushLine> = {}): PushLine => ({
  ...{ productExternalId: '10', sku: 'COFFEE', name: 'Coffee', quantity: 3, total: '29.97', taxTotal: '2.47' },
  isRecurring: true,
  ...change,
});

/** What Verify looks at; without products and an order unless said otherwise. */
export const givenProbe = (change: Partial<Probe> = {}): Probe => ({
  ...{ currencyIso: 'USD', prices: 'Net', mostMs: 60_000, products: [], order: null },
  ...change,
});

/** A shop at a stand-in's address. */
export const givenShop = (receiver: Shop['receiver'], url: string, change: Partial<Shop> = {}): Shop => ({
  ...{ receiver, url, path: null, authMode: 'Header', secrets: [] },
  ...{ apiKey1: receiver === 'Http' ? null : 'ck_shop', apiKey2: receiver === 'Http' ? null : 'cs_shop_secret' },
  ...change,
});
