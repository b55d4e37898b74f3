import { queryOptions } from '@tanstack/react-query';
import { api, askPage, type Resource } from '../../api/client.ts';
import type { STATES } from './search.ts';

export type Difference = Resource<'Difference'>;

export const differencesQuery = (siteId: number, State: (typeof STATES)[number], cursor: string | undefined) =>
  queryOptions({
    queryKey: ['differences', siteId, State, cursor],
    queryFn: ({ signal }) =>
      askPage(
        api.GET('/api/Site/{siteId}/Differences', {
          params: { path: { siteId }, query: { State, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
  });
