import type { ApiSession } from '../api-session.js';

interface Identified {
  readonly Id: number;
}

/** A scheduled order, as far as the year looks at it. */
export interface StoredOrder extends Identified {
  readonly CustomerId: number;
  readonly Status: string;
  readonly NextOccurrenceUtc: string | null;
  readonly PaymentMethodType: 'GatewayOne' | 'GatewayTwo' | null;
  readonly ScheduledOrderItems: readonly { readonly Id: number; readonly ProductId: number }[];
}

/** Somebody has deleted it, or what it belongs to. */
export class Missing extends Error {}

/** Lists are read as one page: the shop is small. */
const PAGE = 'limit=500';

/**
 * The records of the simulated shop by the names that the year gives them, and the sessions of those who change them.
 */
export class Shop {
  private readonly customers = new Map<string, number>();
  private readonly products = new Map<string, number>();
  private readonly orders = new Map<string, number>();
  private readonly sessions = new Map<string, ApiSession>();

  private constructor(
    /** The shop's own: it reaches this site alone. */
    readonly session: ApiSession,
    readonly siteId: number,
  ) {}

  /** With everything that an interrupted start has made. */
  static async open(session: ApiSession, siteId: number): Promise<Shop> {
    const shop = new Shop(session, siteId);
    for (const { Id, ExternalId } of await shop.list<{ ExternalId: string | null }>('/api/Customers')) {
      if (ExternalId !== null) shop.customers.set(ExternalId, Id);
    }
    for (const { Id, Sku } of await shop.list<{ Sku: string | null }>('/api/Products')) {
      if (Sku !== null) shop.products.set(Sku, Id);
    }
    await shop.findOrders();
    return shop;
  }

  /** An order's name is the ExternalId of its customer, and its number among the customer's orders. */
  private async findOrders(): Promise<void> {
    const present = await this.list<StoredOrder>('/api/ScheduledOrders');
    const deleted = await this.list<StoredOrder>('/api/ScheduledOrders', 'Deleted=true');
    const all = [...present, ...deleted].sort((one, other) => one.Id - other.Id);
    for (const [externalId, customerId] of this.customers) {
      const own = all.filter(({ CustomerId }) => CustomerId === customerId);
      own.forEach(({ Id }, index) => this.orders.set(`${externalId}/${index + 1}`, Id));
    }
  }

  list<T>(path: string, filter = ''): Promise<(T & Identified)[]> {
    return this.session.list(`${path}?${PAGE}&SiteId=${this.siteId}${filter === '' ? '' : `&${filter}`}`);
  }

  /** The id of a record that is made once. */
  async customer(externalId: string, made: () => object): Promise<number> {
    return this.once(this.customers, externalId, '/api/Customers', made);
  }

  async product(sku: string, made: () => object): Promise<number> {
    return this.once(this.products, sku, '/api/Products', made);
  }

  async order(name: string, made: () => object): Promise<number> {
    return this.once(this.orders, name, '/api/ScheduledOrders', made);
  }

  customerId(externalId: string): number {
    return known(this.customers, externalId);
  }

  productId(sku: string): number {
    return known(this.products, sku);
  }

  orderId(name: string): number {
    return known(this.orders, name);
  }

  /** Those that are not deleted. */
  async ordersOf(externalId: string): Promise<StoredOrder[]> {
    return this.list<StoredOrder>('/api/ScheduledOrders', `CustomerId=${this.customerId(externalId)}`);
  }

  /** The customer's own session, so that the log says who did it. */
  async sessionOf(externalId: string): Promise<ApiSession> {
    const session = this.sessions.get(externalId) ?? (await this.session.ofCustomer(this.customerId(externalId)));
    this.sessions.set(externalId, session);
    return session;
  }

  private async once(ids: Map<string, number>, name: string, path: string, made: () => object): Promise<number> {
    const id = ids.get(name);
    if (id !== undefined) return id;
    const { Id } = await this.session.create<Identified>(path, made(), `demo-year-${this.siteId}-${path}-${name}`);
    ids.set(name, Id);
    return Id;
  }
}

function known(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Missing(`The simulated shop has no ${name}.`);
  return id;
}
