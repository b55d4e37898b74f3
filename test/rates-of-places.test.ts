import fc from 'fast-check';
import { compiled, homeKeys, RateLoader, RATES_FOR_ADDRESS, type RatesRow } from '#libs/records';
import { compileRates, placeKeys, type QuotableOrder, quote, type ShippingAddress } from '#libs/rules';
import { ALL_CASES } from './support/all-cases.js';
import { useDatabase } from './support/database.js';
import { given } from './support/given.js';
import { SEED } from './support/random.js';

/**
 * Rates that PostgreSQL picks out for an address must price it as all rates of the site do.
 */
const SITES = ALL_CASES ? 40 : 10;
const database = useDatabase();

/** Few words in many spellings, so that rates and addresses meet often. */
const countries = [
  null,
  'US',
  'usa',
  ' United States of America',
  'Canada',
  'CA',
  'can',
  'Germany',
  'DEU',
  'GB',
  'Latvia',
  'LV',
  'Narnia',
  'narnia ',
  '',
];
const states = ['CA', ' ca', '*', 'NY', '', ' ', '---', 'Île-de-France', 'île-de-france', 'МОСКВА', 'Москва'];
const cities = [
  'Oakland',
  'OAKLAND ',
  'Köln',
  'KÖLN',
  'ΠΕΙΡΑΙΑΣ',
  'πειραιας',
  '東京',
  '',
  '*',
  'İzmir',
  'Kelvin',
  '\u212Aelvin',
];
const postcodes = [
  '94607',
  '94608',
  '9460',
  'CB23 1GG',
  'cb23 1gg',
  'CB2 3',
  '94607-1234',
  '946071234',
  'LV-1010',
  '1010',
  'ΑΣ',
  'ασ1',
  '',
  'x'.repeat(40),
  '9*',
];
const rateCities = [...cities, ' * '];
const ratePostcodes = [
  ...postcodes,
  '*',
  '94*',
  '94607*',
  '94607-*',
  'CB2*',
  'cb2 *',
  'LV-10*',
  'ΑΣ*',
  `${'X'.repeat(30)}*`,
  `${'x'.repeat(23)}*`,
];

const location = fc
  .tuple(
    fc.nat(4),
    fc.constantFrom(...countries),
    fc.constantFrom(...states),
    fc.constantFrom(...rateCities),
    fc.constantFrom(...ratePostcodes),
  )
  .map(([level, ...parts]) => parts.map((part, index) => (index < (parts[0] === null ? 0 : level) ? part : null)))
  .map(([country, state, city, postcode]) => ({ country, state, city, postcode }));
const classes = fc.constantFrom(null, 'bulky');
const amounts = fc.integer({ min: 0, max: 999 }).map((cents) => (cents / 100).toFixed(2));
const shippingRates = fc
  .tuple(location, fc.record({ shipping_class: classes, base_price: amounts, min_units: fc.constantFrom(null, 2) }))
  .map(([place, rate]) => ({ ...place, ...rate }));
const taxRates = fc
  .tuple(
    location,
    fc.record({
      tax_class: classes,
      rate: amounts,
      name: fc.constantFrom('GST', 'PST'),
      is_compound: fc.boolean(),
      priority: fc.constantFrom(null, null, 1, 2),
      applies_to_shipping: fc.boolean(),
    }),
  )
  .map(([place, rate]) => ({ ...place, ...rate }));

const addresses: fc.Arbitrary<ShippingAddress> = fc.record({
  shippingCountry: fc.constantFrom(...countries),
  shippingState: fc.constantFrom(null, ...states),
  shippingCity: fc.constantFrom(null, ...cities),
  shippingPostcode: fc.constantFrom(null, ...postcodes),
});

