import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import type { Filters } from './search.ts';

export type Order = Resource<'ScheduledOrder'>;

/** The filter as the API has it: for the list, its count and its table alike. */
export function filterOf(siteId: number, filters: Filters) {
  const { q, status, problem, customerId, productId, from, to, deleted } = filters;
  return {
    SiteId: siteId,
    ...(q === undefined ? {} : { q }),
    ...(status === undefined ? {} : { Status: status }),
    ...(problem === undefined ? {} : { Problem: problem }),
    ...(customerId === undefined ? {} : { CustomerId: customerId }),
    ...(productId === undefined ? {} : { ProductId: productId }),
    ...(from === undefined ? {} : { NextFrom: from }),
    ...(to === undefined ? {} : { NextTo: to }),
    ...(deleted === true ? { Deleted: 'true' as const } : {}),
  };
}

const PAGE = 100;

/** A page of the list. */
export function ordersQuery(siteId: number, filters: Filters, limit = PAGE) {
  const { sort, cursor } = filters;
  const query = { ...filterOf(siteId, filters), limit, ...(sort && { sort }), ...(cursor && { cursor }) };
  return queryOptions({
    queryKey: ['scheduled-orders', query],
    queryFn: ({ signal }) => askPage(api.GET('/api/ScheduledOrders', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** How many pass the filter. */
export function orderCountQuery(siteId: number, filters: Filters) {
  const query = filterOf(siteId, filters);
  return queryOptions({
    queryKey: ['scheduled-orders', 'count', query],
    queryFn: ({ signal }) => ask(api.GET('/api/ScheduledOrders/Count', { params: { query }, signal })),
  });
}

/** The address of the same list for a table. */
export function tablePath(siteId: number, filters: Filters): string {
  const { sort } = filters;
  const entries = Object.entries({ ...filterOf(siteId, filters), ...(sort && { sort }) });
  return `/api/ScheduledOrders?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}
