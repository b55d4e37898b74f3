import { itInAllCases } from '../support/all-cases.js';
import { explainedCompleted } from '../support/api/explained.js';
import { useDatabase } from '../support/database.js';
import { given } from '../support/given.js';
import { Random, SEED } from '../support/random.js';
import { createWorker, vault } from '../support/worker.js';

const database = useDatabase();
const make = given(database);

const ROUNDS = Number(process.env.ROUNDS ?? 6);
const ORDERS = 14;

const random = new Random(SEED);
const CLASSES = [null, 'Parcel', 'letter'];
const TAX_CLASSES = [null, 'reduced'];
const PLACES = [
  {},
  { country: 'DE' },
  { country: 'FR' },
  { country: 'US' },
  { country: 'US', state: 'CA' },
  { country: 'US', state: 'CA', city: 'Los Angeles' },
  { country: 'US', state: 'CA', city: 'Los Angeles', postcode: '90001' },
  { country: 'US', state: 'CA', city: '*', postcode: '90*' },
];
const ADDRESSES = [
  { shippingCountry: 'DE' },
  { shippingCountry: 'France', shippingCity: 'Lyon' },
  { shippingCountry: 'US', shippingState: 'CA', shippingCity: 'Los Angeles', shippingPostcode: '90001' },
  { shippingCountry: 'USA', shippingState: 'ca', shippingCity: 'San Diego', shippingPostcode: '92101' },
  { shippingCountry: 'US', shippingState: 'NY' },
  { shippingCountry: null },
];
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'];

const decimal = (below: number, places: number) => (random.below(below * 10 ** places) / 10 ** places).toFixed(places);
const price = () => decimal(80, random.pick([0, 2, 2, 2, 4]));

const shippingRate = () => ({
  ...random.pick(PLACES),
  shippingClass: random.pick(CLASSES),
  name: `Rate ${random.below(1000)}`,
  basePrice: decimal(12, 2),
  pricePerUnit: random.chance(0.5) ? decimal(3, 3) : null,
  minUnits: random.chance(0.2) ? random.below(5) : null,
  minCycles: random.chance(0.3) ? random.below(4) : null,
  minSubtotal: random.chance(0.2) ? decimal(90, 2) : null,
});
const taxRate = () => ({
  ...random.pick(PLACES),
  taxClass: random.pick(TAX_CLASSES),
  name: random.pick(['VAT', 'Sales tax', 'District tax']),
  rate: decimal(25, 3),
  isCompound: random.chance(0.2),
  priority: random.chance(0.3) ? 1 + random.below(3) : null,
  appliesToShipping: random.chance(0.5),
});
const settings = () => ({
  prices: random.pick(['Net', 'Gross', 'Gross']),
  homeCountry: random.pick(['DE', 'US']),
  grossOutside: random.pick(['Keep', 'RemoveTax', 'Adjust']),
  minSubtotalGross: random.chance(0.3),
  shippingPrices: random.pick(['Net', 'Gross']),
  shippingTax: random.pick(['None', 'ByRate', 'Proportional', 'HighestRate']),
  roundTax: random.pick(['Line', 'Total']),
});
const item = () => ({
  price: price(),
  salePrice: random.chance(0.3) ? price() : null,
  quantity: 1 + random.below(random.pick([1, 3, 12])),
});

interface Site {
  readonly siteId: number;
  /** Whatever chance brings: its prices are gross, and every item that is not exempt has a tax. */
  readonly isGrossAndTaxed: boolean;
  readonly productIds: number[];
  readonly customerIds: number[];
}

const update = (table: string, id: number, values: object) =>
  database.query(
    `UPDATE ${table} t SET (${columns(values)}) = (SELECT ${columns(values)} FROM jsonb_populate_record(NULL::${table}, $2)) WHERE t.id = $1`,
    [id, JSON.stringify(inColumns(values))],
  );
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const columns = (values: object) => Object.keys(values).map(snake).concat('updated_utc').join(', ');
const renamed = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [snake(name), value as unknown]));
const inColumns = (values: object) => renamed({ ...values, updatedUtc: new Date() });

