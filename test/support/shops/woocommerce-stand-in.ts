import { setTimeout as sleep } from 'node:timers/promises';
import { Faults } from '../gateways/faults.js';
import { json, LoopbackServer, type OnTheWay, type Reply, type ServedRequest } from './loopback-server.js';
import { Access } from './woocommerce-access.js';
import { micro, rateOf, shown, totals } from './woocommerce-amounts.js';
import { ShopBooks, type StoredLine, type StoredOrder } from './woocommerce-books.js';
import { Hooks } from './woocommerce-hooks.js';
import { pageOf } from './woocommerce-lists.js';

/** What can go wrong with one request. Nothing is done before; after it is done all the same. */
export type ShopFault =
  | 'dropsBefore'
  | 'dropsAfter'
  /** Status and headers arrive, and the beginning of the body. */
  | 'losesBody'
  /** PHP shows a warning before the JSON. */
  | 'warns'
  /** 500 of a hook that runs when it is saved. */
  | 'savesAndFails'
  /** Paying: 500 of a hook on the way to processing, with neither stock taken nor mails sent. */
  | 'paysAndBreaks'
  /** A plugin sleeps before it is saved: `sleepMs`. */
  | 'sleeps'
  /** A proxy gives up, and it is done later: `sleepMs`. */
  | 'timesOut'
  /** A proxy sends it twice. */
  | 'repeats'
  /** A plugin refuses an order that is saved already: 400, and the order is in the trash. */
  | 'refusesIntoTrash'
  /** A firewall lets this one not in: 403, and a page. */
  | 'forbids'
  /** A plugin refuses it with 403, and the order is in the trash. */
  | 'forbidsIntoTrash'
  /** 400, and a draft is left behind. */
  | 'leavesDraft'
  /** Somebody deletes its products, or throws the order away, once it was created. */
  | 'deletesProducts'
  | 'trashes'
  /** A maintenance plugin, or a captcha: 200, and a page. */
  | 'showsPage'
  | 'unavailable'
  | 'rateLimited';

/** `create` is `POST /orders`, `pay` that of one, `remove` its `DELETE`; `read` everything else. */
export type ShopOperation = 'create' | 'pay' | 'remove' | 'read';

export interface StoredProduct {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly type?: 'simple' | 'variable' | 'variation';
  readonly parentId?: number;
  status?: string;
  readonly isVirtual?: boolean;
  /** A plugin may say no. */
  readonly isPurchasable?: boolean;
  readonly modifiedMs?: number;
  readonly salePrice?: string;
  readonly stockStatus?: 'instock' | 'outofstock' | 'onbackorder';
  /** Absent: its stock is not managed. */
  readonly stock?: number;
  readonly sku?: string;
  readonly description?: string;
}

const STATUSES = /^(pending|processing|on-hold|completed|cancelled|refunded|failed|checkout-draft)$/;
const PAYABLE = /^(pending|failed|checkout-draft)$/;
const COUNTRIES: Readonly<Record<string, readonly { code: string; name: string }[]>> = {
  US: [
    { code: 'CA', name: 'California' },
    { code: 'NY', name: 'New York' },
  ],
  DE: [{ code: 'DE-BE', name: 'Berlin' }],
};

const problem = (status: number, code: string, message = code): Reply =>
  json(status, { code, message, data: { status } });
const critical = () => problem(500, 'internal_server_error', 'There has been a critical error on this website.');

