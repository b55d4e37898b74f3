import { eachSite } from '../access/reach-sql.js';
import type { OwnedBy } from '../lists/keys.js';
import { type Filter, type Found, isOfSites } from './list-query.js';
import type { Parameters } from './parameters.js';

/** A text that is searched for, as an id where it is one. */
export interface Sought {
  readonly text: string;
  readonly id: number | null;
}

/**
 * What of a table's rows is searched: whole values by an index of site and column, and how values begin, whatever their
 * case.
 */
export interface Searched {
  readonly table: string;
  readonly whole: readonly string[];
  readonly beginnings: readonly string[];
}

/** What of customers is searched, in their own list and in those of their orders. */
export const CUSTOMERS_SEARCHED: Searched = {
  table: 'customers',
  whole: ['external_id'],
  beginnings: ['email', 'last_name'],
};

/** Beyond every text that begins with the one before it, in the order of collation "C". */
const END = `chr(1114111)`;

const beginsSql = (value: string, sought: string) =>
  `lower(${value}) COLLATE "C" >= lower(${sought}) AND lower(${value}) COLLATE "C" < lower(${sought}) || ${END}`;

/** SQL: each way in which the row called `alias` may match. */
function matches({ whole, beginnings }: Searched, alias: string, sought: string): string[] {
  return [
    ...whole.map((column) => `${alias}.${column} = ${sought}`),
    ...beginnings.map((column) => `(${beginsSql(`${alias}.${column}`, sought)})`),
  ];
}

/** SQL: the place of the id in the statement, if there is one. */
const idPlaces = (parameters: Parameters, id: number | null) => (id === null ? [] : [parameters.add(id, 'bigint')]);

/**
 * SQL: whether the row called `t` has the id that is sought, or matches the text in its own columns or in what `others`
 * adds.
 */
function conditionSql(
  searched: Searched,
  { text, id }: Sought,
  parameters: Parameters,
  others: (text: string) => readonly string[] = () => [],
): string {
  const ids = idPlaces(parameters, id).map((place) => `t.id = ${place}`);
  const place = parameters.add(text, 'text');
  return `(${[...ids, ...matches(searched, 't', place), ...others(place)].join(' OR ')})`;
}

const matchesOfCustomer = (text: string) => [
  `EXISTS (SELECT FROM customers r WHERE r.id = t.customer_id AND r.deleted_utc IS NULL
      AND (${matches(CUSTOMERS_SEARCHED, 'r', text).join(' OR ')}) OFFSET 0)`,
];

/** Rows by their id, or by texts of their own. */
export const searchRows = (searched: Searched, sought: Sought): Filter => ({
  condition: (parameters) => conditionSql(searched, sought, parameters),
  found: (parameters) => [
    ...foundById(searched.table, sought, parameters),
    ...foundByTexts(searched, sought, parameters),
  ],
});

/**
 * Rows by their id, by texts of their own (if any are searched), or by their customer's.
 * @param state SQL: which rows have an index by their customer.
 */
export const searchRowsOfCustomers = (
  searched: Searched,
  sought: Sought,
  state: 'deleted_utc IS NULL' | 'deleted_utc IS NOT NULL' = 'deleted_utc IS NULL',
): Filter => ({
  condition: (parameters) => conditionSql(searched, sought, parameters, matchesOfCustomer),
  found: (parameters) => [
    ...foundById(searched.table, sought, parameters),
    ...foundByTexts(searched, sought, parameters),
    ...foundByTexts(CUSTOMERS_SEARCHED, sought, parameters).map((found): Found => {
      // ix_<table>_customer
      const rows = `SELECT o.id FROM ${searched.table} o WHERE o.customer_id = r.id AND o.${state} OFFSET 0`;
      // A customer without any counts as one: so the number of customers that are looked up has a bound, too.
      return { ...found, from: `${found.from} LEFT JOIN LATERAL (${rows}) o ON true`, id: 'o.id' };
    }),
  ],
});

const foundById = (table: string, { id }: Sought, parameters: Parameters): Found[] =>
  idPlaces(parameters, id).map((place) => ({ parts: [], from: `${table} r`, where: `r.id = ${place}`, id: 'r.id' }));

function foundByTexts(searched: Searched, { text }: Sought, parameters: Parameters): Found[] {
  if (searched.whole.length + searched.beginnings.length === 0) return [];
  const place = parameters.add(text, 'text');
  return matches(searched, 'r', place).map((match) => ({
    parts: [eachSite(parameters.reach)],
    from: `${searched.table} r`,
    where: `r.site_id = site.id AND r.deleted_utc IS NULL AND ${match}`,
    id: 'r.id',
  }));
}

/** Rows of one customer (`ix_<table>_customer`). */
export const ofCustomer = (table: string, ownedBy: OwnedBy, customerId: number): Filter => ({
  condition: (parameters) => ownedBy('t', parameters.add(customerId, 'bigint')),
  found: (parameters) => {
    const id = parameters.add(customerId, 'bigint');
    const where = `${ownedBy('r', id)} AND r.deleted_utc IS NULL AND ${isOfSites('customers', id, parameters)}`;
    return [{ parts: [], from: `${table} r`, where, id: 'r.id' }];
  },
  isById: true,
});
