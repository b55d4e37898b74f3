import { useDatabase } from '../../../test/support/database.js';
import { frozenAmountSql, frozenItemSql, frozenJson, frozenOrderOf, withTotalSql } from './frozen-json.js';

const database = useDatabase();

const item = (name: Parameters<typeof frozenItemSql>[1]) => frozenItemSql('item', name);
const READ = (frozen: string) => `SELECT
  ${frozenAmountSql("f -> 'amounts'", 'subtotal')}::text AS subtotal, ${frozenAmountSql("f -> 'amounts'", 'shippingTotal')}::text AS shipping_total,
  ${frozenAmountSql("f -> 'amounts'", 'taxTotal')}::text AS tax_total, ${frozenAmountSql("f -> 'amounts'", 'total')}::text AS total,
  (SELECT json_agg(json_build_array(${item('productId')}, ${item('name')}, ${item('quantity')}, ${item('amount')}, ${item('taxTotal')}))
   FROM jsonb_array_elements(f -> 'items') item) AS items,
  f -> 'shipping' ->> 0 AS shipping, f -> 'billing' AS billing, f -> 'left_out' AS left_out
FROM (SELECT ${frozen} AS f FROM (SELECT $1::jsonb AS stored, '99.0000'::text AS total) s) x`;

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
  expect(await database.query(READ('stored'), [frozenJson(order)])).toEqual([
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
  const [read] = await database.query(READ(withTotalSql('stored', 'total')), [
    frozenJson({ ...order, billing: '["Bob"]' }),
  ]);
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
