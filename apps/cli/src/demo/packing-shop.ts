import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { signedHeaders } from '#libs/events';
import { type Packed, packedPage, type Received } from './packed-page.js';

const LOOPBACK = '127.0.0.1';
/** Any other where it is taken. */
const USUAL_PORT = 4002;
const TOLERANCE_S = 300;

const PAGE = '/dev/shop';
/** Where it receives Orders: the `Path` of its site's Shop. */
export const ORDERS_PATH = `${PAGE}/orders`;

interface Reply {
  readonly status: number;
  readonly body: object | string;
}

/**
 * The shop that the demo brings along. It receives Orders as any shop may (integrations/README.md), each once, keeps
 * them in a file, and shows what it has packed. Only this machine reaches it.
 */
export class PackingShop {
  private readonly orders = new Map<string, Packed>();
  private readonly server = http.createServer((request, response) => {
    // Whoever asked has gone.
    this.serve(request, response).catch(() => response.destroy());
  });

  private constructor(
    private readonly file: string,
    private readonly secret: string,
  ) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    for (const line of lines) this.keep(JSON.parse(line) as Packed);
  }

  /** @param secret what requests to it are signed with. */
  static async open(file: string, secret: string): Promise<PackingShop> {
    mkdirSync(dirname(file), { recursive: true });
    const shop = new PackingShop(file, secret);
    await shop.listen(USUAL_PORT).catch(() => shop.listen(0));
    // It ends with the program, whatever that waits for.
    shop.server.unref();
    return shop;
  }

  /** The site's `Url`. */
  get url(): string {
    return `http://${LOOPBACK}:${(this.server.address() as AddressInfo).port}`;
  }

  /** For the user's browser. */
  get pageUrl(): string {
    return `http://localhost:${new URL(this.url).port}${PAGE}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async listen(port: number): Promise<void> {
    const listening = once(this.server, 'listening');
    this.server.listen(port, LOOPBACK);
    await listening;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = this.answer(request, Buffer.concat(chunks).toString('utf8'));
    const isPage = typeof body === 'string';
    response
      .writeHead(status, {
        'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .end(isPage ? body : JSON.stringify(body));
  }

  private answer({ method, url = '', headers }: IncomingMessage, body: string): Reply {
    // A page of another host could read what customers bought, under a name of its own.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? ''))
      return { status: 421, body: { detail: 'This is localhost.' } };
    if (method === 'GET' && url === PAGE) return { status: 200, body: packedPage([...this.orders.values()].reverse()) };
    if (!`${url}/`.startsWith(`${ORDERS_PATH}/`)) return { status: 404, body: { detail: 'There is nothing here.' } };
    const name = String(headers['webhook-id']);
    if (!this.isSigned(name, headers, body)) return { status: 401, body: { detail: 'The signature is wrong.' } };
    return method === 'GET' ? this.lookUp(name) : this.receive(name, body);
  }

  /** Signed again, it comes to one of the signatures that it has. */
  private isSigned(id: string, headers: IncomingMessage['headers'], body: string): boolean {
    const second = Number(headers['webhook-timestamp']);
    // Also of what is no number.
    if (!(Math.abs(Date.now() / 1_000 - second) < TOLERANCE_S)) return false;
    const signed = signedHeaders({ id, body }, [this.secret], new Date(second * 1_000));
    const wanted = Buffer.from(signed['webhook-signature']!);
    return String(headers['webhook-signature'])
      .split(' ')
      .map((one) => Buffer.from(one))
      .some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
  }

  private lookUp(name: string): Reply {
    const known = this.orders.get(name);
    return known === undefined
      ? { status: 404, body: { detail: 'There is no such order.' } }
      : { status: 200, body: view(known) };
  }

  private receive(name: string, body: string): Reply {
    const known = this.orders.get(name);
    if (known !== undefined) return { status: 200, body: view(known) };
    const order = JSON.parse(body) as Received;
    if (order.OrderItems.length === 0) return { status: 422, body: { detail: 'There are no items.' } };
    const packed = { name, number: this.orders.size + 1, order };
    appendFileSync(this.file, `${JSON.stringify(packed)}\n`, { flush: true });
    this.keep(packed);
    return { status: 201, body: view(packed) };
  }

  private keep(packed: Packed): void {
    this.orders.set(packed.name, packed);
  }
}

const view = ({ number, order: { Total } }: Packed) => ({
  ExternalId: String(number),
  OrderNumber: `N${number}`,
  Total,
});
