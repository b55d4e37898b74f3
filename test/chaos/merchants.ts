import { type ApiProcess, startApi } from '../support/api-process.js';
import type { ChargeLedger } from '../support/gateways/ledger.js';
import type { Random } from '../support/random.js';
import { until } from '../support/until.js';
import { repeatedly } from './actor.js';
import { Diary, type Wanted } from './diary.js';
import type { Shop } from './shops.js';
import type { Tally } from './tally.js';

const CLIENTS = 4;
const PATIENCE_MS = 20_000;
const LONGEST_START_MS = 120_000;
const HOUR_MS = 3_600_000;

type Request = readonly [method: string, path: string, body?: object | undefined, wanted?: Wanted];

/**
 * Of all requests so many are for the few orders of each shop that somebody works on all the time: they go through many
 * cycles.
 */
const EAGER = 0.4;
const FAVOURITES = 2;

const WHAT = {
  pause: 3,
  activate: 4,
  pend: 1,
  frequency: 2,
  card: 2,
  address: 2,
  price: 3,
  quantity: 2,
  addItem: 1,
  removeItem: 0.5,
  currency: 1,
  process: 5,
  expected: 3,
  skip: 2,
  soon: 3,
  past: 2,
  remove: 0.5,
} as const;
const WHAT_OF_FAVOURITES = { process: 3, expected: 3, soon: 4, past: 4, activate: 1, price: 0.3 } as const;
/** They race with a charge. */
const AIMED = ['process', 'skip', 'soon', 'past'] as const;
const AIM_EVERY_MS = 20;
type What = keyof typeof WHAT;

/** Merchants who work on their orders over the real API while these are processed. */
export class Merchants {
  readonly diary = new Diary();
  /** An API that ended by itself. */
  readonly faults: string[] = [];
  private api: ApiProcess;

  constructor(
    private readonly env: () => Readonly<Record<string, string>>,
    private readonly shops: readonly Shop[],
    private readonly random: Random,
    private readonly answers: Tally,
  ) {
    this.api = this.start();
  }

  /** When the API can be reached: on a machine that does much else it starts late. */
  async ready(): Promise<void> {
    await until(() => this.api.url().catch(() => null), LONGEST_START_MS);
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
    const api = startApi({ RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'info', ...this.env() });
    api.child.once('exit', (code, signal) => {
      this.faults.push(`The API ended by itself with ${signal ?? code}:\n${api.output().slice(-4_000)}`);
      this.api = this.start();
    });
    return api;
  }

  private async work(): Promise<void> {
    const { random } = this;
    const shop = random.pick(this.shops);
    if (shop.rates.length > 0 && random.chance(0.03)) return this.changeRate(shop);
    const isEager = random.chance(EAGER);
    const id = random.pick(isEager ? shop.orderIds.slice(0, FAVOURITES) : shop.orderIds);
    return this.do(shop, id, isEager ? random.weighted(WHAT_OF_FAVOURITES) : random.weighted(WHAT));
  }

  private async do(shop: Shop, id: number, what: What): Promise<void> {
    const [method, path, body, wanted = {}] =
      what === 'expected' ? await this.expected(shop, id) : this.request(shop, id, what);
    const entry = this.diary.begin(id, what === 'expected' ? 'process' : what, wanted);
    const { status, json } = await this.ask(method, path, shop, body);
    const named = (json as { NextOccurrenceUtc?: string | null } | null)?.NextOccurrenceUtc;
    Object.assign(entry, {
      status,
      endedMs: Date.now(),
      answeredMs: status === 0 ? null : Date.now(),
      occurrenceMs: named ? Date.parse(named) : null,
    });
  }

  /** A Process that names the next occurrence, as it was read before. */
  private async expected(shop: Shop, id: number): Promise<Request> {
    const order = `/api/ScheduledOrders/${id}`;
    const { json } = await this.ask('GET', order, shop);
    const next = (json as { NextOccurrenceUtc?: string | null } | null)?.NextOccurrenceUtc;
    const isExpected = typeof next === 'string';
    return ['POST', `${order}/Process`, isExpected ? { ExpectedNextOccurrenceUtc: next } : undefined, { isExpected }];
  }

