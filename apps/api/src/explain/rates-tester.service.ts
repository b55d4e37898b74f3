import { Injectable } from '@nestjs/common';
import { Statement, type Transaction } from '#libs/platform';
import {
  assertReach,
  assertReferences,
  type Caller,
  collectFaults,
  Database,
  isReached,
  NotFound,
} from '#libs/records';
import { quote } from '#libs/rules';
import type { RatesQuestionDto } from '../contract/catalog/rates-question.dto.js';
import { Calculations } from '../http/load/calculations.js';
import type { Input } from '../http/parameters/parameters.js';
import { proposedRates } from '../rates/proposed-rates.js';
import { validateItem } from '../scheduled-orders/items/item-rules.js';
import { productsFor } from '../scheduled-orders/items/referenced-products.js';
import { storedCountryProblem } from '../scheduled-orders/order-country.js';
import { pricingForQuote } from '../scheduled-orders/order-rates.js';
import { quoteJson } from '../scheduled-orders/quotes/quote-json.js';

/** pk_sites. $1 site id, $2 reach. */
const SITE = Statement.named(
  `SELECT s.currency_iso AS "currencyIso", ${isReached('s.id', '$2::bigint[]')} AS reached FROM sites s WHERE s.id = $1`,
);
const CUSTOMERS = { table: 'customers', name: 'Customer' };

/** A new order: processed never, and no total fixed by the shop. */
const NEW = { cycles: 0, shippingTotal: 0, taxTotal: 0, shippingTotalFixed: false, taxTotalFixed: false };

const pathOf = (index: number) => `Lines[${index}].`;

/**
 * What a cart would cost to an address, and why, by the functions that price an order; also with rates that are only
 * proposed. Nothing is written.
 */
@Injectable()
export class RatesTesterService {
  constructor(
    private readonly database: Database,
    private readonly calculations: Calculations,
  ) {}

  /**
   * @throws NotFound for no site. Forbidden for a record that is not the caller's. Rejected as a new order with these
   * items would be.
   */
  async quote(caller: Caller, siteId: number, sent: Input<RatesQuestionDto>): Promise<string> {
    const { order, rates, proposed } = await this.database.write((tx) => quotable(tx, caller, siteId, sent));
    const quoted = await this.calculations.run(caller, () => quote(order, rates));
    const ofCountry = await storedCountryProblem(this.database, { ...order, siteId }, proposed);
    return this.calculations.run(caller, () => quoteJson(quoted, [...quoted.problems, ...ofCountry]));
  }
}

async function quotable(tx: Transaction, caller: Caller, siteId: number, sent: Input<RatesQuestionDto>) {
  const { lines, customerId = null } = sent;
  const [site] = await tx.execute<{ currencyIso: string; reached: boolean }>(SITE, [siteId, caller.reach]);
  if (site === undefined) throw new NotFound(`There is no Site ${siteId}.`);
  await assertReach(tx, caller, site, `Site ${siteId}`);
  const { currencyIso } = site;
  const address = {
    shippingCountry: sent.address.shippingCountry ?? null,
    shippingState: sent.address.shippingState ?? null,
    shippingCity: sent.address.shippingCity ?? null,
    shippingPostcode: sent.address.shippingPostcode ?? null,
  };
  const references = lines.map(({ productId }, index) => ({ field: `${pathOf(index)}ProductId`, id: productId }));
  const [products, proposed] = await collectFaults(
    () => productsFor(tx, caller, siteId, references),
    () => proposedRates(tx, caller, siteId, sent),
    () =>
      customerId !== null && assertReferences(tx, caller, CUSTOMERS, [{ field: 'CustomerId', id: customerId }], siteId),
  );
  const items = await collectFaults(
    ...lines.map((line, index) => () => {
      const product = products.get(line.productId)!;
      return { id: null, product, ...validateItem(caller, line, null, product, pathOf(index)) };
    }),
  );
  const { rates, taxExempt } = await pricingForQuote(tx, { ...address, siteId, customerId }, proposed);
  return { order: { ...NEW, ...address, currencyIso, items, taxExempt }, rates, proposed };
}
