import { queryOptions } from '@tanstack/react-query';
import { api, ask, type Resource } from '../api/client.ts';

export type Order = Resource<'ScheduledOrder'>;
export type Explained = Awaited<ReturnType<typeof readExplained>>;
export type Quote = Resource<'Quote'>;

const readExplained = (scheduledOrderId: number, signal: AbortSignal) =>
  ask(api.GET('/api/ScheduledOrders/{scheduledOrderId}/Explain', { params: { path: { scheduledOrderId } }, signal }));

/** What a worker takes up within seconds, or has already. */
const isUnderWay = ({ When: { Reason, Overdue } }: Explained) => Overdue || Reason === 'InProgress';

const POLL_MS = 1_000;

/** What is next, what was, and what may be done. Read again every second while a worker has the order, or is to take it. */
// The type follows from the answer.
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types
export const explainedQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['scheduled-order', orderId, 'explained'],
    queryFn: ({ signal }) => readExplained(orderId, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? POLL_MS : false),
  });

// The type follows from the answer.
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types
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