  /** Of each hundred charges that reach a gateway so many meet a request while nobody has recorded them. */
  async aim(books: readonly ChargeLedger[], percent: number, signal: AbortSignal): Promise<void> {
    const shopOf = new Map(this.shops.flatMap((shop) => shop.orderIds.map((id) => [id, shop] as const)));
    const seen = books.map(() => 0);
    const under: Promise<void>[] = [];
    await repeatedly(
      signal,
      () => AIM_EVERY_MS,
      () => {
        for (const [index, { charges }] of books.entries()) {
          for (const { scheduledOrderId: id } of charges.slice(seen[index])) {
            const shop = shopOf.get(id);
            if (shop && this.random.chance(percent / 100)) under.push(this.do(shop, id, this.random.pick(AIMED)));
          }
          seen[index] = charges.length;
        }
      },
    );
    await Promise.all(under);
  }

  private async changeRate(shop: Shop): Promise<void> {
    const rate = this.random.pick(shop.rates);
    const value = this.random.pick(rate.type === 'shipping' ? ['4.95', '6.5'] : ['20', '5.5']);
    rate.values.add(value);
    const path = rate.type === 'shipping' ? `/api/ShippingRate/${rate.id}` : `/api/TaxRate/${rate.id}`;
    await this.ask(
      'PUT',
      path,
      shop,
      rate.type === 'shipping' ? { BasePrice: Number(value) } : { Rate: Number(value) },
    );
  }

  /** Another process, as after a change of its settings. */
  async restart(): Promise<void> {
    await this.end();
    this.api = this.start();
    await this.ready();
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

  private request(shop: Shop, id: number, what: What): Request {
    const { random } = this;
    const order = `/api/ScheduledOrders/${id}`;
    switch (what) {
      case 'pause':
        return ['PUT', order, { Status: 'Paused' }];
      case 'activate':
        return ['PUT', order, { Status: 'Active' }];
      case 'pend':
        return ['PUT', order, { Status: 'Pending' }];
      case 'frequency':
        return ['PUT', order, { FrequencyType: 'Days', Frequency: 1 + random.below(30) }];
      case 'card': {
        const card = String(700_000 + random.below(100_000));
        return ['PUT', order, { PaymentMethodId: card }, { card }];
      }
      case 'currency': {
        const currencyIso = random.pick(['USD', 'EUR', 'GBP']);
        return ['PUT', order, { CurrencyIso: currencyIso }, { currencyIso }];
      }
      case 'price':
      case 'quantity':
      case 'addItem':
      case 'removeItem':
        return this.itemRequest(shop, id, what);
      case 'address':
        return ['PUT', order, { ShippingCity: random.pick(['Paris', 'Lyon', 'Nice']) }];
      case 'process':
      case 'expected':
        return ['POST', `${order}/Process`];
      case 'skip':
        return ['POST', `${order}/Skip`];
      case 'soon':
        return reschedule(order, random.between(0, 5_000));
      case 'past':
        return reschedule(order, -random.between(...random.pick(PAST_MS)));
      case 'remove':
        return ['DELETE', order];
    }
  }

  private itemRequest(shop: Shop, orderId: number, what: ItemWhat): Request {
    const { random } = this;
    const { id } = random.pick(shop.items.get(orderId)!);
    const path = `/api/ScheduledOrderItems/${id}`;
    const [price, quantity] = [(random.below(9_000) / 100 + 1).toFixed(2), 1 + random.below(5)];
    switch (what) {
      case 'price':
        return ['PUT', path, { Price: Number(price) }, { item: { id, price } }];
      case 'quantity':
        return ['PUT', path, { Quantity: quantity }, { item: { id, quantity } }];
      case 'removeItem':
        return ['DELETE', path, undefined, { item: { id, isRemoved: true } }];
      case 'addItem': {
        const body = { ScheduledOrderId: orderId, ProductId: shop.productId, Price: Number(price), Quantity: quantity };
        return ['POST', '/api/ScheduledOrderItems', body, { item: { id: null, price, quantity } }];
      }
    }
  }
}

type ItemWhat = Extract<What, 'price' | 'quantity' | 'addItem' | 'removeItem'>;

/**
 * Within what a gateway remembers, and beyond. Days after either the regular occurrences come: none of them within
 * hours of the present time, by whatever clock.
 */
const PAST_MS: readonly (readonly [number, number])[] = [
  [0, 20 * HOUR_MS],
  [27 * HOUR_MS, 28 * HOUR_MS],
];

function reschedule(order: string, ms: number): Request {
  const occurrenceMs = Date.now() + Math.round(ms);
  const body = { NextOccurrenceUtc: new Date(occurrenceMs).toISOString() };
  return ['PUT', `${order}/NextOccurrenceUtc`, body, { occurrenceMs }];
}