/** Of half of the sites; the others have said nothing. */
const settings = fc
  .tuple(addresses, fc.constantFrom('Keep', 'RemoveTax', 'Adjust'), fc.constantFrom('None', 'ByRate', 'HighestRate'))
  .map(([home, gross_outside, shipping_tax]) => ({
    prices: 'Gross',
    home_country: home.shippingCountry,
    home_state: home.shippingState,
    home_city: home.shippingCity,
    home_postcode: home.shippingPostcode,
    gross_outside,
    min_subtotal_gross: false,
    shipping_prices: 'Net',
    shipping_tax,
    round_tax: 'Line',
  }));

const item = (quantity: number, shippingClass: string | null, taxClass: string | null) => ({
  id: 1,
  productId: 1,
  price: '19.99',
  salePrice: null,
  quantity,
  product: { shippingClass, taxClass, availability: null, stockLevel: null, deletedUtc: null },
});
const orderTo = (to: ShippingAddress): QuotableOrder => ({
  ...to,
  currencyIso: 'USD',
  cycles: 0,
  shippingTotal: 0,
  taxTotal: 0,
  shippingTotalFixed: false,
  taxTotalFixed: false,
  items: [item(1, null, 'bulky'), item(2, 'bulky', null)],
});

const run = <Row extends object>(text: string, values: unknown[]) => database.pool.execute<Row>(text, values);

/** All living rates of a site, by no key. */
async function allRates(siteId: number) {
  const [row] = await run<RatesRow>(
    `SELECT true AS has_shipping_rates,
      (SELECT json_agg(json_build_object('id', id, 'country', country, 'state', state, 'city', city, 'postcode', postcode, 'name', name,
        'shippingClass', shipping_class, 'basePrice', base_price::text, 'pricePerUnit', price_per_unit::text, 'minUnits', min_units,
        'minCycles', min_cycles, 'minSubtotal', min_subtotal::text)) FROM shipping_rates WHERE site_id = $1 AND deleted_utc IS NULL) AS shipping_rates,
      (SELECT json_agg(json_build_object('id', id, 'country', country, 'state', state, 'city', city, 'postcode', postcode, 'name', name,
        'taxClass', tax_class, 'rate', rate::text, 'isCompound', is_compound,
        'priority', priority, 'appliesToShipping', applies_to_shipping)) FROM tax_rates WHERE site_id = $1 AND deleted_utc IS NULL) AS tax_rates,
      (SELECT json_build_object('prices', prices, 'homeCountry', home_country, 'homeState', home_state, 'homeCity', home_city,
        'homePostcode', home_postcode, 'grossOutside', gross_outside, 'minSubtotalGross', min_subtotal_gross,
        'shippingPrices', shipping_prices, 'shippingTax', shipping_tax, 'roundTax', round_tax)
       FROM site_settings WHERE site_id = $1) AS settings`,
    [siteId],
  );
  return compileRates(row!.shippingRates ?? [], row!.taxRates ?? [], undefined, row!.settings ?? undefined);
}

interface Shipped {
  readonly siteId: number;
  readonly to: ShippingAddress;
}

