/** The columns of the subscriptions exporter, in its order. */
export const SUBSCRIPTION_COLUMNS = [
  ...['subscription_id', 'subscription_status', 'customer_id', 'start_date', 'trial_end_date', 'next_payment_date'],
  ...['last_payment_date', 'cancelled_date', 'end_date', 'billing_period', 'billing_interval', 'order_shipping'],
  ...[
    'order_shipping_tax',
    'fee_total',
    'fee_tax_total',
    'order_tax',
    'cart_discount',
    'cart_discount_tax',
    'order_total',
  ],
  ...[
    'order_currency',
    'payment_method',
    'payment_method_title',
    'payment_method_post_meta',
    'payment_method_user_meta',
  ],
  ...['requires_manual_renewal', 'shipping_method', 'billing_first_name', 'billing_last_name', 'billing_email'],
  ...['billing_phone', 'billing_address_1', 'billing_address_2', 'billing_postcode', 'billing_city', 'billing_state'],
  ...['billing_country', 'billing_company', 'shipping_first_name', 'shipping_last_name', 'shipping_address_1'],
  ...['shipping_address_2', 'shipping_postcode', 'shipping_city', 'shipping_state', 'shipping_country'],
  ...['shipping_company', 'customer_note', 'order_items', 'order_notes', 'coupon_items', 'fee_items', 'tax_items'],
  'download_permissions',
] as const;

export type SubscriptionCells = Partial<Record<(typeof SUBSCRIPTION_COLUMNS)[number], string>>;

/** A monthly one of 10.00 and 4.00 of shipping, without tax, of a customer in Germany who pays with GatewayOne. */
const USUAL: SubscriptionCells = {
  subscription_status: 'wc-active',
  customer_id: '7',
  start_date: '2026-01-15 08:30:00',
  trial_end_date: '0',
  next_payment_date: '2026-12-15 08:30:00',
  last_payment_date: '2026-11-15 08:30:07',
  cancelled_date: '0',
  end_date: '0',
  billing_period: 'month',
  billing_interval: '1',
  order_shipping: '4.00',
  order_shipping_tax: '0',
  fee_total: '0',
  fee_tax_total: '0',
  order_tax: '0',
  cart_discount: '0',
  cart_discount_tax: '0',
  order_total: '14.00',
  order_currency: 'EUR',
  payment_method: 'stripe',
  payment_method_title: 'Kreditkarte (Stripe)',
  payment_method_post_meta: '_stripe_customer_id:cus_7|_stripe_source_id:pm_7',
  requires_manual_renewal: 'false',
  shipping_method: 'method_id:flat_rate|method_title:Versandkosten|total:4.00',
  billing_first_name: 'Jörg',
  billing_last_name: 'Weiß',
  billing_email: 'joerg@mail.example',
  billing_address_1: 'Große Straße 1',
  billing_postcode: '10115',
  billing_city: 'Berlin',
  billing_state: 'DE-BE',
  billing_country: 'DE',
  order_items: 'product_id:12|name:Kaffee|quantity:1|total:10.00|meta:|tax:',
  download_permissions: '0',
};

/** As PHP's fputcsv writes a field. */
const field = (text: string) => (/[", \t\r\n\\]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A file as the exporter writes it. */
export const subscriptionsCsv = (
  rows: readonly SubscriptionCells[],
  columns: readonly string[] = SUBSCRIPTION_COLUMNS,
): string =>
  [columns, ...rows.map((row, index) => rowOf({ subscription_id: String(1001 + index), ...USUAL, ...row }, columns))]
    .map((cells) => `${cells.map(field).join(',')}\n`)
    .join('');

const rowOf = (row: SubscriptionCells, columns: readonly string[]) =>
  columns.map((column) => (row as Record<string, string | undefined>)[column] ?? '');
