import { setTimeout as pause } from 'node:timers/promises';
import { requestTo } from '../../support/api.js';

type Fields = Record<string, unknown>;

/** What the requests of an order need. */
export interface Stock {
  readonly token: string;
  readonly customer: number;
  readonly product: number;
}

const PAUSE_MS = 20;

/**
 * Clients behind a load balancer: each makes orders, changes and reads them, one request after the other, and each
 * request goes to the next API. An answer of 400 or more, and a connection that fails, is a fault: nothing is tried
 * again.
 */
export class Traffic {
  readonly faults: string[] = [];
  /** Orders that their client has finished with. */
  readonly made: number[] = [];
  requests = 0;
  slowestMs = 0;
  /** URLs of the APIs that take requests now. */
  apis: string[] = [];
  private running = true;
  private readonly clients: Promise<void>[] = [];

  constructor(readonly stock: Stock) {}

  begin(clients: number): void {
    for (let client = 0; client < clients; client++) this.clients.push(this.shop());
  }

  async end(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
  }

  private async shop(): Promise<void> {
    while (this.running) {
      const order = await this.send('POST', '/api/ScheduledOrders', {
        CustomerId: this.stock.customer,
        FrequencyType: 'Months',
        Frequency: 1,
        PaymentMethodType: 'GatewayOne',
        PaymentMethodCustomerId: 'cus_1',
        PaymentMethodId: 'pm_card',
        ScheduledOrderItems: [{ ProductId: this.stock.product, Quantity: 2 }],
      });
      if (order === null) continue;
      const path = `/api/ScheduledOrders/${Number(order.Id)}`;
      await this.send('PUT', path, { Status: 'Paused' });
      await this.send('GET', '/api/Products');
      await this.send('PUT', path, { Status: 'Active' });
      if ((await this.send('GET', path))?.Status === 'Active') this.made.push(Number(order.Id));
      else this.faults.push(`${path} did not become Active.`);
    }
  }

  private async send(method: string, path: string, body?: Fields): Promise<Fields | null> {
    const api = this.apis[this.requests++ % this.apis.length]!;
    const since = performance.now();
    try {
      const answered = await requestTo(api)(method, path, { token: this.stock.token, ...(body && { body }) });
      if (answered.status < 400) return answered.body as Fields;
      this.faults.push(`${method} ${path}: ${answered.status} ${JSON.stringify(answered.body)}`);
    } catch (error) {
      this.faults.push(`${method} ${path} at ${api}: ${String((error as Error).cause ?? error)}`);
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - since);
      await pause(PAUSE_MS);
    }
    return null;
  }
}
