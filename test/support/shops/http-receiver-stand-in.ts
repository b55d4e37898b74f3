import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { Faults } from '../gateways/faults.js';
import { json, LoopbackServer, type OnTheWay, type Reply, type ServedRequest } from './loopback-server.js';

/** Nothing is done before; after it is done all the same. */
export type ReceiverFault =
  | 'dropsBefore'
  | 'dropsAfter'
  | 'losesBody'
  | 'failsBefore'
  | 'failsAfter'
  | 'sleeps'
  /** A proxy gives up, and it is done later. */
  | 'timesOut'
  /** A proxy sends it twice. */
  | 'repeats'
  | 'rateLimited'
  /** A firewall in front of it. */
  | 'forbids'
  | 'otherTotal'
  | 'namesNothing';
export type ReceiverOperation = 'create' | 'lookUp';

export interface ReceivedOrder {
  readonly key: string;
  readonly externalId: string;
  readonly orderNumber: string;
  readonly total: string;
  /** As it came. */
  readonly body: string;
}

/** A receiver of Orders as every platform can have one: an order per key, settled, in one step. */
export class HttpReceiverStandIn extends LoopbackServer {
  /** What was received, by key. */
  readonly books = new Map<string, ReceivedOrder>();
  /** What came for a key after its order stood, and how often. */
  readonly repeated = new Map<string, number>();
  readonly faults = new Faults<ReceiverFault, ReceiverOperation>('create', 7);
  /** What signs; null: it believes everybody. */
  secret: string | null = null;
  /** Products that it does not have. */
  readonly unknownProducts = new Set<string>();
  sleepMs = 50_000;
  /** Its clock: signatures are too old there. */
  aheadMs = 0;
  private readonly inProgress = new Set<string>();

  static start(): Promise<HttpReceiverStandIn> {
    return new HttpReceiverStandIn().listen();
  }

  protected async serve(request: ServedRequest): Promise<OnTheWay> {
    const fault = this.faults.take(request.method === 'POST' ? 'create' : 'lookUp');
    if (fault === 'dropsBefore') return 'dropped';
    if (fault === 'failsBefore') return json(500, { detail: 'Broken.' });
    if (fault === 'forbids') return { status: 403, body: '<h1>Forbidden</h1>' };
    if (fault === 'rateLimited')
      return json(429, { detail: 'Slower.' }, { 'retry-after': `${this.faults.retryAfterSeconds}` });
    if (fault === 'timesOut') {
      this.goesOn(this.answer(request, 'sleeps'));
      return json(504, { detail: 'Too slow.' });
    }
    if (fault === 'repeats') await this.answer(request, null);
    const reply = await this.answer(request, fault);
    if (fault === 'dropsAfter') return { lost: reply };
    if (fault === 'losesBody') return { bodyLost: reply };
    return fault === 'failsAfter' ? json(500, { detail: 'Broken.' }) : reply;
  }

  private async answer({ method, url, headers, body }: ServedRequest, fault: ReceiverFault | null): Promise<Reply> {
    if (this.aheadMs !== 0)
      return json(401, { detail: 'Too old.' }, { date: new Date(Date.now() + this.aheadMs).toUTCString() });
    if (!this.isSigned(headers as Record<string, string>, body))
      return json(401, { detail: 'The signature is wrong.' });
    const [, key] = /^\/scheduled-orders\/orders(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (!url.pathname.startsWith('/scheduled-orders/orders')) return json(404, { detail: 'No such path.' });
    if (method === 'GET') {
      const known = this.books.get(key ?? '');
      return known === undefined ? json(404, { detail: 'No such order.' }) : json(200, view(known, null));
    }
    return this.takeOrder(String(headers['idempotency-key']), body, fault);
  }

  private async takeOrder(key: string, body: string, fault: ReceiverFault | null): Promise<Reply> {
    if (this.inProgress.has(key)) return json(409, { detail: 'It is in progress.' });
    const known = this.books.get(key);
    if (known !== undefined) {
      this.repeated.set(key, (this.repeated.get(key) ?? 0) + 1);
      const isSame = known.total === (JSON.parse(body) as { Total: string }).Total;
      return isSame ? json(200, view(known, null)) : json(422, { detail: 'Another total under this key.' });
    }
    const { Total: total, OrderItems: items } = JSON.parse(body) as {
      Total: string;
      OrderItems: { ProductExternalId: string | null }[];
    };
    const missing = items.find(({ ProductExternalId: id }) => id === null || this.unknownProducts.has(id));
    if (missing) return json(422, { detail: `There is no product ${missing.ProductExternalId}.` });
    if (items.length === 0) return json(422, { detail: 'There are no items.' });
    this.inProgress.add(key);
    if (fault === 'sleeps') await sleep(this.sleepMs, undefined, { ref: false });
    const number = this.books.size + 1;
    const order = { key, externalId: String(number), orderNumber: `S-${number}`, total, body };
    this.books.set(key, order);
    this.inProgress.delete(key);
    return json(201, view(order, fault));
  }

  private isSigned(headers: Record<string, string>, body: string): boolean {
    if (this.secret === null) return true;
    try {
      new Webhook(this.secret).verify(body, headers);
      return true;
    } catch (error) {
      // An empty body is no JSON, which it parses after it has found the signature right.
      return error instanceof SyntaxError;
    }
  }
}

const view = ({ externalId, orderNumber, total }: ReceivedOrder, fault: ReceiverFault | null) => ({
  ...(fault === 'namesNothing' ? {} : { ExternalId: externalId }),
  OrderNumber: orderNumber,
  Total: fault === 'otherTotal' ? `${total}1` : total,
});
