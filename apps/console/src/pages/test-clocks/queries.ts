import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../../api/client.ts';

export type Clock = Resource<'TestClock'>;

/** While one moves or goes, it is looked at again. */
const MOVING_MS = 1_000;

export const clocksQuery = queryOptions({
  queryKey: ['test-clocks'],
  queryFn: ({ signal }) => ask(api.GET('/api/TestClocks', { signal })),
  refetchInterval: ({ state: { data } }) => (data?.some(({ State }) => State !== 'Ready') === true ? MOVING_MS : false),
});
