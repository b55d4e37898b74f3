export const SHIPPING_ADDRESS = [
  'shippingFirstName',
  'shippingLastName',
  'shippingStreet1',
  'shippingStreet2',
  'shippingCity',
  'shippingState',
  'shippingPostcode',
  'shippingCountry',
] as const;

export const BILLING_ADDRESS = [
  'billingFirstName',
  'billingLastName',
  'billingStreet1',
  'billingStreet2',
  'billingCity',
  'billingState',
  'billingPostcode',
  'billingCountry',
] as const;
