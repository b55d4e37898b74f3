import type { HttpRequest } from '../../support/api/connections.js';
import type { Attacker } from './attacker.js';
import type { AttackedShop } from './shops.js';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** Begins; what it has begun goes on until the attacker is stopped. */
export type Attack = (attacker: Attacker, shop: AttackedShop) => void;

const json = { 'content-type': 'application/json' };
const authorization = ({ token }: AttackedShop) => ({ authorization: `Basic ${token}` });

/** In turn, again and again. */
function inTurn(requests: readonly HttpRequest[]): () => HttpRequest {
  let count = 0;
  return () => requests[count++ % requests.length]!;
}

/** As many of `element` as 1 MiB takes. */
function filled(head: string, element: string, tail: string): string {
  const count = Math.floor((MIB - head.length - tail.length) / (element.length + 1));
  return head + Array(count).fill(element).join(',') + tail;
}

const largestBodies = () => [
  filled('{"ScheduledOrderItems":[', '{}', ']}'),
  filled('[', '0', ']'),
  filled('{"CustomerId":[', `${'['.repeat(30)}${']'.repeat(30)}`, ']}'),
  `{"ExternalId":"${'x'.repeat(MIB - 20)}"}`,
  `{${Array.from({ length: MIB / 14 - 1 }, (_, index) => `"f${index}":1`).join(',')}}`,
];

const begun = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}`;

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'connections that send nothing': (attacker) => {
    attacker.connect(1_000, '');
  },

  'connections that send a byte at a time': (attacker, shop) => {
    const heads = attacker.connect(300, begun('/api/Customers', 'X-Word: '));
    const length = `Authorization: Basic ${shop.token}\r\nContent-Type: application/json\r\nContent-Length: ${MIB}`;
    const bodies = attacker.connect(300, `POST /api/Customers HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n{`);
    attacker.every(200, () => {
      for (const socket of [...heads, ...bodies]) if (socket.writable) socket.write('x');
    });
  },

  'pipelined requests': (attacker, shop) => {
    const requests = [begun('/api/Customers', ''), begun('/api/Customers', `Authorization: Basic ${shop.token}\r\n`)];
    for (const request of requests) {
      const many = `${request}\r\n`.repeat(20_000);
      for (const socket of attacker.connect(2, many)) socket.on('drain', () => socket.write(many));
    }
  },

  'wrong logins from many addresses': (attacker) => {
    let count = 0;
    const login = () => {
      const guess = { Email: `guess${count++}@shop.example`, Password: 'wrong horse battery staple' };
      const body = JSON.stringify({ ...guess, AccessScope: 'Merchant' });
      return { method: 'POST', path: '/api/AccessTokens/Login', headers: json, body };
    };
    for (let address = 1; address <= 10; address++) attacker.ask(10, login, `127.0.1.${address}`);
  },

  'whole lists, read slowly or at once': (attacker, shop) => {
    const headers = authorization(shop);
    const slow = begun('/api/ScheduledOrders', `Authorization: Basic ${shop.token}\r\n\r\n`);
    attacker.connect(40, slow, false);
    attacker.ask(10, () => ({ method: 'GET', path: '/api/ScheduledOrders', headers }));
  },

  'the largest bodies, which never end': (attacker) => {
    const head = `POST /api/Customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`;
    attacker.connect(300, head + ' '.repeat(MIB - 1));
  },

  'the largest bodies, with and without a token': (attacker, shop) => {
    const bodies = largestBodies();
    const posts = (headers: Record<string, string>) =>
      inTurn(
        bodies.map((body) => ({
          method: 'POST',
          path: '/api/ScheduledOrders',
          headers: { ...json, ...headers },
          body,
        })),
      );
    attacker.ask(4, posts(authorization(shop)));
    attacker.ask(4, posts({}));
  },

  'the largest orders': (attacker, shop) => {
    const headers = { ...json, ...authorization(shop) };
    const order = `/api/ScheduledOrders/${shop.largestOrderId}`;
    const body = JSON.stringify(shop.largestOrder);
    attacker.ask(4, () => ({ method: 'POST', path: '/api/ScheduledOrders', headers, body }));
    attacker.ask(4, () => ({ method: 'PUT', path: order, headers, body: '{"ShippingCity":"Bath"}' }));
    attacker.ask(8, () => ({ method: 'GET', path: order, headers: authorization(shop) }));
  },

  'the largest logs, read slowly or at once': (attacker, shop) => {
    const path = `/api/ScheduledOrders/${shop.largestOrderId}/ActionLogs`;
    attacker.connect(40, begun(path, `Authorization: Basic ${shop.token}\r\n\r\n`), false);
    attacker.ask(10, () => ({ method: 'GET', path, headers: authorization(shop) }));
  },

  'orders that are very much work to price': (attacker, shop) => {
    const headers = authorization(shop);
    const order = `/api/ScheduledOrders/${shop.heavyOrderId}`;
    const looks = ['Quote', 'Upcoming?count=100', 'Explain'].map((part) => `${order}/${part}`);
    const from = new Date();
    const days = [from, new Date(+from + 39 * DAY_MS)].map((day) => day.toISOString().slice(0, 10));
    const paths = [...looks, `/api/Site/${shop.siteId}/Calendar?From=${days[0]}&To=${days[1]}`];
    attacker.ask(20, inTurn(paths.map((path) => ({ method: 'GET', path, headers }))));
    const lines = Array.from({ length: 500 }, () => ({ ProductId: shop.productId }));
    const body = JSON.stringify({ Address: { ShippingCountry: 'US' }, Lines: lines });
    const explained = `/api/Site/${shop.siteId}/Explain/Rates`;
    attacker.ask(10, () => ({ method: 'POST', path: explained, headers: { ...json, ...headers }, body }));
    attacker.ask(4, () => ({
      method: 'PUT',
      path: order,
      headers: { ...json, ...headers },
      body: '{"ShippingCity":"Bath"}',
    }));
  },

  'many keys of an account with many sites': (attacker, shop) => {
    const paths = [
      '/api/Sites',
      '/api/Operations',
      '/api/ScheduledOrders?page=1',
      '/api/TaxRates?page=1',
      '/api/ApiKeys',
    ];
    for (const key of shop.keys) {
      const headers = { authorization: `Basic ${key}` };
      attacker.ask(5, () => ({ method: 'GET', path: '/api/Events?WaitSeconds=25', headers }));
      attacker.ask(2, inTurn(paths.map((path) => ({ method: 'GET', path, headers }))));
    }
  },
};