/** The part of WooCommerce 11's REST interface that pushes use, as a real one answered. */
export class WooCommerceStandIn extends LoopbackServer {
  readonly books = new ShopBooks();
  readonly faults = new Faults<ShopFault, ShopOperation>('create', 7);
  readonly products = new Map<number, StoredProduct>();
  readonly customers = new Map<number, { billing: object; shipping: object }>();
  /** Percent by country and state; a place that is not here has none. */
  readonly taxRates = new Map<string, string>([['US/CA', '8.25']]);
  readonly settings = {
    ...{ isHttps: true, stripsAuthorization: false, version: '11.0.1', currency: 'USD', offsetHours: 0 },
    ...{ isGross: false, roundsAtSubtotal: false, decimals: 2, hasTaxes: true, base: 'US/CA' },
    /** What a plugin adds to each total, without tax. */
    fee: '0',
    ...{ warnsAlways: false, hasReceiver: false, hasCron: true, isActive: true },
    /** A security plugin shows `/wp-json/` to nobody. */
    isIndexClosed: false,
    /** What plugins write into each order's meta. */
    metaBytes: 0,
    /** A plugin has taken the status of drafts away. */
    hasDrafts: true,
    /** The key's user may not list users. */
    hidesCustomers: false,
    /** Nor does it show meta with an underscore. */
    hidesMeta: false,
    /** What was read once is answered by a cache, by its URL. */
    cachesReads: false,
    /** Where it answers 500 only. */
    breaksAt: 'nowhere',
    /** After so many requests its keys are no keys any more. */
    refusesAfter: Infinity,
    /** What the host in front of it refuses, and with what. */
    ...{ refusedMethods: [] as readonly string[], refusedWith: 405 },
  };
  readonly access = new Access(this.settings);
  readonly hooks = new Hooks();
  sleepMs = 50_000;
  /** What sleeps awakes when this resolves; null: after `sleepMs`. */
  awake: Promise<unknown> | null = null;
  /** What it says of a parameter that is wrong. */
  wordsOfRefusals = 'It is wrong.';
  private lastId = 100;
  private readonly cached = new Map<string, Reply>();

  static start(): Promise<WooCommerceStandIn> {
    return new WooCommerceStandIn().listen();
  }

  protected async serve(request: ServedRequest): Promise<OnTheWay> {
    const { refusedMethods, refusedWith: status } = this.settings;
    if (refusedMethods.includes(request.method)) return { status, body: '<h1>Not allowed</h1>' };
    const operation = operationOf(request);
    const fault = this.faults.take(operation);
    if (fault === 'dropsBefore') return 'dropped';
    if (fault === 'rateLimited')
      return json(429, { code: 'too_many' }, { 'retry-after': `${this.faults.retryAfterSeconds}` });
    if (fault === 'unavailable') return json(503, { code: 'maintenance' }, { 'retry-after': '600' });
    if (fault === 'forbids') return { status: 403, body: '<h1>Forbidden</h1>' };
    if (fault === 'showsPage') return { status: 200, body: '<h1>Back soon</h1>' };
    if (fault === 'timesOut') {
      this.goesOn(this.answer(request, 'sleeps'));
      return json(504, { code: 'too_slow' });
    }
    if (fault === 'repeats') await this.answer(request, null);
    const isCached = this.settings.cachesReads && request.method === 'GET';
    const kept = isCached ? this.cached.get(request.url.href) : undefined;
    const reply = kept ?? (await this.answer(request, fault));
    if (isCached) this.cached.set(request.url.href, reply);
    if (fault === 'dropsAfter') return { lost: reply };
    if (fault === 'losesBody') return { bodyLost: reply };
    if (fault !== 'warns' && !this.settings.warnsAlways) return reply;
    const warning =
      '<br />\n<b>Warning</b>:  Undefined array key [0] in <b>/shop/plugin.php</b> on line <b>12</b><br />\n';
    return { ...reply, body: warning + reply.body };
  }

