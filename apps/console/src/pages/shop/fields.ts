/** A value of a field as the API has it. */
export type Value = string | number | boolean | null;
export type Values = Readonly<Record<string, Value>>;

/** One field of a form: what it is called, and what it does, in a sentence. */
export interface Field {
  /** The API's name. */
  readonly name: string;
  readonly label: string;
  readonly about?: string;
  readonly kind: 'text' | 'secret' | 'number' | 'flag' | 'choice';
  /** Of a choice: each value, and what it means. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Those of a record that a form has. */
export const valuesOf = (fields: readonly Field[], record: object): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, (record as Values)[name] ?? null]));

export const SITE_FIELDS: readonly Field[] = [
  { name: 'Name', label: 'Name', kind: 'text', about: 'What the shop is called here.' },
  { name: 'Email', label: 'E-mail address', kind: 'text', about: 'The main contact.' },
  {
    name: 'CurrencyIso',
    label: 'Currency',
    kind: 'text',
    about: 'Three letters, such as USD. Of new orders that name none; orders that exist keep theirs.',
  },
];

export const ADDRESS_FIELDS: readonly Field[] = [
  {
    name: 'Url',
    label: 'Address',
    kind: 'text',
    about: 'Such as https://shop.example. Orders are pushed there, and its pages may call the API from browsers.',
  },
  {
    name: 'Type',
    label: 'Kind of shop',
    kind: 'text',
    about: 'For people; “WooCommerce” proposes what receives the orders in step 2.',
  },
  {
    name: 'ApiKey1',
    label: 'Consumer key of the shop system',
    kind: 'secret',
    about: 'Kept encrypted. WooCommerce makes it under Settings, Advanced, REST API, with the permission Read/Write.',
  },
  {
    name: 'ApiKey2',
    label: 'Consumer secret of the shop system',
    kind: 'secret',
    about: 'Kept encrypted. A receiver of your own gets both as user and password, where they are set.',
  },
];

export const RECEIVER_FIELDS: readonly Field[] = [
  {
    name: 'Receiver',
    label: 'What receives the orders',
    kind: 'choice',
    choices: {
      WooCommerceRest: 'WooCommerce itself: nothing is installed there',
      Http: 'A receiver: our plugin for WooCommerce or Vendure, or one of your own',
    },
  },
  {
    name: 'Path',
    label: 'Path of the receiver',
    kind: 'text',
    about:
      'Behind the address; not for WooCommerce itself. Empty: /scheduled-orders/orders. Our plugin for WooCommerce has /wp-json/wc-scheduled-orders/v1/orders.',
  },
  {
    name: 'TaxDifference',
    label: 'When the shop comes to another total by tax or rounding',
    kind: 'choice',
    choices: { Accept: 'The order counts as pushed, and you are told', Refuse: 'You decide each time' },
  },
  {
    name: 'RefundsIn',
    label: 'Where money is given back',
    kind: 'choice',
    choices: { Service: 'Here, and the shop is told', Shop: 'In the shop, and it is booked here' },
  },
  {
    name: 'StockSync',
    label: 'Prices, titles and stock of products',
    kind: 'choice',
    choices: { Off: 'Are kept by you', On: 'Follow the shop' },
  },
  {
    name: 'PushAnyway',
    label: 'Charge also what the shop does not sell',
    kind: 'flag',
    about: 'Off: an order that the shop could not take is held before it is charged.',
  },
];

export const PRICE_FIELDS: readonly Field[] = [
  {
    name: 'Prices',
    label: 'Prices of items',
    kind: 'choice',
    choices: { Net: 'Tax comes on top of them', Gross: 'They have tax in them' },
  },
  {
    name: 'GrossOutside',
    label: 'What a price with tax in it is elsewhere',
    kind: 'choice',
    choices: {
      Keep: 'The same at every address',
      RemoveTax: 'Without the tax of the shop’s home, where no tax applies',
      Adjust: 'Without the tax of the shop’s home, with that of the address',
    },
  },
  {
    name: 'RoundTax',
    label: 'Where tax is rounded',
    kind: 'choice',
    choices: { Line: 'On each line', Total: 'Once, in the total of goods, shipping and all tax' },
  },
];

export const HOME_FIELDS: readonly Field[] = [
  {
    name: 'HomeCountry',
    label: 'Country',
    kind: 'text',
    about: 'A code such as DE, or the English name: where the prices hold, so which tax is in them.',
  },
  { name: 'HomeState', label: 'State', kind: 'text', about: 'For taxes of a state. Needs the country.' },
  { name: 'HomeCity', label: 'City', kind: 'text', about: 'For taxes of a city. Needs the country.' },
  { name: 'HomePostcode', label: 'Postcode', kind: 'text', about: 'For taxes of a postcode. Needs the country.' },
];

export const SHIPPING_FIELDS: readonly Field[] = [
  {
    name: 'ShippingPrices',
    label: 'Prices of shipping',
    kind: 'choice',
    choices: { Net: 'Tax comes on top of them', Gross: 'They have tax in them' },
  },
  {
    name: 'ShippingTax',
    label: 'Taxes on shipping',
    kind: 'choice',
    choices: {
      None: 'None',
      ByRate: 'The rates that apply to shipping',
      Proportional: 'Those of the goods, each on its part by net value',
      HighestRate: 'The highest that is on the goods',
    },
  },
  {
    name: 'MinSubtotalGross',
    label: 'Compare the least subtotal of a shipping rate with the subtotal and its tax',
    kind: 'flag',
    about: 'Such as free shipping from 50 on: off, the 50 are without tax; on, with it.',
  },
];

export const EVENT_FIELDS: readonly Field[] = [
  {
    name: 'KeepEvents',
    label: 'Keep events also without a webhook endpoint',
    kind: 'flag',
    about: 'For systems that read the event feed in place of receiving webhooks.',
  },
  {
    name: 'UpcomingNoticeDays',
    label: 'Days before an occurrence at which it is announced',
    kind: 'number',
    about: 'The event scheduled_order.upcoming, such as for an e-mail to the customer. 0: it is not announced.',
  },
];
