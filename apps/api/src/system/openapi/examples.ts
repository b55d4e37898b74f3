import type { OpenAPIObject } from '@nestjs/swagger';

const ADDRESS = {
  ShippingFirstName: 'Ada',
  ShippingLastName: 'Lovelace',
  ShippingStreet1: '12 St James Square',
  ShippingCity: 'Los Angeles',
  ShippingState: 'CA',
  ShippingPostcode: '90001',
  ShippingCountry: 'US',
};

const CARD = {
  PaymentMethodType: 'GatewayOne',
  PaymentMethodCustomerId: 'cus_1',
  PaymentMethodId: 'pm_1',
  PaymentMethodDescription: 'Visa ending in 4242',
};

/**
 * Example requests by operation id: the fields that most shops send, not all fields. On the demo of `npm start` each
 * works unchanged. So they use the demo's ids, and no example undoes what another needs.
 */
const BODIES: Readonly<Record<string, object>> = {
  login: { Email: 'demo@shop.example', Password: 'demo-password', AccessScope: 'Merchant' },
  createSession: { Email: 'demo@shop.example', Password: 'demo-password' },
  confirmSession: { Password: 'demo-password' },
  generateAccessToken: { AccessScope: 'Customer', CustomerId: 1 },
  createApiKey: { Name: 'Back end of the shop', SiteIds: [1], Access: 'Full' },
  createWebhookEndpoint: {
    SiteId: 1,
    Url: 'https://shop.example/hooks',
    EventTypes: ['scheduled_order.*', 'order.created'],
  },
  updateWebhookEndpoint: { Description: 'Order system' },
  rotateWebhookSecret: { OverlapSeconds: 0 },
  testWebhookEndpoint: { EventType: 'scheduled_order.processed' },
  settleDifference: { As: 'Resolved', Note: 'Refunded by hand.' },
  recoverWebhooks: { SinceUtc: '2026-01-01T00:00:00Z', Which: 'Failed' },
  createSite: { Url: 'https://tea.example', Type: 'WooCommerce', Name: 'Tea Shop', CurrencyIso: 'EUR' },
  updateSite: { Name: 'Coffee Shop' },
  linkPush: { ShopOrderId: '98232' },
  updateShop: { Receiver: 'WooCommerceRest', TaxDifference: 'Accept' },
  rotateShopSecret: { OverlapSeconds: 0 },
  createTestClock: { Name: 'A year of coffee', NowUtc: '2026-01-31T09:00:00Z', CopyOf: 1 },
  advanceTestClock: { By: 'P3M' },
  simulateOutage: { By: 'P10D' },
  updateSiteSettings: { ShippingTax: 'ByRate' },
  explainRates: {
    Address: { ShippingCountry: 'US', ShippingState: 'CA', ShippingCity: 'Los Angeles', ShippingPostcode: '90001' },
    Lines: [
      { ProductId: 3, Quantity: 2 },
      { ProductId: 4, Quantity: 1 },
    ],
    CustomerId: 1,
    TaxRates: [{ Name: 'City tax', Country: 'US', State: 'CA', City: 'Los Angeles', Rate: 1.5 }],
    ShippingRates: [{ Name: 'Free from 50', Country: 'US', BasePrice: 0, MinSubtotal: 50 }],
  },
  createCustomer: {
    SiteId: 1,
    ExternalId: '1042',
    Email: 'ada@mail.example',
    FirstName: 'Ada',
    LastName: 'Lovelace',
    ...ADDRESS,
  },
  updateCustomer: { Email: 'ada.lovelace@mail.example', BillingCity: 'Austin', BillingCountry: 'US' },
  updateCustomerSettings: { VatNumber: 'DE123456789' },
  createPaymentMethod: {
    Type: 'GatewayOne',
    GatewayCustomerId: 'cus_1',
    GatewayPaymentId: 'pm_2',
    Description: 'Mastercard ending in 4444',
  },
  updatePaymentMethod: { Description: 'Ada’s card', BillingCity: 'Austin', BillingCountry: 'US' },
  createProduct: {
    SiteId: 1,
    ExternalId: '7',
    Sku: 'COFFEE-1KG',
    Title: 'Coffee, 1 kg',
    Price: 12.5,
    SalePrice: 9.99,
    TaxClass: 'food',
  },
  updateProduct: { SalePrice: null, Availability: 'InStock' },
  createShippingRate: { SiteId: 1, Name: 'Ground', Country: 'US', BasePrice: 4.9, PricePerUnit: 0.5 },
  updateShippingRate: { MinSubtotal: 20 },
  createTaxRate: { SiteId: 1, Name: 'Sales tax', TaxClass: 'food', Country: 'US', State: 'CA', Rate: 8.25 },
  updateTaxRate: { Rate: 8.5 },
  updateTaxRateTerms: { Priority: 1, AppliesToShipping: true },
  // The demo has a GatewayOne integration already.
  createPaymentIntegration: { SiteId: 1, PaymentMethodType: 'GatewayTwo', ApiKey1: 'sandbox', TestMode: true },
  updatePaymentIntegration: { ApiKey2: 'pk_test_1' },
  createScheduledOrder: {
    CustomerId: 1,
    FrequencyType: 'Months',
    Frequency: 1,
    ...CARD,
    // The demo's products 1 and 2 have variations, and no price of their own.
    ScheduledOrderItems: [{ ProductId: 3, Quantity: 2 }],
  },
  updateScheduledOrder: { FrequencyType: 'Weeks', Frequency: 6 },
  createScheduledOrderItem: { ScheduledOrderId: 1, ProductId: 4, Quantity: 1 },
  updateScheduledOrderItem: { Quantity: 3 },
  rescheduleScheduledOrder: { NextOccurrenceUtc: '2030-01-31T09:00:00Z' },
  // A program should send ExpectedNextOccurrenceUtc as it has read it (the descriptions say so). No example can know
  // it.
  skipScheduledOrder: {},
  updateScheduledOrderTerms: { ExternalId: 'S-1042', Note: 'Leave it at the back door.' },
  cancelScheduledOrder: { Reason: 'We have moved.' },
  processScheduledOrder: {},
  createOrder: {
    ExternalId: '98231',
    OrderNumber: 'A-98231',
    CustomerId: 1,
    DatePaid: '2026-01-31T09:00:00Z',
    Subtotal: 25,
    ShippingTotal: 5,
    TaxTotal: 2.06,
    Total: 32.06,
    ...ADDRESS,
    OrderItems: [{ ProductId: 3, Name: 'Coffee, 1 kg', Subtotal: 25, Total: 25, TaxTotal: 2.06, Quantity: 2 }],
  },
  updateOrder: { DateCompleted: '2026-02-02T15:30:00Z' },
};

interface Operation {
  operationId: string;
  requestBody?: { content: { 'application/json': { example?: object } } };
}

export function showExamples(document: OpenAPIObject): void {
  for (const item of Object.values(document.paths)) {
    for (const { operationId, requestBody } of Object.values(item) as Operation[]) {
      const example = BODIES[operationId];
      if (requestBody !== undefined && example !== undefined) requestBody.content['application/json'].example = example;
    }
  }
}