  private async answer(request: ServedRequest, fault: ShopFault | null): Promise<Reply> {
    const { url, body } = request;
    const method = methodOf(request);
    if (!/^\/wp-json(\/|$)/.test(url.pathname)) return { status: 404, body: '<h1>Not found</h1>' };
    const path = url.pathname.replace(/^\/wp-json\/?/, '');
    if (path === this.settings.breaksAt) return critical();
    if (path === '') return this.settings.isIndexClosed ? problem(401, 'rest_not_logged_in') : this.root();
    if (!this.settings.isActive) return problem(404, 'rest_no_route');
    const isWithdrawn = this.requests.length > this.settings.refusesAfter;
    const refusal = isWithdrawn ? problem(401, 'woocommerce_rest_cannot_view') : this.access.refusal(request);
    if (refusal !== null) return refusal;
    const given = (body === '' ? {} : JSON.parse(body)) as WrittenBody;
    const [, id = '', rest] = /^wc\/v3\/orders(?:\/(\d+))?(?:\/(notes))?$/.exec(path) ?? [];
    if (path === 'wc/v3/orders') return method === 'GET' ? this.list(url.searchParams) : this.create(given, fault);
    if (id !== '') return this.order(method, this.books.orders.get(Number(id)), rest, given, { url, fault });
    return this.shop(method, path, url.searchParams, given);
  }

  private root(): Reply {
    const namespaces = ['wp/v2', 'wc/v3', ...(this.settings.hasReceiver ? ['wc-scheduled-orders/v1'] : [])];
    const url = this.url.replace('http:', this.settings.isHttps ? 'https:' : 'http:');
    return json(200, { url, home: url, namespaces, timezone_string: '', gmt_offset: this.settings.offsetHours });
  }

  private shop(method: string, path: string, query: URLSearchParams, given: WrittenBody): Reply {
    const [, parentId] = /^wc\/v3\/products\/(\d+)\/variations$/.exec(path) ?? [];
    if (parentId !== undefined) return this.variations(Number(parentId), query);
    const [, list = '', id] = /^wc\/v3\/(products|customers|data\/countries|webhooks)(?:\/(\w+))?$/.exec(path) ?? [];
    if (list === 'webhooks') return this.hooks.answer(method, id, given, query);
    if (list === 'products' && id === undefined) return this.productList(query);
    if (list === 'products') return found(this.products.get(Number(id)), 'product', productView);
    if (list === 'customers' && this.settings.hidesCustomers) return problem(403, 'woocommerce_rest_cannot_view');
    if (list === 'customers')
      return found(this.customers.get(Number(id)), 'customer', (customer) => ({ id: Number(id), ...customer }));
    if (list === 'data/countries')
      return found(COUNTRIES[id?.toUpperCase() ?? ''], 'data', (states) => ({ code: id!.toUpperCase(), states }));
    if (path === 'wc/v3/data/currencies/current') return json(200, { code: this.settings.currency });
    if (path === 'wc/v3/system_status') return json(200, this.systemStatus());
    if (path !== 'wc/v3/settings/tax') return problem(404, 'rest_no_route');
    const values = {
      woocommerce_prices_include_tax: this.settings.isGross,
      woocommerce_tax_round_at_subtotal: this.settings.roundsAtSubtotal,
    };
    return json(
      200,
      Object.entries(values).map(([name, is]) => ({ id: name, value: is ? 'yes' : 'no' })),
    );
  }

  private systemStatus() {
    const { version, currency, decimals, hasCron } = this.settings;
    return {
      environment: { version, wp_cron: hasCron, max_execution_time: 30 },
      settings: { currency, number_of_decimals: decimals, HPOS_enabled: true },
    };
  }

  /** Variations are in no list of products; `any` leaves out what was thrown away. */
  private productList(query: URLSearchParams): Reply {
    const isOfTrash = query.get('status') === 'trash';
    const listed = [...this.products.values()].filter(
      (one) => one.type !== 'variation' && (one.status === 'trash') === isOfTrash,
    );
    return this.page(listed, query, productView);
  }

  private variations(parentId: number, query: URLSearchParams): Reply {
    if (!this.products.has(parentId)) return problem(404, 'woocommerce_rest_product_invalid_id');
    const listed = [...this.products.values()].filter((one) => one.type === 'variation' && one.parentId === parentId);
    return this.page(listed, query, productView);
  }

