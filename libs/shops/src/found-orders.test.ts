import { judgeBesides, judgeFound, type Judgement } from './found-orders.js';
import type { ShopOrder } from './shop-receiver.js';

const order = (id: number, state: ShopOrder['state']): ShopOrder => ({
  id: String(id),
  number: String(id),
  state,
  currencyIso: 'USD',
  total: '10.00',
  taxTotal: '0.00',
  lines: [],
});

type Row = [string, ShopOrder[], string | null, { keep: number | null; remove: number[]; differs: boolean }];

it.each<Row>([
  ['nothing', [], null, { keep: null, remove: [], differs: false }],
  ['an unpaid one', [order(7, 'Unpaid')], null, { keep: 7, remove: [], differs: false }],
  ['a paid one', [order(7, 'Paid')], '7', { keep: 7, remove: [], differs: false }],
  ['two unpaid ones', [order(9, 'Unpaid'), order(7, 'Unpaid')], null, { keep: 7, remove: [9], differs: false }],
  [
    'two unpaid ones, the younger known',
    [order(9, 'Unpaid'), order(7, 'Unpaid')],
    '9',
    { keep: 9, remove: [7], differs: false },
  ],
  [
    'one of two paid, though the other is known',
    [order(7, 'Unpaid'), order(9, 'Paid')],
    '7',
    { keep: 9, remove: [7], differs: false },
  ],
  ['two paid ones', [order(7, 'Paid'), order(9, 'Paid')], '9', { keep: 9, remove: [], differs: true }],
  ['what a refusal left', [order(7, 'Draft')], null, { keep: null, remove: [7], differs: false }],
  ['one that was thrown away', [order(7, 'Trashed')], '7', { keep: 7, remove: [], differs: true }],
  [
    'one that was thrown away, and its twin',
    [order(7, 'Trashed'), order(9, 'Unpaid')],
    '7',
    { keep: 7, remove: [9], differs: true },
  ],
  ['a cancelled one', [order(7, 'Cancelled')], null, { keep: 7, remove: [], differs: true }],
  [
    'a refunded one beside a paid one',
    [order(7, 'Refunded'), order(9, 'Paid')],
    null,
    { keep: 9, remove: [], differs: true },
  ],
])('%s', (_, orders, knownId, expected) => {
  expect(shown(judgeFound(orders, knownId))).toEqual(expected);
});

it.each<Row>([
  ['nothing', [], '5', { keep: null, remove: [], differs: false }],
  ['an unpaid one', [order(7, 'Unpaid')], '5', { keep: null, remove: [7], differs: false }],
  ['a paid one', [order(7, 'Paid'), order(8, 'Draft')], '5', { keep: null, remove: [8], differs: true }],
  [
    'what a person has ended',
    [order(7, 'Trashed'), order(8, 'Cancelled')],
    '5',
    { keep: null, remove: [], differs: false },
  ],
  ['the linked one', [order(5, 'Unpaid'), order(7, 'Unpaid')], '5', { keep: null, remove: [7], differs: false }],
  ['an unpaid one, of none', [order(7, 'Unpaid')], null, { keep: null, remove: [7], differs: false }],
  ['a paid one, of none', [order(7, 'Paid'), order(8, 'Unpaid')], null, { keep: 7, remove: [8], differs: false }],
])('Beside what a person has decided: %s', (_, orders, settledId, expected) => {
  expect(shown(judgeBesides(orders, settledId))).toEqual(expected);
});

const shown = ({ keep, remove, differs }: Judgement) => ({
  keep: keep === null ? null : Number(keep.id),
  remove: remove.map(({ id }) => Number(id)),
  differs: differs !== null,
});
