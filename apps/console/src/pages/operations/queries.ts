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

/** A figure that the API counts up to a bound: where there may be more, it says so. */
export const counted = (value: number, name: string, more: readonly string[]): string =>
  `${value.toLocaleString('en')}${more.includes(name) ? ' or more' : ''}`;