  private async create(given: WrittenBody, fault: ShopFault | null): Promise<Reply> {
    if (given.id !== undefined) return problem(400, 'woocommerce_rest_shop_order_exists');
    const refusal = this.refusal(given);
    if (refusal !== null) return refusal;
    if (fault === 'sleeps') await (this.awake ?? sleep(this.sleepMs, undefined, { ref: false }));
    const order = this.stored(given);
    this.books.orders.set(order.id, order);
    if (fault === 'savesAndFails') return critical();
    if (fault === 'refusesIntoTrash' || fault === 'forbidsIntoTrash') {
      order.status = 'trash';
      return problem(fault === 'forbidsIntoTrash' ? 403 : 400, 'plugin_refuses', 'Not <b>today</b>.');
    }
    if (fault === 'leavesDraft' || (given.coupon_lines ?? []).length > 0) {
      order.status = 'checkout-draft';
      return json(400, {
        code: 'woocommerce_rest_invalid_coupon',
        data: { status: 400, new_draft_order_id: order.id },
      });
    }
    this.hooks.happened('order.created', () => this.view(order));
    if (given.set_paid === true) this.pay(order);
    const view = this.view(order);
    if (fault === 'deletesProducts')
      for (const { productId, variationId } of order.lines) this.deleteProduct(variationId || productId);
    if (fault === 'trashes') order.status = 'trash';
    return json(201, view);
  }

  /** As a person does in the shop: another status, or another number. */
  changeOrder(id: number, change: { readonly status?: string; readonly number?: string }): void {
    const order = this.books.orders.get(id)!;
    Object.assign(order, change, { modifiedMs: Date.now() });
    if (change.status === 'completed') order.completedMs = Date.now();
    const isThrownAway = change.status === 'trash';
    this.hooks.happened(isThrownAway ? 'order.deleted' : 'order.updated', () =>
      isThrownAway ? { id } : this.view(order),
    );
  }

  /** A change of a variation is seen at its parent. */
  changeProduct(id: number, change: Partial<StoredProduct>): void {
    const product = { ...this.products.get(id)!, ...change, modifiedMs: Date.now() };
    this.products.set(id, product);
    this.hooks.happened('product.updated', () => ({ id }));
    const parent = this.products.get(product.parentId ?? 0);
    if (parent !== undefined) this.products.set(parent.id, { ...parent, modifiedMs: Date.now() });
  }

  deleteProduct(id: number): void {
    this.products.delete(id);
    for (const order of this.books.orders.values())
      for (const line of order.lines) if (line.productId === id || line.variationId === id) line.productId = 0;
  }

