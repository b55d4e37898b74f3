import { ofProblem } from '#libs/ledger';
import {
  eachSite,
  type Filter,
  type Found,
  isOfSites,
  OF_SITE,
  ofCustomer,
  type OwnedBy,
  type Parameters,
  type Searched,
  searchRowsOfCustomers,
  type Sort,
  sortById,
  type Walk,
} from '#libs/records';
import { type Status, STATUSES } from '#libs/rules';
import { type InstantRange, isUnbounded, type ListFilter, type SortName, withinSql } from '../../http/query/index.js';
import type { OrderFilters } from './order-query.js';

export const SCHEDULED_ORDERS: Searched = { table: 'scheduled_orders', whole: [], beginnings: [] };

/** Orders without a next occurrence come after all others. Only orders that are not Active may have none. */
export const NEXT = `coalesce(t.next_occurrence_utc, 'infinity')`;

/** The filters of a list of scheduled orders, those first that find the fewest. */
export function orderFilters({ q, filters }: ListFilter<OrderFilters>, ownedBy: OwnedBy, sort: SortName): Filter[] {
  const { status, customerId, productId, externalId, next, problem } = filters;
  const isWalkedByNext = sort.name === 'NextOccurrenceUtc';
  return [
    externalId === null ? null : ofExternalId(externalId),
    customerId === null ? null : ofCustomer('scheduled_orders', ownedBy, customerId),
    q === null ? null : searchRowsOfCustomers(SCHEDULED_ORDERS, q),
    problem === null ? null : ofProblem(problem),
    productId === null ? null : ofProduct(productId),
    isUnbounded(next) ? null : ofNext(next, status, isWalkedByNext),
    status === null ? null : ofStatus(status, isWalkedByNext),
  ].filter((filter) => filter !== null);
}

/** How a list of scheduled orders is sorted. */
export function orderSort({ name, isDescending }: SortName, { status, next }: OrderFilters): Sort {
  if (name === 'Id') return sortById(isDescending);
  const walks = (parameters: Parameters) => walksByNext(status, next, parameters);
  return { name, isDescending, type: 'timestamptz', key: NEXT, walks };
}

/** An item that is not the order's first one of the product. ix_scheduled_order_items_order. */
const IS_FURTHER = `EXISTS (SELECT FROM scheduled_order_items e WHERE e.scheduled_order_id = i.scheduled_order_id AND e.product_id = i.product_id
  AND e.deleted_utc IS NULL AND e.id < i.id OFFSET 0)`;

/** ix_scheduled_order_items_product */
const ofProduct = (productId: number): Filter => ({
  condition: (parameters) => `EXISTS (SELECT FROM scheduled_order_items i
    WHERE i.scheduled_order_id = t.id AND i.product_id = ${parameters.add(productId, 'bigint')} AND i.deleted_utc IS NULL OFFSET 0)`,
  found: (parameters) => {
    const id = parameters.add(productId, 'bigint');
    const own = isOfSites('products', id, parameters);
    return [
      {
        parts: [],
        from: 'scheduled_order_items i',
        where: `i.product_id = ${id} AND i.deleted_utc IS NULL AND ${own}`,
        once: `NOT ${IS_FURTHER}`,
        id: 'i.scheduled_order_id',
      },
    ];
  },
  isById: true,
});

/** uq_scheduled_orders_external_id */
const ofExternalId = (externalId: string): Filter => ({
  condition: (parameters) => `t.external_id = ${parameters.add(externalId, 'varchar')}`,
  found: (parameters) => [
    {
      parts: [eachSite(parameters.reach)],
      from: 'scheduled_orders r',
      where: `r.site_id = site.id AND r.deleted_utc IS NULL AND r.external_id = ${parameters.add(externalId, 'varchar')}`,
      id: 'r.id',
    },
  ],
});

/** A list that is read along the next occurrence is read by its status, too. */
function ofStatus(status: Status, isWalkedByNext: boolean): Filter {
  const condition = (parameters: Parameters) => `t.status = ${parameters.add(status, 'varchar')}`;
  if (isWalkedByNext) return { condition };
  return status === 'Active'
    ? { condition, found: foundActive }
    : { condition, found: (parameters) => foundHeld(status, parameters), isById: true };
}

/** ix_scheduled_orders_site_due */
const foundActive = (parameters: Parameters): Found[] => [
  {
    parts: [eachSite(parameters.reach)],
    from: 'scheduled_orders r',
    where: `r.site_id = site.id AND r.deleted_utc IS NULL AND r.status = 'Active'`,
    id: 'r.id',
    order: 'r.next_occurrence_utc',
  },
];

/** ix_scheduled_orders_held_id */
const foundHeld = (status: Status, parameters: Parameters): Found[] => [
  {
    parts: [eachSite(parameters.reach)],
    from: 'scheduled_orders r',
    where: `r.site_id = site.id AND r.deleted_utc IS NULL AND r.status <> 'Active' AND r.status = '${status}'`,
    id: 'r.id',
    order: 'r.id',
  },
];

/**
 * When the list is read along the next occurrence, that finds them. Along the id, `OFFSET 0` keeps PostgreSQL from
 * sorting all that another index finds.
 */
const ofNext = (next: InstantRange, status: Status | null, isWalkedByNext: boolean): Filter =>
  isWalkedByNext
    ? { condition: (parameters) => withinSql('t.next_occurrence_utc', next, parameters) }
    : {
        condition: (parameters) => withinSql('(SELECT t.next_occurrence_utc OFFSET 0)', next, parameters),
        found: (parameters) => foundByNext(next, status, parameters),
      };

const foundByNext = (next: InstantRange, status: Status | null, parameters: Parameters): Found[] =>
  walksByNext(status, next, parameters).map(({ parts, where }) => ({
    parts,
    from: 'scheduled_orders t',
    where,
    id: 't.id',
  }));

/**
 * ix_scheduled_orders_site_due has the Active ones, ix_scheduled_orders_held the others: its key has a value where the
 * column has none.
 */
function walksByNext(status: Status | null, next: InstantRange, parameters: Parameters): Walk[] {
  const sites = eachSite(parameters.reach);
  const active = { parts: [sites], where: `${OF_SITE} AND t.status = 'Active'`, key: 't.next_occurrence_utc' };
  const held = {
    parts: [sites, eachHeld(status)],
    where: `${OF_SITE} AND t.status <> 'Active' AND t.status = part.status`,
    key: NEXT,
  };
  const walks = status === null ? [active, held] : status === 'Active' ? [active] : [held];
  if (isUnbounded(next)) return walks;
  return walks.map(({ parts, where, key }) => {
    const within = `${withinSql(key, next, parameters)} AND t.next_occurrence_utc IS NOT NULL`;
    return { parts, where: `${where} AND ${within}`, key };
  });
}

const HELD = STATUSES.filter((status) => status !== 'Active');

const eachHeld = (status: Status | null) =>
  `unnest('{${(status === null ? HELD : [status]).join(',')}}'::varchar[]) AS part (status)`;
