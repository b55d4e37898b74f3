import { type Query, queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../api/client.ts';

export type Order = Resource<'ScheduledOrder'>;
export type Explained = Awaited<ReturnType<typeof readExplained>>;
export type Quote = Resource<'Quote'>;

const readExplained = (scheduledOrderId: number, signal: AbortSignal) =>
  ask(api.GET('/api/ScheduledOrders/{scheduledOrderId}/Explain', { params: { path: { scheduledOrderId } }, signal }));

/** What a worker takes up within seconds, or has already. */
const isUnderWay = ({ When: { Reason, Overdue } }: Explained) => Overdue || Reason === 'InProgress';

const SOON_MS = 1_000;
const SOON_FOR_MS = 60_000;
const LATER_MS = 15_000;

type ExplainedQuery = Query<Explained, Error, Explained, (string | number)[]>;

/** What each order waits for, and since when. */
const waiting = new WeakMap<object, { readonly what: string; readonly since: number }>();

/** Every second for the first minute, then less often: without a worker an order would stay due for ever. */
function nextReadOf(query: ExplainedQuery): number | false {
  const { data, dataUpdatedAt, errorUpdatedAt } = query.state;
  if (data === undefined || !isUnderWay(data)) {
    waiting.delete(query);
    return false;
  }
  const what = `${data.When.Reason} ${data.When.NextOccurrenceUtc}`;
  const readAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  const before = waiting.get(query);
  const since = before?.what === what ? before.since : readAt;
  waiting.set(query, { what, since });
  return readAt - since < SOON_FOR_MS ? SOON_MS : LATER_MS;
}

/** What is next, what was, and what may be done. Read again while a worker has the order, or is to take it. */
export const explainedQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['scheduled-order', orderId, 'explained'],
    queryFn: ({ signal }) => readExplained(orderId, signal),
    refetchInterval: nextReadOf,
  });

export const orderQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['scheduled-order', orderId],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/api/ScheduledOrders/{scheduledOrderId}', {
          params: { path: { scheduledOrderId: orderId } },
          signal,
        }),
      ),
  });
