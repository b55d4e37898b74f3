import fc from 'fast-check';
import { ALL_CASES } from '../../../../test/support/all-cases.js';
import { compileRates, quote, type TaxRateRow } from '../index.js';
import { item, order, taxRate } from '../testing/quotables.js';

/** A row of WooCommerce's table of tax rates, with one postcode and one city at most. */
interface Row {
  readonly id: number;
  readonly country: string;
  readonly state: string;
  readonly postcode: string;
  readonly city: string;
  readonly priority: number;
  readonly rate: number;
}

const ADDRESS = { country: 'US', state: 'CA', postcode: '94607', city: 'OAKLAND' };

/**
 * WooCommerce's rule as its database query and its sorting have it: of the rows that match, in the order of priority,
 * country, state, then those that name a postcode or city, then id; the first of each priority. Rows of one priority
 * and state that both name a postcode or city are kept apart below: there the rule is its own (docs/moving-in.md, What
 * differs).
 */
function wooCommerce(rows: readonly Row[]): Row[] {
  const matching = rows.filter(
    ({ country, state, postcode, city }) =>
      ['', ADDRESS.country].includes(country) &&
      ['', ADDRESS.state].includes(state) &&
      (postcode === '' ||
        postcode === ADDRESS.postcode ||
        (postcode.endsWith('*') && ADDRESS.postcode.startsWith(postcode.slice(0, -1)))) &&
      ['', ADDRESS.city].includes(city),
  );
  const emptyLast = (one: string, other: string) => Number(one === '') - Number(other === '');
  const isLocal = ({ postcode, city }: Row) => Number(postcode !== '' || city !== '');
  matching.sort(
    (one, other) =>
      one.priority - other.priority ||
      emptyLast(one.country, other.country) ||
      emptyLast(one.state, other.state) ||
      isLocal(other) - isLocal(one) ||
      one.id - other.id,
  );
  return matching.filter((row, index) => index === matching.findIndex(({ priority }) => priority === row.priority));
}

/** The row as the import takes it. */
const imported = (
  { id, country, state, postcode, city, priority, rate }: Row,
  names: readonly string[],
): TaxRateRow => {
  const isLocal = postcode !== '' || city !== '';
  return taxRate({
    id,
    country: country || null,
    state: state || (isLocal ? '*' : null),
    city: city || (postcode === '' ? null : '*'),
    postcode: postcode || null,
    name: names[id % names.length]!,
    rate: String(rate),
    priority,
  });
};

const rows = fc
  .uniqueArray(
    fc.record({
      country: fc.constantFrom('US', 'US', 'US', '', 'DE'),
      state: fc.constantFrom('CA', 'CA', '', 'NY'),
      postcode: fc.constantFrom('', '94607', '946*', '10001'),
      city: fc.constantFrom('', '', 'OAKLAND', 'ALBANY'),
      priority: fc.integer({ min: 1, max: 4 }),
      rate: fc.integer({ min: 0, max: 30 }),
    }),
    {
      maxLength: 16,
      // One row with a postcode or city for each priority and state.
      selector: ({ country, state, postcode, city, priority }) =>
        [country, state, priority, postcode !== '' || city !== '' ? 'local' : ''].join('/'),
    },
  )
  .map((some) =>
    some
      // Without a country a state or place cannot be said (docs/moving-in.md).
      .map((row, id): Row => (row.country === '' ? { ...row, id, state: '', postcode: '', city: '' } : { ...row, id }))
      .filter(
        (row, index, all) =>
          row.country !== '' ||
          index === all.findIndex(({ country, priority }) => country === '' && priority === row.priority),
      ),
  );

it('taxes known by priority are those that WooCommerce takes, whatever their names', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(['Tax'], ['VAT', 'GST', 'District tax']), (some, names) => {
      const rates = compileRates(
        [],
        some.map((row) => imported(row, names)),
      );
      const { lines } = quote(order({ items: [item({ price: '1000' })] }), rates);
      expect(lines[0]!.taxes.map(({ taxRateId, amount }) => [taxRateId, amount])).toEqual(
        wooCommerce(some).map(({ id, rate }) => [id, rate * 1000]),
      );
    }),
    { numRuns: ALL_CASES ? 3_000 : 750 },
  );
});
