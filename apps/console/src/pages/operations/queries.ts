import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../../api/client.ts';

export type State = Resource<'Operations'>;

/** It changes by itself. */
const EVERY_MS = 15_000;

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: ({ signal }) => ask(api.GET('/api/Operations', { signal })),
  refetchInterval: EVERY_MS,
});
