import { isNamed, isOrder, NAME_META, orderOf } from './wire.js';

it('An order of which a plugin has made nothing in places is an order', () => {
  const meta = [null, { key: NAME_META, value: 'a-1-b' }];
  const json = { id: 7, number: '7', status: 'pending', total: '1.00', date_paid_gmt: null, line_items: [null] };
  const order: unknown = { ...json, meta_data: meta };
  if (!isOrder(order)) throw new Error('It is none.');
  expect(isNamed(order, 'a-1-b')).toBe(true);
  expect(orderOf(order)).toMatchObject({ state: 'Unpaid', lines: [{ productExternalId: null, quantity: 1 }] });
});
