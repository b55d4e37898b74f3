import { queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';

export type Customer = Resource<'Customer'>;
export type Method = Resource<'PaymentMethod'>;

export const customerQuery = (customerId: number) =>
  queryOptions({
    queryKey: ['customers', customerId],
    queryFn: ({ signal }) => ask(api.GET('/api/Customers/{customerId}', { params: { path: { customerId } }, signal })),
  });

export const methodsQuery = (customerId: number) =>
  queryOptions({
    queryKey: ['customers', customerId, 'payment-methods'],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/Customers/{customerId}/PaymentMethods', { params: { path: { customerId } }, signal })),
  });

export const settingsQuery = (customerId: number) =>
  queryOptions({
    queryKey: ['customers', customerId, 'settings'],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/Customers/{customerId}/Settings', { params: { path: { customerId } }, signal })),
  });

const NEWEST = 100;

/**
 * The list of Orders is searched by a customer's texts, not by its Id: those of others who begin alike are left out
 * here.
 */
export function newestOrdersQuery({ Id, SiteId, ExternalId, Email, LastName }: Customer) {
  const q = ExternalId ?? Email ?? LastName;
  return queryOptions({
    queryKey: ['customers', Id, 'orders', q],
    enabled: q !== null,
    queryFn: async ({ signal }) => {
      const query = { SiteId, q: q!, sort: '-Id' as const, limit: NEWEST };
      const { rows, next } = await askPage(api.GET('/api/Orders', { params: { query }, signal }));
      return { rows: rows.filter(({ CustomerId }) => CustomerId === Id), isMore: next !== null };
    },
  });
}
