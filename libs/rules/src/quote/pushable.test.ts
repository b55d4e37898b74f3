import { MOST_WOOCOMMERCE_LINES, type PushableProduct, pushProblem } from './pushable.js';

const coffee = (change: Partial<PushableProduct> = {}): PushableProduct => ({
  ...{ title: 'Coffee', externalId: '10', sku: 'COFFEE', unsellable: null },
  ...{ availability: null, stockLevel: null, shippingClass: null, taxClass: null, deletedUtc: null },
  ...change,
});
const lines = (count: number) => Array.from({ length: count }, () => coffee());
const unknown = (has: string) =>
  `The shop has no product for "Coffee": its ExternalId must be the shop's id of it; it is ${has}.`;

test.each([
  ['WooCommerceRest', [coffee()], null],
  ['WooCommerceRest', lines(MOST_WOOCOMMERCE_LINES), null],
  [
    'WooCommerceRest',
    lines(MOST_WOOCOMMERCE_LINES + 1),
    'The order has 101 lines, and the shop takes at most 100: make two orders of it.',
  ],
  ['WooCommerceRest', [coffee(), coffee({ externalId: null })], unknown('none')],
  ['WooCommerceRest', [coffee({ externalId: 'coffee-10' })], unknown('"coffee-10"')],
  ['WooCommerceRest', [coffee({ externalId: null, availability: 'OutOfStock' }), coffee()], null],
  ['WooCommerceRest', [coffee({ externalId: null, deletedUtc: '2026-01-01' }), coffee()], null],
  [
    'WooCommerceRest',
    [coffee(), coffee({ unsellable: '"Coffee" is a draft.' })],
    '"Coffee" is a draft. Correct that in the shop, and verify it.',
  ],
  ['WooCommerceRest', [coffee({ unsellable: '"Coffee" is a draft.', availability: 'OutOfStock' }), coffee()], null],
  ['Http', [coffee({ unsellable: '"Coffee" is a draft.' })], null],
  ['Http', lines(MOST_WOOCOMMERCE_LINES + 1), null],
  ['Http', [coffee({ externalId: 'coffee-10', sku: null })], null],
  ['Http', [coffee({ externalId: null })], null],
  ['Http', [coffee({ externalId: null, sku: null })], unknown('none')],
] as const)('a %s can take %#', (receiver, products, message) => {
  const problem = message === null ? null : { code: 1010, name: 'NotPushable', message };
  expect(pushProblem(receiver, products)).toEqual(problem);
});