  /** Why it is not saved; null: it is. */
  private refusal({
    status,
    currency,
    customer_id,
    billing,
    line_items = [],
    shipping_lines = [],
  }: WrittenBody): Reply | null {
    const invalid = (field: string) =>
      json(400, {
        ...{ code: 'rest_invalid_param', message: `Invalid parameter(s): ${field}` },
        data: { status: 400, params: { [field]: this.wordsOfRefusals } },
      });
    if (status !== undefined && !STATUSES.test(status)) return invalid('status');
    if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) return invalid('currency');
    if (billing?.email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(billing.email)) return invalid('billing');
    if (customer_id !== undefined && customer_id !== 0 && !this.customers.has(customer_id))
      return problem(400, 'woocommerce_rest_invalid_customer_id');
    if (shipping_lines.some(({ method_id }) => !method_id))
      return problem(400, 'woocommerce_rest_invalid_shipping_item');
    for (const { product_id, quantity, total, subtotal } of line_items) {
      if (![total, subtotal].every((one) => one === undefined || typeof one === 'string')) return invalid('line_items');
      if (!Number.isInteger(quantity ?? 1)) return invalid('line_items');
      if (!product_id) return problem(400, 'woocommerce_rest_required_product_reference');
      if (quantity === 0) return critical();
    }
    return null;
  }

  private stored(given: WrittenBody): StoredOrder {
    const { status = 'pending', currency = this.settings.currency, customer_id: customerId = 0 } = given;
    const isOld = before(this.settings.version, [9, 9]);
    const meta = (given.meta_data ?? []).map(({ key, value }) => ({ key, value: String(value) }));
    return {
      ...{ id: (this.lastId += 1), status, currency, customerId, meta },
      createdVia: isOld ? 'rest-api' : (given.created_via ?? 'rest-api').slice(0, 100),
      createdMs: Date.now(),
      modifiedMs: Date.now(),
      transactionId: (given.transaction_id ?? '').slice(0, 100),
      ...{ paidMs: null, completedMs: null, isDeleted: false, isStockReduced: false, notes: [] },
      isExempt: meta.some(({ key, value }) => key === 'is_vat_exempt' && value === 'yes'),
      billing: given.billing ?? {},
      shipping: given.shipping ?? {},
      lines: (given.line_items ?? []).map((line) => this.line(line)),
      shippingLines: (given.shipping_lines ?? []).map(({ method_id, total }) => ({
        method_id,
        net: micro(total ?? '0'),
      })),
    };
  }

  /** A product that the shop does not have: a line without a name. A variation may be sent as a product. */
  private line({ product_id = 0, quantity = 1, total, meta_data: meta = [] }: GivenLine): StoredLine {
    const product = this.products.get(product_id);
    const isVariation = product?.type === 'variation';
    return {
      id: (this.lastId += 1),
      productId: product === undefined ? 0 : isVariation ? product.parentId! : product_id,
      variationId: isVariation ? product_id : 0,
      name: product?.name ?? '',
      ...{ quantity, meta },
      net: total === undefined ? micro(product?.price ?? '0') * BigInt(quantity) : micro(total),
    };
  }

  private async order(
    method: string,
    order: StoredOrder | undefined,
    rest: string | undefined,
    given: WrittenBody,
    { url, fault }: { url: URL; fault: ShopFault | null },
  ): Promise<Reply> {
    if (order === undefined || order.isDeleted)
      return problem(method === 'GET' || method === 'DELETE' ? 404 : 400, 'woocommerce_rest_shop_order_invalid_id');
    if (rest === 'notes') {
      if (method === 'GET') return json(200, order.notes);
      order.notes.push({ note: given.note ?? '', customer_note: given.customer_note === true });
      return json(201, order.notes.at(-1));
    }
    if (method === 'GET') return json(200, this.view(order));
    if (method === 'DELETE') {
      if (url.searchParams.get('force') === 'true') order.isDeleted = true;
      else order.status = 'trash';
      order.modifiedMs = Date.now();
      this.hooks.happened('order.deleted', () => ({ id: order.id }));
      return json(200, this.view(order));
    }
    return this.change(order, given, fault);
  }

  /** What a request saw before it slept is what it acts on: payments in parallel take the stock more than once. */
  private async change(order: StoredOrder, given: WrittenBody, fault: ShopFault | null): Promise<Reply> {
    const seen = order.status;
    order.modifiedMs = Date.now();
    if (fault === 'sleeps') await (this.awake ?? sleep(this.sleepMs, undefined, { ref: false }));
    if (given.transaction_id !== undefined) order.transactionId = given.transaction_id.slice(0, 100);
    if (given.set_paid === true && PAYABLE.test(seen) && this.totalsOf(order).total > 0n)
      this.pay(order, { seen, isBroken: fault === 'paysAndBreaks' });
    else if (given.status !== undefined && given.status !== seen) this.moveTo(order, given.status);
    this.hooks.happened('order.updated', () => this.view(order));
    if (fault === 'savesAndFails' || fault === 'paysAndBreaks') return critical();
    return json(200, this.view(order));
  }

  private moveTo(order: StoredOrder, status: string): void {
    if (status === 'processing' || status === 'completed') return this.pay(order, { seen: order.status });
    order.status = status;
    if (status !== 'on-hold') return;
    this.books.mails.push({ to: 'shop', what: 'new', orderId: order.id });
    this.books.mails.push({ to: 'customer', what: 'received', orderId: order.id });
    this.takeStock(order);
  }

  /** Downloads alone need no packing, and neither does what is not there any more: those are completed. */
  private pay(order: StoredOrder, { seen = order.status, isBroken = false } = {}): void {
    const needsPacking = order.lines.some(({ productId, variationId }) => {
      const product = this.products.get(variationId || productId);
      return product !== undefined && product.isVirtual !== true;
    });
    order.paidMs ??= Date.now();
    order.status = needsPacking ? 'processing' : 'completed';
    if (!needsPacking) order.completedMs = Date.now();
    if (isBroken) return;
    if (seen !== 'checkout-draft') {
      this.books.mails.push({ to: 'shop', what: 'new', orderId: order.id });
      this.books.mails.push({ to: 'customer', what: needsPacking ? 'received' : 'complete', orderId: order.id });
    }
    this.takeStock(order);
  }

  /** Of products whose stock is managed alone. */
  private takeStock(order: StoredOrder): void {
    order.isStockReduced = true;
    for (const { productId, variationId, quantity } of order.lines) {
      const id = variationId || productId;
      const stock = this.products.get(id)?.stock;
      if (stock === undefined) continue;
      this.hooks.happened('product.updated', () => ({ id }));
      this.books.taken.set(id, (this.books.taken.get(id) ?? 0) + quantity);
      order.notes.push({
        note: `Stock levels reduced: (#${id}) ${stock}&rarr;${stock - quantity}`,
        customer_note: false,
      });
    }
  }

  /** `any` leaves out the trash and drafts; what is not known as a parameter is ignored: then all orders come back. */
  private list(query: URLSearchParams): Reply {
    const status = query.get('status') ?? 'any';
    if (status === 'checkout-draft' && !this.settings.hasDrafts) return problem(400, 'rest_invalid_param');
    const customer = query.get('customer');
    const via = before(this.settings.version, [9, 9]) ? undefined : query.get('created_via')?.split(/[, ]+/);
    const listed = [...this.books.orders.values()].filter(
      (order) =>
        !order.isDeleted &&
        (status.startsWith('any') ? !/^(trash|checkout-draft)$/.test(order.status) : order.status === status) &&
        (customer === null || order.customerId === Number(customer)) &&
        (via === undefined || via.includes(order.createdVia)),
    );
    return this.page(listed, query, (order) => this.view(order));
  }

  private page<T extends { readonly id: number }>(rows: T[], query: URLSearchParams, view: (row: T) => object): Reply {
    return pageOf(rows, query, { offsetHours: this.settings.offsetHours, view });
  }

  /** As it is shown. */
  totalOf(order: StoredOrder): string {
    return shown(this.totalsOf(order).total, this.settings.decimals);
  }

  private totalsOf({ lines, shippingLines, shipping, billing, isExempt }: StoredOrder) {
    const { country = '', state = '' } = shipping.country ? shipping : billing;
    const place = country === '' ? this.settings.base : `${country}/${state.toUpperCase()}`;
    const isTaxed = this.settings.hasTaxes && !isExempt;
    const rate = isTaxed ? rateOf(this.taxRates.get(place) ?? '0') : 0n;
    const taxed = [...lines, ...shippingLines].map(({ net }) => ({ net, rate }));
    const { total, ...amounts } = totals(taxed, this.settings);
    return { ...amounts, total: total + micro(this.settings.fee) };
  }

  private view(order: StoredOrder): object {
    const { decimals } = this.settings;
    const { taxes, tax, total } = this.totalsOf(order);
    const amount = (value: bigint) => shown(value, decimals);
    return {
      id: order.id,
      number: order.number ?? String(order.id),
      ...{ status: order.status, currency: order.currency, created_via: order.createdVia },
      customer_id: order.customerId,
      date_created_gmt: gmt(order.createdMs),
      date_modified_gmt: gmt(order.modifiedMs),
      date_paid_gmt: order.paidMs === null ? null : gmt(order.paidMs),
      date_completed_gmt: order.completedMs === null ? null : gmt(order.completedMs),
      transaction_id: order.transactionId,
      total: amount(total),
      total_tax: amount(tax),
      needs_payment: PAYABLE.test(order.status),
      ...{ billing: order.billing, shipping: order.shipping },
      line_items: order.lines.map(({ id, productId, variationId, name, quantity, net }, at) => ({
        ...{ id, name, product_id: productId, variation_id: productId === 0 ? 0 : variationId, quantity },
        ...{ total: amount(net), subtotal: amount(net), total_tax: amount(taxes[at]!) },
      })),
      shipping_lines: order.shippingLines.map(({ method_id, net }) => ({ method_id, total: amount(net) })),
      meta_data: [...order.meta, { key: '_plugin', value: 'x'.repeat(this.settings.metaBytes) }]
        .filter(({ key }) => !this.settings.hidesMeta || !key.startsWith('_'))
        .map(({ key, value }, at) => ({ id: at + 1, key, value })),
    };
  }
}

