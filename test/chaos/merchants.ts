import { type ApiProcess, startApi } from '../support/api-process.js';
import { ENCRYPTION_KEY } from '../support/worker.js';
import { repeatedly } from './actor.js';
import type { Random } from './random.js';
import type { Shop } from './shops.js';
import type { Tally } from './tally.js';

const CLIENTS = 4;
const PATIENCE_MS = 20_000;

type Request = readonly [method: string, path: string, body?: object];

/** Merchants who work on their orders over the real API while these are processed. */
export class Merchants {
  /** Orders that somebody has worked on: what becomes of them is not only the processor's. */
  readonly touched = new Set<number>();
  /** An API that ended by itself. */
  readonly faults: string[] = [];
  private api: ApiProcess;

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly shops: readonly Shop[],
    private readonly random: Random,
    private readonly answers: Tally,
  ) {
    this.api = this.start();
  }

  /** When the API can be reached. */
  async ready(): Promise<void> {
    await this.api.url();
  }

  async run(requestsPerSecond: number, signal: AbortSignal): Promise<void> {
    const everyMs = () => this.random.between(0.5, 1.5) * ((CLIENTS * 1_000) / requestsPerSecond);
    await Promise.all(Array.from({ length: CLIENTS }, () => repeatedly(signal, everyMs, () => this.work())));
  }

  async end(): Promise<void> {
    this.api.child.removeAllListeners('exit');
    this.api.child.kill('SIGKILL');
    await Promise.resolve();
  }

  private start(): ApiProcess {
    const api = startApi({ ENCRYPTION_KEY, RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'info', ...this.env });
    api.child.once('exit', (code, signal) => {
      this.faults.push(`The API ended by itself with ${signal ?? code}:\n${api.output().slice(-4_000)}`);
      this.api = this.start();
    });
    return api;
  }

  private async work(): Promise<void> {
    const shop = this.random.pick(this.shops);
    const id = this.random.pick(shop.orderIds);
    this.touched.add(id);
    const [method, path, body] = this.request(id);
    await this.ask(method, path, shop, body);
  }

  /** Status 0: no answer. */
  async ask(method: string, path: string, shop: Shop, body?: object): Promise<{ status: number; json: unknown }> {
    const what = `${method} ${path.replace(/\d+/, '{id}')}${body && 'Status' in body ? ` ${String(body.Status)}` : ''}`;
    try {
      const response = await fetch((await this.api.url()) + path, {
        method,
        headers: {
          authorization: `Basic ${shop.tokenAuth}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      const { status } = response;
      this.answers.add(`${what}: ${status}`);
      if (status === 500) this.faults.push(`${what} was answered with 500:\n${this.api.output().slice(-4_000)}`);
      return { status, json: text === '' ? null : JSON.parse(text) };
    } catch {
      this.answers.add(`${what}: no answer`);
      return { status: 0, json: null };
    }
  }

  private request(id: number): Request {
    const { random } = this;
    const order = `/api/ScheduledOrders/${id}`;
    const what = random.weighted({
      pause: 3,
      activate: 4,
      pend: 1,
      frequency: 2,
      card: 2,
      address: 2,
      process: 5,
      skip: 2,
      soon: 3,
      past: 2,
      remove: 0.5,
    });
    switch (what) {
      case 'pause':
        return ['PUT', order, { Status: 'Paused' }];
      case 'activate':
        return ['PUT', order, { Status: 'Active' }];
      case 'pend':
        return ['PUT', order, { Status: 'Pending' }];
      case 'frequency':
        return ['PUT', order, { FrequencyType: 'Days', Frequency: 1 + random.below(30) }];
      case 'card':
        return ['PUT', order, { PaymentMethodId: String(700_000 + random.below(100_000)) }];
      case 'address':
        return ['PUT', order, { ShippingCity: random.pick(['Paris', 'Lyon', 'Nice']) }];
      case 'process':
        return ['POST', `${order}/Process`];
      case 'skip':
        return ['POST', `${order}/Skip`];
      case 'soon':
        return ['PUT', `${order}/NextOccurrenceUtc`, { NextOccurrenceUtc: at(random.between(0, 5_000)) }];
      case 'past':
        return ['PUT', `${order}/NextOccurrenceUtc`, { NextOccurrenceUtc: at(-random.between(0, 90_000_000)) }];
      case 'remove':
        return ['DELETE', order];
    }
  }
}

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