describe('rates of places', () => {
  const shipped: Shipped[] = [];
  const expected = new Map<Shipped, unknown>();

  beforeAll(async () => {
    const make = given(database);
    const userId = await make.user();
    const siteIds: number[] = [];
    const tables = { shipping_rates: [] as object[], tax_rates: [] as object[], site_settings: [] as object[] };
    for (let n = 0; n < SITES; n++) siteIds.push(await make.site(userId));
    for (const [n, site_id] of siteIds.entries()) {
      const deleted = (index: number) => (index % 10 === 0 ? '2026-01-01T00:00:00Z' : null);
      const sample = <T>(one: fc.Arbitrary<T>, count: number) => fc.sample(one, { numRuns: count, seed: SEED + n });
      const columns = (rate: object, index: number) => ({ site_id, ...rate, deleted_utc: deleted(index) });
      tables.shipping_rates.push(...sample(shippingRates, n % 5 === 0 ? n % 2 : 40).map(columns));
      tables.tax_rates.push(...sample(taxRates, n % 7 === 0 ? 0 : 60).map(columns));
      if (n % 2 === 0) tables.site_settings.push({ site_id, ...sample(settings, 1)[0]! });
      shipped.push(...sample(addresses, 25).map((to) => ({ siteId: site_id, to })));
    }
    for (const [table, rates] of Object.entries(tables)) {
      const columns = Object.keys(rates[0]!).join(', ');
      await database.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rates)],
      );
    }
    const whole = new Map(await Promise.all(siteIds.map(async (id) => [id, await allRates(id)] as const)));
    for (const one of shipped) expected.set(one, quote(orderTo(one.to), whole.get(one.siteId)!));
  });

  it('are met at all', () => {
    const met = [...expected.values()].filter((quoted) => (quoted as { taxTotal: number }).taxTotal > 0);
    expect(met.length).toBeGreaterThan(shipped.length / 10);
  });

  it('price one address as all rates of its site do', async () => {
    for (const one of shipped) {
      const keys = placeKeys(one.to);
      const [first] = await run<RatesRow>(RATES_FOR_ADDRESS.text, [one.siteId, keys]);
      const [row] = await run<RatesRow>(RATES_FOR_ADDRESS.text, [one.siteId, [...keys, ...homeKeys(first!)]]);
      expect({ ...one, quoted: quote(orderTo(one.to), compiled(row!)) }).toEqual({ ...one, quoted: expected.get(one) });
    }
  });

  test.each([
    ['read whole', { site: 2_000, portion: 10_000, cached: 50_000 }],
    ['read whole, a few sites at a time, and forgotten', { site: 2_000, portion: 150, cached: 1 }],
    ['read by place', { site: 0, portion: 10_000, cached: 50_000 }],
    ['read by place, a few at a time', { site: 0, portion: 250, cached: 50_000 }],
    ['some read whole, some by place', { site: 70, portion: 250, cached: 150 }],
  ])('price a batch as all rates do: %s, twice', async (_, limits) => {
    const loader = new RateLoader(database.pool, limits);
    const siteIds = [...new Set(shipped.map(({ siteId }) => siteId))];
    for (let batch = 1; batch <= 2; batch++) {
      const quoted = new Map<Shipped, unknown>();
      for await (const { orders: portion, rates } of loader.portions(shipped, await loader.begin(siteIds))) {
        for (const one of portion) quoted.set(one, quote(orderTo(one.to), rates.get(one.siteId)!));
      }
      expect(quoted.size).toBe(shipped.length);
      for (const one of shipped)
        expect({ ...one, quoted: quoted.get(one) }).toEqual({ ...one, quoted: expected.get(one) });
    }
  });
});

const hasOtherForm = (letter: string) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter;

it('The database makes the same key of a text as the rules do, whatever letters it has', async () => {
  const letters: string[] = [];
  for (let code = 1; code < 0x20000; code++)
    if (code < 0xd800 || code > 0xdfff) letters.push(String.fromCodePoint(code));
  // Of those without another form every eighth: whole blocks of them are kept, or left out.
  const some = letters.filter((letter, at) => ALL_CASES || at % 8 === 0 || hasOtherForm(letter));
  const texts = [...new Set(some.flatMap((letter) => [`a${letter}1`, `a${letter.toLowerCase()}1`]))];
  const keys = texts.map((text) =>
    placeKeys({ shippingCountry: null, shippingState: text, shippingCity: null, shippingPostcode: null }).find((key) =>
      /^a.*1\/\/$/.test(key),
    ),
  );
  const different = await database.query(
    `SELECT text, key FROM unnest($1::text[], $2::text[]) AS t (text, key) WHERE place_key(NULL, text, NULL, NULL) IS DISTINCT FROM key`,
    [texts, keys],
  );
  expect(different).toEqual([]);
});
