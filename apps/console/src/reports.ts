import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ask, type Resource } from './api/client.ts';
import { dayOf } from './instants.ts';

export const overviewQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['overview', siteId],
    queryFn: ({ signal }) => ask(api.GET('/api/Site/{siteId}/Overview', { params: { path: { siteId } }, signal })),
  });

/** The days of a shop from `from` to before `to`, at most 62 of them: `2026-01-01`. */
export const calendarQuery = (siteId: number, from: string, to: string) =>
  queryOptions({
    queryKey: ['calendar', siteId, from, to],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/api/Site/{siteId}/Calendar', {
          params: { path: { siteId }, query: { From: from, To: to } },
          signal,
        }),
      ),
  });

/** The shop's present day in UTC, which a simulated shop's clock tells; undefined until it is known. */
export function usePresentDay(siteId: number): string | undefined {
  const { data } = useQuery({ ...overviewQuery(siteId), staleTime: 60_000 });
  return data === undefined ? undefined : dayOf(data.AsOfUtc);
}

export type CalendarDay = Resource<'CalendarDay'>;

/** The rows of each day, of which there is one for every currency. */
export function byDay(rows: readonly CalendarDay[]): ReadonlyMap<string, readonly CalendarDay[]> {
  const days = new Map<string, CalendarDay[]>();
  for (const row of rows) days.set(row.Day, [...(days.get(row.Day) ?? []), row]);
  return days;
}