async function setSettings({ siteId, isGrossAndTaxed }: Pick<Site, 'siteId' | 'isGrossAndTaxed'>): Promise<void> {
  const values = { siteId, ...settings(), ...(isGrossAndTaxed && { prices: 'Gross' }) };
  const names = Object.keys(values).map(snake);
  await database.query(
    `INSERT INTO site_settings (${names.join(', ')}) SELECT ${names.join(', ')} FROM jsonb_populate_record(NULL::site_settings, $1)
     ON CONFLICT (site_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [JSON.stringify(renamed(values))],
  );
}

async function givenSite(index: number): Promise<Site> {
  const { siteId } = await make.merchant();
  await make.integration(vault, siteId);
  const isGrossAndTaxed = index === 2;
  if (index > 0) await setSettings({ siteId, isGrossAndTaxed });
  const productIds: number[] = [];
  for (let n = 0; n < 6; n++)
    productIds.push(
      await make.product(siteId, { shippingClass: random.pick(CLASSES), taxClass: random.pick(TAX_CLASSES) }),
    );
  const customerIds: number[] = [];
  for (let n = 0; n < 4; n++) customerIds.push(await make.customer(siteId, { taxExempt: random.chance(0.3) }));
  // Something always matches, so that no order waits for a rate.
  for (const shippingClass of CLASSES) await make.shippingRate(siteId, { shippingClass, name: 'Any', basePrice: '9' });
  for (let n = 0; n < 8; n++) await make.shippingRate(siteId, shippingRate());
  for (let n = 0; n < 14; n++) await make.taxRate(siteId, taxRate());
  if (isGrossAndTaxed)
    for (const taxClass of TAX_CLASSES) await make.taxRate(siteId, { taxClass, name: 'Any', rate: '3' });
  for (let n = 0; n < ORDERS; n++) {
    const id = await make.scheduledOrder(siteId, random.pick(customerIds), {
      ...random.pick(ADDRESSES),
      currencyIso: random.pick(CURRENCIES),
      paymentMethodType: 'GatewayOne',
      paymentMethodCustomerId: 'cus_1',
      paymentMethodId: 'pm_card',
    });
    for (let line = 0; line < 1 + random.below(4); line++) await make.item(siteId, id, random.pick(productIds), item());
  }
  return { siteId, isGrossAndTaxed, productIds, customerIds };
}

const ids = async (table: string, siteId: number, where = 'true') =>
  (
    await database.query<{ id: string }>(`SELECT id FROM ${table} WHERE site_id = $1 AND ${where} ORDER BY id`, [
      siteId,
    ])
  ).map(({ id }) => Number(id));

/** Whatever a shop may change between two cycles of its orders. */
async function change(site: Site): Promise<void> {
  const { siteId, isGrossAndTaxed, productIds, customerIds } = site;
  for (const [table, values] of [
    ['shipping_rates', shippingRate],
    ['tax_rates', taxRate],
  ] as const) {
    for (const id of await ids(table, siteId, `name <> 'Any'`)) {
      if (random.chance(0.3)) await update(table, id, values());
      else if (random.chance(0.1)) await database.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
      else if (random.chance(0.3))
        await database.query(
          `UPDATE ${table} SET deleted_utc = CASE WHEN deleted_utc IS NULL THEN now() END WHERE id = $1`,
          [id],
        );
    }
    await make.insert(table, { siteId, ...values() });
  }
  if (random.chance(0.5)) await setSettings(site);
  if (random.chance(0.1) && !isGrossAndTaxed)
    await database.query(`DELETE FROM site_settings WHERE site_id = $1`, [siteId]);
  for (const id of productIds)
    if (random.chance(0.4))
      await update('products', id, { shippingClass: random.pick(CLASSES), taxClass: random.pick(TAX_CLASSES) });
    else if (random.chance(0.2))
      await update('products', id, { stockLevel: random.pick([null, 'Out of stock', 'In stock']), title: 'Renamed' });
  for (const id of customerIds)
    if (random.chance(0.3)) await update('customers', id, { taxExempt: random.chance(0.5) });
  for (const id of await ids('scheduled_order_items', siteId))
    if (random.chance(0.4)) await update('scheduled_order_items', id, item());
  for (const id of await ids('scheduled_orders', siteId)) {
    if (random.chance(0.3)) await update('scheduled_orders', id, random.pick(ADDRESSES));
    if (random.chance(0.1)) await update('scheduled_orders', id, { currencyIso: random.pick(CURRENCIES) });
    if (random.chance(0.2)) await update('scheduled_orders', id, { cycles: random.below(6) });
    if (random.chance(0.1))
      await update('scheduled_orders', id, {
        shippingTotalFixed: random.chance(0.5),
        taxTotalFixed: random.chance(0.5),
        shippingTotal: 500,
        taxTotal: 120,
      });
  }
}

itInAllCases('every completed cycle is calculated again as it was recorded, whatever has changed since', async () => {
  const sites: Site[] = [];
  for (let index = 0; index < 3; index++) sites.push(await givenSite(index));
  const worker = createWorker(database);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // Each round has occurrences of its own: a payment names the second of its occurrence.
      await database.query(
        `UPDATE scheduled_orders SET status = 'Active', next_occurrence_utc = o.due, schedule_anchor_utc = o.due
         FROM (SELECT now() - interval '1 hour' + $1 * interval '1 minute' AS due) o`,
        [round],
      );
      await worker.drain();
      for (const site of sites) await change(site);
      if (round === ROUNDS - 2) await database.query('TRUNCATE tax_rates');
    }
  } finally {
    await worker.end();
  }
  await database.query('TRUNCATE tax_rates, shipping_rates, site_settings');

  const explained = await explainedCompleted(database);
  const notes = explained.map(({ scheduledOrderId, cycle, isEqual, because, quote, recorded }) => {
    const isFixed = quote !== null && quote.fixed.length > 0;
    const expected = isFixed
      ? [false, `The shop had fixed ${quote.fixed.join(' and ')}: what a shop fixes is taken as it is, not calculated.`]
      : [true, null];
    const isRight = isEqual === expected[0] && because === expected[1];
    return isRight ? null : { scheduledOrderId, cycle, isEqual, because, quote, recorded };
  });
  expect(notes.filter((note) => note !== null).slice(0, 3)).toEqual([]);
  const equal = explained.filter(({ isEqual }) => isEqual === true);
  const withTax = equal.filter(({ quote }) => quote!.taxTotal > 0);
  const inGross = equal.filter(({ quote }) => quote!.steps?.settings.prices === 'Gross');
  expect(explained.length).toBeGreaterThan(ORDERS * 3 * (ROUNDS - 2));
  expect(equal.length).toBeGreaterThan(explained.length / 2);
  expect(withTax.length).toBeGreaterThan(explained.length / 10);
  expect(inGross.length).toBeGreaterThan(explained.length / 10);
});
