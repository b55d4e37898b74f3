import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import { dayOf } from '../../instants.ts';
import { CALCULATED } from '../../reports.ts';
import { useSite } from '../../sites.ts';

export type Product = Resource<'Product'>;
export type ForecastRow = Resource<'ForecastRow'>;

const PAGE = 100;

interface ListQuery {
  readonly q: string | undefined;
  readonly sort: 'Id' | '-Id' | undefined;
  readonly cursor: string | undefined;
}

export function productsQuery(siteId: number, { q, sort, cursor }: ListQuery) {
  const query = { SiteId: siteId, limit: PAGE, ...(q && { q }), ...(sort && { sort }), ...(cursor && { cursor }) };
  return queryOptions({
    queryKey: ['products', query],
    queryFn: ({ signal }) => askPage(api.GET('/api/Products', { params: { query }, signal })),
  });
}

export const productQuery = (productId: number) =>
  queryOptions({
    queryKey: ['products', productId],
    queryFn: ({ signal }) => ask(api.GET('/api/Products/{productId}', { params: { path: { productId } }, signal })),
  });

const DAY_MS = 86_400_000;

const readForecast = async (siteId: number, days: number, signal: AbortSignal) => {
  const path = { siteId };
  // A simulated shop has its own present, which the API says.
  const { AsOfUtc } = await ask(api.GET('/api/Site/{siteId}/Overview', { params: { path }, signal }));
  const From = dayOf(AsOfUtc);
  const To = new Date(Date.parse(From) + days * DAY_MS).toISOString().slice(0, 10);
  return ask(
    api.GET('/api/Site/{siteId}/Forecast', { params: { path, query: { From, To, By: 'Product' as const } }, signal }),
  );
};

/**
 * What all products need in the days to come, from the shop’s present day on. An account may ask for two forecasts at a
 * time.
 */
export function useForecast(days: number): UseQueryResult<Resource<'Forecast'>> {
  const { id: siteId } = useSite();
  return useQuery({
    queryKey: ['forecast', 'products', siteId, days],
    queryFn: ({ signal }) => readForecast(siteId, days, signal),
    ...CALCULATED,
  });
}

export const rowOf = (forecast: Resource<'Forecast'> | undefined, productId: number): ForecastRow | undefined =>
  forecast?.Rows.find(({ ProductId }) => ProductId === productId);