interface GivenLine {
  readonly product_id?: number;
  readonly quantity?: number;
  readonly total?: string;
  readonly subtotal?: string;
  readonly meta_data?: StoredLine['meta'];
}

/** The fields of a body that are looked at; of others a real shop takes no notice either. */
export interface WrittenBody {
  readonly id?: number;
  readonly status?: string;
  readonly currency?: string;
  readonly customer_id?: number;
  readonly created_via?: string;
  readonly transaction_id?: string;
  readonly set_paid?: boolean;
  readonly billing?: Record<string, string>;
  readonly shipping?: Record<string, string>;
  readonly line_items?: readonly GivenLine[];
  readonly shipping_lines?: readonly { readonly method_id: string; readonly total?: string }[];
  readonly coupon_lines?: readonly object[];
  readonly meta_data?: readonly { readonly key: string; readonly value: unknown }[];
  readonly note?: string;
  readonly customer_note?: boolean;
  readonly name?: string;
  readonly topic?: string;
  readonly delivery_url?: string;
  readonly secret?: string;
}

/** WordPress believes the parameter. */
const methodOf = ({ method, url }: ServedRequest): string => url.searchParams.get('_method') ?? method;

function operationOf(request: ServedRequest): ShopOperation {
  const [method, { url }] = [methodOf(request), request];
  if (method === 'POST' && url.pathname.endsWith('/orders')) return 'create';
  if (method === 'GET' || !/\/orders\/\d+$/.test(url.pathname)) return 'read';
  return method === 'DELETE' ? 'remove' : 'pay';
}

function found<T>(one: T | undefined, what: string, view: (one: T) => object): Reply {
  return one === undefined ? problem(404, `woocommerce_rest_${what}_invalid_id`) : json(200, view(one));
}

/** A trashed product says that it can be purchased. */
const productView = ({
  id,
  name,
  price,
  type = 'simple',
  parentId = 0,
  status = 'publish',
  ...product
}: StoredProduct) => ({
  ...{
    id,
    name,
    type,
    status,
    parent_id: parentId,
    sku: product.sku ?? '',
    date_modified_gmt: gmt(product.modifiedMs ?? 0),
  },
  ...{ price: product.salePrice ?? price, regular_price: price, sale_price: product.salePrice ?? '' },
  on_sale: product.salePrice !== undefined,
  ...{ short_description: product.description ?? '', stock_status: product.stockStatus ?? 'instock' },
  ...{ manage_stock: product.stock !== undefined, stock_quantity: product.stock ?? null },
  purchasable: product.isPurchasable ?? status !== 'draft',
});

const gmt = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

function before(version: string, [wantedMajor, wantedMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}
