import { useDatabase } from '../../../test/support/database.js';
import {
  chargedAmountsSql,
  frozenAmountSql,
  frozenItemSql,
  frozenJson,
  frozenOrderOf,
  pricedItemSql,
} from './frozen-json.js';

const database = useDatabase();

const item = (name: Parameters<typeof frozenItemSql>[1]) => frozenItemSql('item', name);
const priced = (name: Parameters<typeof frozenItemSql>[1]) => pricedItemSql('item', name, 'charged');
/** As it is written into an Order. $1 what was frozen, $2 the total that was charged instead, or null. */
const READ = `SELECT
  ${frozenAmountSql('amounts', 'subtotal')}::text AS subtotal, ${frozenAmountSql('amounts', 'shippingTotal')}::text AS shipping_total,
  ${frozenAmountSql('amounts', 'taxTotal')}::text AS tax_total, ${frozenAmountSql('amounts', 'total')}::text AS total,
  (SELECT json_agg(json_build_array(${item('productId')}, ${item('name')}, ${item('quantity')}, ${priced('amount')}, ${priced('taxTotal')}))
   FROM jsonb_array_elements(f -> 'items') item) AS items,
  f -> 'shipping' ->> 0 AS shipping, f -> 'billing' AS billing, f -> 'left_out' AS left_out
FROM (SELECT f, charged, ${chargedAmountsSql('f', 'charged')} AS amounts FROM (SELECT $1::jsonb AS f, $2::text AS charged) s) x`;

const order = {
  amounts: { subtotal: '12.5000', shippingTotal: '3.0000', taxTotal: '0.1000', total: '15.6000' },
  items: [
    { productId: 7, name: 'Coffee "dark"', quantity: 2, amount: '12.5000', taxTotal: null },
    { productId: 8, name: null, quantity: 1, amount: '0.0000', taxTotal: '0.1000' },
  ],
  leftOut: ['Tea'],
  shipping: '["Ada"]',
  billing: '["Ada"]',
};

it('gives back by name what was written by name', async () => {
  expect(await database.query(READ, [frozenJson(order), null])).toEqual([
    {
      subtotal: '12.5000',
      shipping_total: '3.0000',
      tax_total: '0.1000',
      total: '15.6000',
      items: [
        ['7', 'Coffee "dark"', '2', '12.5000', null],
        ['8', null, '1', '0.0000', '0.1000'],
      ],
      shipping: 'Ada',
      billing: null,
      left_out: ['Tea'],
    },
  ]);
});

it('keeps the items and nothing of their prices where another total was charged', async () => {
  const [read] = await database.query(READ, [frozenJson({ ...order, billing: '["Bob"]' }), '99.0000']);
  expect(read).toMatchObject({
    subtotal: null,
    shipping_total: null,
    tax_total: null,
    total: '99.0000',
    items: [
      ['7', 'Coffee "dark"', '2', null, null],
      ['8', null, '1', null, null],
    ],
    billing: ['Bob'],
  });
});

it('is read as it was written', async () => {
  const written = async (frozen: string) => {
    const [row] = await database.query<{ frozen: object }>(`SELECT $1::jsonb AS frozen`, [frozen]);
    return frozenOrderOf(row!.frozen);
  };
  expect(await written(frozenJson(order))).toEqual(order);
  const billed = { ...order, leftOut: [], billing: '["Bob"]' };
  expect(await written(frozenJson(billed))).toEqual(billed);
});
