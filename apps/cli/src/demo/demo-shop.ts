/** The data of the demo shop besides its catalogue. They are created through the API, as a shop would do it. */
const address = (kind: 'Shipping' | 'Billing', parts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, value]) => [`${kind}${name}`, value]));

const customer = (externalId: string, email: string, parts: Readonly<Record<string, string>>) => ({
  ExternalId: externalId,
  Email: email,
  FirstName: parts.FirstName,
  LastName: parts.LastName,
  Created: '2026-01-05T09:00:00Z',
  ...address('Shipping', parts),
  ...address('Billing', parts),
});

export const CUSTOMERS = [
  customer('1001', 'ada@mail.example', {
    FirstName: 'Ada',
    LastName: 'Lovelace',
    Street1: '1955 Broadway',
    City: 'Oakland',
    State: 'CA',
    Postcode: '94607',
    Country: 'US',
  }),
  customer('1002', 'grace@mail.example', {
    FirstName: 'Grace',
    LastName: 'Hopper',
    Street1: '350 5th Avenue',
    City: 'New York',
    State: 'NY',
    Postcode: '10001',
    Country: 'US',
  }),
  customer('1003', 'alan@mail.example', {
    FirstName: 'Alan',
    LastName: 'Turing',
    Street1: '24 Sussex Drive',
    City: 'Toronto',
    State: 'ON',
    Postcode: 'M5H 2N2',
    Country: 'CA',
  }),
];

export const SHIPPING_RATES = [
  { Name: 'Parcel', Country: 'US', BasePrice: 5, PricePerUnit: 0.5 },
  { Name: 'Free from 100', Country: 'US', BasePrice: 0, MinSubtotal: 100 },
  { Name: 'Parcel abroad', BasePrice: 14, PricePerUnit: 1 },
];

/** Downloads have their own class (--virtual-shipping-class), and free delivery. */
export const downloadRate = (shippingClass: string) => ({
  Name: 'Download',
  ShippingClass: shippingClass,
  BasePrice: 0,
});

/** Approves every charge except those of payment methods whose id contains `declined`; no money moves. */
export const SANDBOX = { PaymentMethodType: 'GatewayOne', ApiKey1: 'sandbox_demo', TestMode: true };

/** The name of the simulated shop, which has a year behind it (year/). */
export const SIMULATED_SHOP = 'Demo Coffee, simulated';

export interface DemoOrder {
  /** ExternalId of its customer. */
  readonly customer: string;
  /** Products by ExternalId, and how many. */
  readonly items: Readonly<Record<string, number>>;
  readonly fields: Readonly<Record<string, string | number>>;
  /** Seconds until it is first processed; undefined: by its frequency. */
  readonly dueInSeconds?: number;
}

const card = (paymentMethodId: string, description: string) => ({
  PaymentMethodType: 'GatewayOne',
  PaymentMethodCustomerId: `cus_${paymentMethodId.replace('pm_', '')}`,
  PaymentMethodId: paymentMethodId,
  PaymentMethodDescription: description,
});

export const ORDERS: readonly DemoOrder[] = [
  {
    customer: '1001',
    items: { '46': 1, '48': 2 },
    fields: { FrequencyType: 'Months', Frequency: 1, ...card('pm_ada', 'Visa ending in 4242') },
    dueInSeconds: 0,
  },
  {
    customer: '1002',
    items: { '47': 3 },
    fields: { FrequencyType: 'Weeks', Frequency: 2, ...card('pm_grace', 'Mastercard ending in 4444') },
    dueInSeconds: 0,
  },
  {
    customer: '1002',
    items: { '62': 1 },
    fields: { FrequencyType: 'Months', Frequency: 1, ...card('pm_grace_declined', 'An expired card') },
    dueInSeconds: 0,
  },
  {
    customer: '1003',
    items: { '79': 1, '73': 1 },
    fields: { FrequencyType: 'DayOfTheMonth', Frequency: 31, ...card('pm_alan', 'Visa ending in 1111') },
    dueInSeconds: 20,
  },
  {
    customer: '1001',
    items: { '75': 1 },
    fields: { FrequencyType: 'DayOfTheWeek', Frequency: 2, ...card('pm_ada', 'Visa ending in 4242') },
  },
  {
    customer: '1003',
    items: { '58': 1 },
    fields: { FrequencyType: 'Days', Frequency: 10, Status: 'Paused', ...card('pm_alan', 'Visa ending in 1111') },
  },
];
