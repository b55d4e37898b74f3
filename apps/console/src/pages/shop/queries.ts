import { queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import { isUnderWay } from '../../orders/push-parts.tsx';
import { masked } from '../payments/queries.ts';
import type { PushState } from './search.ts';

export type Shop = Resource<'Shop'>;
export type ListedPush = Resource<'Push'>;
export type ProductImport = Resource<'ProductImport'>;

/** While something is under way, it is looked at again. */
const EVERY_MS = 5_000;

/** Keys are masked before they are kept, as those of Payments. */
export const siteQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['site', siteId],
    queryFn: async ({ signal }) => {
      const params = { path: { siteId } };
      const { ApiKey1, ApiKey2, ...record } = await ask(api.GET('/api/Site/{siteId}', { params, signal }));
      return { ...record, ApiKey1: masked(ApiKey1), ApiKey2: masked(ApiKey2) };
    },
  });

export const shopQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['shop', siteId],
    queryFn: ({ signal }) => ask(api.GET('/api/Site/{siteId}/Shop', { params: { path: { siteId } }, signal })),
  });

/** Not kept longer than it is shown. */
export const secretQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['shop-secret', siteId],
    queryFn: ({ signal }) => ask(api.GET('/api/Site/{siteId}/Shop/Secret', { params: { path: { siteId } }, signal })),
    gcTime: 0,
    staleTime: 0,
  });

export const pushesQuery = (siteId: number, state?: PushState, cursor?: string) =>
  queryOptions({
    queryKey: ['pushes', siteId, { state, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(state !== undefined && { State: state }), ...(cursor !== undefined && { cursor }) };
      return askPage(api.GET('/api/Site/{siteId}/Pushes', { params: { path: { siteId }, query }, signal }));
    },
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isUnderWay) === true ? EVERY_MS : false),
  });

/** The latest import, or null before the first. */
export const importQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['product-import', siteId],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/Site/{siteId}/Shop/ImportProducts', { params: { path: { siteId } }, signal })).catch(noneYet),
    refetchInterval: ({ state: { data } }) => (data?.State === 'Running' ? EVERY_MS : false),
  });

function noneYet(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null;
  throw error;
}
