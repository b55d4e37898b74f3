import pg from 'pg';
import { lib } from '../harness/product.mjs';
import { ENCRYPTION_KEY } from '../shop/vault.mjs';
import { FREEZE, LOAD, record } from './order-function.sql.mjs';

/** The product's own (apps/worker/src/database/pool.ts): an order's rows are looked up by key. */
const LOOK_UP = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
  .map((name) => `-c ${name}=off`)
  .join(' ');

/** As long as the product's name of a database. */
const INSTALLATION = '00000000-0000-4000-8000-000000000000';

/**
 * Processing one order at a time, as a job of a queue does it: read, price with the product's rules, put on record,
 * charge, write everything. Two commits, three round trips, every statement prepared once per connection; rates and
 * integrations are read once per site and kept. Written to be as fast as one order at a time can be.
 */
export class OrderFunction {
  /** @param {{ url: string, connections: number, gatewayUrl?: string, gatewayConcurrency?: number }} options */
  static async create({ url, connections, gatewayUrl, gatewayConcurrency }) {
    const [rules, gateways, { insertEventsSql }, { Vault }] = await Promise.all(
      ['rules', 'gateways', 'events', 'platform'].map(lib),
    );
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      application_name: 'order-function',
      options: `-c TimeZone=UTC ${LOOK_UP}`,
    });
    return new OrderFunction(pool, {
      rules,
      fingerprintOf: gateways.credentialsFingerprint,
      gateways: new gateways.Gateways({ gatewayOneUrl: gatewayUrl, concurrency: gatewayConcurrency ?? 25 }),
      record: record(insertEventsSql),
      vault: Vault.fromSetting(ENCRYPTION_KEY),
    });
  }

  constructor(pool, parts) {
    this.pool = pool;
    Object.assign(this, parts);
    this.sites = new Map();
    this.worker = `peer-${process.pid}`;
  }

  close() {
    return this.pool.end();
  }

  /** @returns {Promise<boolean>} false when the order was not due any more */
  async process(scheduledOrderId) {
    const order = await this.one('load', LOAD, [scheduledOrderId]);
    if (order === undefined) return false;
    const site = await this.siteOf(Number(order.site_id));
    const priced = this.price(order, site);
    const key = `peerpeer-${order.id}-t${Math.floor(order.next_occurrence_utc / 1_000).toString(36)}-1`;
    const frozen = this.frozen(order, priced);
    const integration = site.integration;
    const { order_id } = await this.one('freeze', FREEZE, [
      order.site_id,
      order.id,
      order.cycle,
      order.next_occurrence_utc,
      priced.total,
      order.currency_iso,
      order.payment_method_type,
      order.payment_method_customer_id,
      order.payment_method_id,
      integration.id,
      integration.fingerprint,
      key,
      frozen,
      this.worker,
      site.ratesVersion,
      order.cycles,
    ]);
    const outcome = await this.charge(order, priced, integration, key);
    if (outcome.kind !== 'succeeded')
      throw new Error(`Order ${order.id}: ${outcome.kind} ${outcome.message ?? ''} ${outcome.detail ?? ''}`);
    const recorded = await this.one('record', this.record, [
      order.id,
      order.version,
      this.next(order),
      priced.shippingTotal,
      priced.taxTotal,
      priced.total,
      `The occurrence of ${minuteOf(order.next_occurrence_utc)} UTC was processed: ${this.rules.decimalOf(priced.total, order.currency_iso)} ${order.currency_iso} paid.`,
      outcome.transactionId,
      order.cycle,
      order_id,
      frozen,
    ]);
    if (recorded === undefined) throw new Error(`Order ${order.id} was changed in the meantime.`);
    return true;
  }

  async one(name, text, values) {
    const { rows } = await this.pool.query({ name, text, values });
    return rows[0];
  }

  price(order, site) {
    const priced = this.rules.quote(quotable(order), site.rates);
    if (priced.problems.length > 0) throw new Error(`Order ${order.id}: ${priced.problems[0].message}`);
    return priced;
  }

  next(order) {
    return this.rules.advance({
      rule: { frequencyType: order.frequency_type, frequency: Number(order.frequency) },
      anchor: order.schedule_anchor_utc,
      occurrence: order.next_occurrence_utc,
      replaced: order.replaced_occurrence_utc,
      now: order.now,
    }).nextUtc;
  }

  charge(order, priced, { id, credentials }, key) {
    return this.gateways.for(id, credentials).charge({
      idempotencyKey: key,
      siteId: Number(order.site_id),
      scheduledOrderId: Number(order.id),
      attempt: 1,
      dueUtc: order.next_occurrence_utc,
      cycle: null,
      installation: INSTALLATION,
      amount: priced.total,
      currencyIso: order.currency_iso,
      gatewayCustomerId: order.payment_method_customer_id,
      gatewayPaymentId: order.payment_method_id,
      startedUtc: order.now,
    });
  }

  /** The Order as it will be written, as the product puts it down. */
  frozen(order, priced) {
    const decimal = (minorUnits) => this.rules.decimalOf(minorUnits, priced.currencyIso);
    const amounts = [priced.subtotal, priced.shippingTotal, priced.taxTotal, priced.total].map(decimal);
    const items = order.items.map(([, productId, , , quantity, name], index) => {
      const { amount, taxTotal } = priced.lines[index];
      return [productId, name, quantity, decimal(amount), decimal(taxTotal)];
    });
    const { shipping, billing } = order;
    return `${JSON.stringify({ amounts, items }).slice(0, -1)},"shipping":${shipping}${billing === shipping ? '' : `,"billing":${billing}`}}`;
  }

  siteOf(siteId) {
    let site = this.sites.get(siteId);
    if (site === undefined) this.sites.set(siteId, (site = this.readSite(siteId)));
    return site;
  }

  async readSite(siteId) {
    const [shipping, tax, [integration], [{ version }]] = await Promise.all([
      this.pool
        .query(`SELECT * FROM shipping_rates WHERE site_id = $1 AND deleted_utc IS NULL`, [siteId])
        .then(({ rows }) => rows.map(camel)),
      this.pool
        .query(`SELECT * FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL`, [siteId])
        .then(({ rows }) => rows.map(camel)),
      this.pool
        .query(`SELECT * FROM payment_integrations WHERE site_id = $1 AND deleted_utc IS NULL`, [siteId])
        .then(({ rows }) => rows),
      this.pool.query(`SELECT version FROM rate_versions WHERE site_id = $1`, [siteId]).then(({ rows }) => rows),
    ]);
    const decrypt = (column) =>
      this.vault.decrypt(integration[column], { table: 'payment_integrations', column, row: [integration.id] });
    const credentials = {
      type: integration.payment_method_type,
      apiAccount: decrypt('api_account'),
      apiKey1: decrypt('api_key1'),
      apiKey2: decrypt('api_key2'),
      testMode: integration.test_mode,
    };
    return {
      rates: this.rules.compileRates(shipping, tax),
      ratesVersion: version,
      integration: { id: Number(integration.id), credentials, fingerprint: this.fingerprintOf(credentials) },
    };
  }
}

/** As the product writes an occurrence in its texts. */
const minuteOf = (date) => date.toISOString().slice(0, 16).replace('T', ' ');

const NUMBERS = new Set(['id', 'minUnits', 'minCycles']);

function camel(row) {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const name = column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
      return [name, NUMBERS.has(name) && value !== null ? Number(value) : value];
    }),
  );
}

function quotable(row) {
  return {
    currencyIso: row.currency_iso,
    cycles: Number(row.cycles),
    shippingTotal: Number(row.shipping_total),
    taxTotal: Number(row.tax_total),
    shippingTotalFixed: row.shipping_total_fixed,
    taxTotalFixed: row.tax_total_fixed,
    shippingCountry: row.shipping_country,
    shippingState: row.shipping_state,
    shippingCity: row.shipping_city,
    shippingPostcode: row.shipping_postcode,
    items: row.items.map(
      ([
        id,
        productId,
        price,
        salePrice,
        quantity,
        ,
        availability,
        stockLevel,
        shippingClass,
        taxClass,
        deletedUtc,
      ]) => ({
        id,
        productId,
        price,
        salePrice,
        quantity,
        product: { availability, stockLevel, shippingClass, taxClass, deletedUtc },
      }),
    ),
  };
}
