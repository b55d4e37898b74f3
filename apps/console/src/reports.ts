import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, ask, type Resource } from './api/client.ts';
import { dayOf } from './instants.ts';

export type CalendarDay = Resource<'CalendarDay'>;

const PRESENT_DAY_MS = 60_000;

/** For forecasts, which cost the API seconds in a large shop: not calculated again whenever the window is looked at. */
export const CALCULATED = { staleTime: 300_000, refetchOnWindowFocus: false } as const;

/** What needs attention in a shop now. @param staleTime for how many milliseconds an earlier answer is good enough. */
export const useOverview = (siteId: number, staleTime = 0): UseQueryResult<Resource<'Overview'>> =>
  useQuery({
    queryKey: ['overview', siteId],
    queryFn: ({ signal }) => ask(api.GET('/api/Site/{siteId}/Overview', { params: { path: { siteId } }, signal })),
    staleTime,
  });

/** The days of a shop from `from` to before `to`, at most 62 of them: `2026-01-01`. */
export const useCalendar = (siteId: number, from: string, to: string): UseQueryResult<CalendarDay[]> =>
  useQuery({
    queryKey: ['calendar', siteId, from, to],
    queryFn: ({ signal }) => {
      const params = { path: { siteId }, query: { From: from, To: to } };
      return ask(api.GET('/api/Site/{siteId}/Calendar', { params, signal }));
    },
  });

interface PresentDay {
  /** Undefined until it is known. */
  readonly today: string | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The shop's present day in UTC, which a simulated shop's clock tells. */
export function usePresentDay(siteId: number): PresentDay {
  const { data, error, refetch } = useOverview(siteId, PRESENT_DAY_MS);
  return { today: data === undefined ? undefined : dayOf(data.AsOfUtc), error, retry: () => void refetch() };
}

/** The rows of each day, of which there is one for every currency. */
export function byDay(rows: readonly CalendarDay[]): ReadonlyMap<string, readonly CalendarDay[]> {
  const days = new Map<string, CalendarDay[]>();
  for (const row of rows) days.set(row.Day, [...(days.get(row.Day) ?? []), row]);
  return days;
}
