import { queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import { wholeNumber } from '../../search.ts';

export type ApiKey = Resource<'ApiKey'>;
export type Token = Resource<'AccessToken'>;

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => ask(api.GET('/api/ApiKeys', { signal })),
});

/** This list has pages by number, which stands in the address as its cursor. */
export const tokensQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['access-tokens', cursor],
    queryFn: ({ signal }) => {
      const page = wholeNumber(cursor ?? '');
      return askPage(api.GET('/api/AccessTokens', { params: { query: page === undefined ? {} : { page } }, signal }));
    },
  });
