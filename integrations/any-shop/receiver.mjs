// SECRET=whsec_… node receiver.mjs: receives the orders of a shop that has no plugin of ours, each once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import http from 'node:http';

const { SECRET = '', FILE = 'orders.jsonl', PORT = '4001' } = process.env;
/** Whoever sends more is nobody who may. */
const MOST_BYTES = 1_000_000;
const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [];
const orders = new Map(lines.map((line) => JSON.parse(line)).map((order) => [order.Name, order]));

function isOurs({ 'webhook-id': name, 'webhook-timestamp': second, 'webhook-signature': signatures = '' }, body) {
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${name}.${second}.${body}`).digest('base64')}`);
  const isEqual = (one) => one.length === wanted.length && timingSafeEqual(one, wanted);
  return Math.abs(Date.now() / 1_000 - second) < 300 && signatures.split(' ').some((one) => isEqual(Buffer.from(one)));
}

/** In your shop this is one transaction, in which `name` is a unique key. */
function receive(method, name, body) {
  if (orders.has(name)) return [200, orders.get(name)];
  if (method === 'GET') return [404, { detail: 'There is no such order.' }];
  const { OrderItems, Total } = JSON.parse(body);
  if (OrderItems.length === 0) return [422, { detail: 'There are no items.' }];
  const order = { Name: name, ExternalId: String(orders.size + 1), OrderNumber: `N${orders.size + 1}`, Total };
  appendFileSync(FILE, `${JSON.stringify({ ...order, OrderItems })}\n`, { flush: true });
  orders.set(name, order);
  return [201, order];
}

async function serve(request, reply) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) if ((bytes += chunk.length) <= MOST_BYTES) chunks.push(chunk);
  if (bytes > MOST_BYTES) return reply.writeHead(413).end();
  const body = Buffer.concat(chunks).toString();
  const known = isOurs(request.headers, body);
  const [status, answer] = known
    ? receive(request.method, request.headers['webhook-id'], body)
    : [401, { detail: 'Who?' }];
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

const server = http.createServer((request, reply) => serve(request, reply).catch(() => reply.destroy()));
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Receiving at http://127.0.0.1:${PORT}`));
