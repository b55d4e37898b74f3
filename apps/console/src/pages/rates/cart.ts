import type { Resource } from '../../api/client.ts';
import { wholeNumber } from '../../search.ts';
import type { RatesSearch } from './search.ts';

export interface CartLine {
  readonly productId: number | undefined;
  /** Undefined while nothing is typed. */
  readonly quantity: number | undefined;
}

/** What would be bought, and where it would go. */
export interface Cart {
  readonly country: string;
  readonly state: string;
  readonly city: string;
  readonly postcode: string;
  readonly customerId: number | undefined;
  readonly lines: readonly CartLine[];
}

function linesOf(written: string | undefined): readonly CartLine[] {
  const lines = (written ?? '').split(',').flatMap((line) => {
    const [productId, quantity] = line.split('x').map(wholeNumber);
    return productId === undefined ? [] : [{ productId, quantity: quantity ?? 1 }];
  });
  return lines.length === 0 ? [{ productId: undefined, quantity: 1 }] : lines;
}

/** The cart in the address. */
export const cartOf = ({ country, state, city, postcode, customerId, lines }: RatesSearch): Cart => ({
  country: country ?? '',
  state: state ?? '',
  city: city ?? '',
  postcode: postcode ?? '',
  customerId,
  lines: linesOf(lines),
});

export const searchOfCart = ({ lines, ...cart }: Cart): RatesSearch => ({
  ...cart,
  lines: picked(lines)
    .map(({ productId, quantity }) => `${productId}x${quantity ?? ''}`)
    .join(','),
});

const picked = (lines: readonly CartLine[]) => lines.filter(({ productId }) => productId !== undefined);

export const hasProduct = ({ lines }: Cart): boolean => picked(lines).length > 0;

/** The request for the cart's quote. */
export const questionOf = ({ country, state, city, postcode, customerId, lines }: Cart): Resource<'RatesQuestion'> => ({
  Address: {
    ShippingCountry: country.trim() || null,
    ShippingState: state.trim() || null,
    ShippingCity: city.trim() || null,
    ShippingPostcode: postcode.trim() || null,
  },
  Lines: picked(lines).map(({ productId, quantity }) => ({ ProductId: productId!, Quantity: quantity ?? 0 })),
  ...(customerId !== undefined && { CustomerId: customerId }),
});

/** Fields of the request that the form of the cart shows faults of. */
export const CART_FIELDS = [
  'Address.ShippingCountry',
  'Address.ShippingState',
  'Address.ShippingCity',
  'Address.ShippingPostcode',
  'CustomerId',
];
