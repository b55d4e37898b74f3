import {
  eachSite,
  type Filter,
  isOfSites,
  type OwnedBy,
  type Parameters,
  searchRowsOfCustomers,
  type Sort,
  type Walk,
} from '#libs/records';
import { type Status, STATUSES } from '#libs/rules';
import { type InstantRange, isUnbounded, type ListFilter, type SortName, withinSql } from '../../http/query/index.js';
import { NEXT, SCHEDULED_ORDERS } from './order-filters.js';
import type { OrderFilters } from './order-query.js';

/**
 * The filters of a list of deleted orders, those first that find the fewest. What walks along the index of a status
 * needs no filter for it.
 */
export function deletedOrderFilters(
  { q, filters }: ListFilter<OrderFilters>,
  ownedBy: OwnedBy,
  sort: SortName,
): Filter[] {
  const { status, customerId, next } = filters;
  return [
    customerId === null ? null : ofCustomer(ownedBy, customerId),
    q === null ? null : searchRowsOfCustomers(SCHEDULED_ORDERS, q, 'deleted_utc IS NOT NULL'),
    isUnbounded(next) ? null : ofNext(next, status, sort),
    status === null ? null : ofStatus(status),
  ].filter((filter) => filter !== null);
}

/** How a list of deleted orders is sorted. */
export function deletedOrderSort({ name, isDescending }: SortName, { status, next }: OrderFilters): Sort {
  if (name === 'Id') {
    const walks = (parameters: Parameters) => [{ ...eachStatus(status, parameters), key: 't.id' }];
    return { name, isDescending, type: 'bigint', key: 't.id', walks };
  }
  const walks = (parameters: Parameters) => [walkByNext(status, next, parameters)];
  return { name, isDescending, type: 'timestamptz', key: NEXT, walks };
}

/**
 * `ix_scheduled_orders_deleted_id`, `ix_scheduled_orders_deleted`: of each site, and of each status as it was when the
 * order was deleted.
 */
function eachStatus(status: Status | null, parameters: Parameters): Pick<Walk, 'parts' | 'where'> {
  const statuses = (status === null ? STATUSES : [status]).join(',');
  return {
    parts: [eachSite(parameters.reach), `unnest('{${statuses}}'::varchar[]) AS part (status)`],
    where: `t.site_id = site.id AND t.deleted_utc IS NOT NULL AND t.status = part.status`,
  };
}

function walkByNext(status: Status | null, next: InstantRange, parameters: Parameters): Walk {
  const { parts, where } = eachStatus(status, parameters);
  if (isUnbounded(next)) return { parts, where, key: NEXT };
  const within = `${withinSql(NEXT, next, parameters)} AND t.next_occurrence_utc IS NOT NULL`;
  return { parts, where: `${where} AND ${within}`, key: NEXT };
}

/** Evaluated for each row that is found otherwise. */
const ofStatus = (status: Status): Filter => ({
  condition: (parameters) => `t.status = ${parameters.add(status, 'varchar')}`,
});

/** As among the other orders: when the list is read along the next occurrence, that finds them. */
const ofNext = (next: InstantRange, status: Status | null, { name }: SortName): Filter =>
  name === 'NextOccurrenceUtc'
    ? { condition: (parameters) => withinSql('t.next_occurrence_utc', next, parameters) }
    : {
        condition: (parameters) => withinSql('(SELECT t.next_occurrence_utc OFFSET 0)', next, parameters),
        found: (parameters) => {
          const { parts, where } = walkByNext(status, next, parameters);
          return [{ parts, from: 'scheduled_orders t', where, id: 't.id' }];
        },
      };

/** `ix_scheduled_orders_deleted_customer`: also of a customer that was deleted. */
const ofCustomer = (ownedBy: OwnedBy, customerId: number): Filter => ({
  condition: (parameters) => ownedBy('t', parameters.add(customerId, 'bigint')),
  found: (parameters) => {
    const id = parameters.add(customerId, 'bigint');
    const where = `${ownedBy('r', id)} AND r.deleted_utc IS NOT NULL AND ${isOfSites('customers', id, parameters)}`;
    return [{ parts: [], from: 'scheduled_orders r', where, id: 'r.id' }];
  },
  isById: true,
});
