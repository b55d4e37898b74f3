/** The columns of an address, without the `shipping_` or `billing_` before them. */
export const ADDRESS = ['first_name', 'last_name', 'street1', 'street2', 'city', 'state', 'postcode', 'country'];
