const MIB = 2 ** 20;
const MOST_ITEMS = 500;

/** As many of `element` as 1 MiB takes. */
function filled(head, element, tail) {
  const count = Math.floor((MIB - head.length - tail.length) / (element.length + 1));
  return head + Array(count).fill(element).join(',') + tail;
}

/**
 * As many items, and nearly as many values, as are allowed, filled up to 1 MiB: all but the fields is ignored, as what
 * a GET returned.
 */
function items(fields, last = fields) {
  const item = (own, filling) => `{${own},"Product":[0${',0'.repeat(60)},"${filling}"]}`;
  const room = Math.floor((MIB - 100) / MOST_ITEMS) - item(fields, '').length - 1;
  const filling = 'x'.repeat(room);
  const all = [...Array(MOST_ITEMS - 1).fill(item(fields, filling)), item(last, filling)];
  return `{"CustomerId":1,"ScheduledOrderItems":[${all.join(',')}]}`;
}

const RIGHT = '"ProductId":1,"Price":12.5,"SalePrice":11.5,"Quantity":3';
const WRONG = '"ProductId":"coffee","Price":-1,"SalePrice":true,"Quantity":0';

const nested = `${'['.repeat(30)}${']'.repeat(30)}`;
const fields = (count, fieldOf) => `{${Array.from({ length: count }, (_, index) => fieldOf(index)).join(',')}}`;

/**
 * The worst that 1 MiB can be: what it is, how it is sent, and how it must be answered. All go to `POST
 * /api/ScheduledOrders`.
 */
export const BODIES = [
  { name: 'items, too many', status: 400, body: filled('{"ScheduledOrderItems":[', '{}', ']}') },
  { name: 'numbers instead of an object', status: 400, body: filled('[', '0', ']') },
  { name: 'arrays, 32 levels deep, too many', status: 400, body: filled('{"CustomerId":[', nested, ']}') },
  {
    name: 'arrays, 32 levels deep, as many as are allowed',
    status: 400,
    body: `{"CustomerId":[${Array(1_250).fill(nested).join(',')}]}`,
  },
  { name: 'brackets, too deep', status: 400, body: '['.repeat(MIB) },
  { name: 'one text', status: 400, body: `{"ExternalId":"${'x'.repeat(MIB - 20)}"}` },
  { name: 'one text of escapes', status: 400, body: `{"ExternalId":"${'\\u00e9'.repeat((MIB - 20) / 6)}"}` },
  { name: 'unknown fields', status: 400, body: fields(39_900, (index) => `"field${index}":1234567890`) },
  { name: '500 items with an unknown field each', status: 400, body: items('"ProductId":1,"Colour":"red"') },
  { name: '500 items with four wrong fields each', status: 400, body: items(WRONG) },
  { name: '500 items of which the last is wrong', status: 400, body: items(RIGHT, WRONG) },
  { name: '500 items, all right', status: 201, body: items(RIGHT) },
  { name: '500 items, all right, under an Idempotency-Key', status: 201, isKept: true, body: items(RIGHT) },
];
