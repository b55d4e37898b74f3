import { queryOptions } from '@tanstack/react-query';
import { api, ask, askPage, type Resource } from '../../api/client.ts';
import type { DeliveryState } from './search.ts';

export type Endpoint = Resource<'WebhookEndpoint'>;
export type Delivery = Resource<'WebhookDelivery'>;

/** While something waits, it is looked at again: after so long at the earliest, and at the latest. */
const SOONEST_MS = 3_000;
const LATEST_MS = 10_000;

/**
 * When to look again. The next try may be hours away, but not all of that time: while a delivery is being sent, its
 * next try is the one that follows when the worker dies. Without a next try, it follows an earlier event.
 */
function nextLookMs(deliveries: readonly Pick<Delivery, 'State' | 'NextAttemptUtc'>[]): number | false {
  const waits = deliveries
    .filter(({ State }) => State === 'Waiting')
    .map(({ NextAttemptUtc: next }) => (next === null ? 0 : Date.parse(next) - Date.now()));
  return waits.length === 0 ? false : Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.min(...waits)));
}

export const endpointsQuery = (siteId: number, failing: boolean) =>
  queryOptions({
    queryKey: ['webhook-endpoints', siteId, failing],
    queryFn: ({ signal }) => {
      const query = { SiteId: siteId, ...(failing && { Failing: 'true' as const }) };
      return ask(api.GET('/api/WebhookEndpoints', { params: { query }, signal }));
    },
  });

export const endpointQuery = (webhookEndpointId: number) =>
  queryOptions({
    queryKey: ['webhook-endpoint', webhookEndpointId],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/WebhookEndpoint/{webhookEndpointId}', { params: { path: { webhookEndpointId } }, signal })),
  });

/** Not kept longer than it is shown. */
export const secretQuery = (webhookEndpointId: number) =>
  queryOptions({
    queryKey: ['webhook-secret', webhookEndpointId],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/api/WebhookEndpoint/{webhookEndpointId}/Secret', { params: { path: { webhookEndpointId } }, signal }),
      ),
    gcTime: 0,
    staleTime: 0,
  });

export const deliveriesQuery = (webhookEndpointId: number, state?: DeliveryState, cursor?: string) =>
  queryOptions({
    queryKey: ['webhook-deliveries', webhookEndpointId, { state, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(state !== undefined && { State: state }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { webhookEndpointId }, query };
      return askPage(api.GET('/api/WebhookEndpoint/{webhookEndpointId}/Deliveries', { params, signal }));
    },
    refetchInterval: ({ state: { data } }) => nextLookMs(data?.rows ?? []),
  });

export const deliveryQuery = (webhookDeliveryId: number) =>
  queryOptions({
    queryKey: ['webhook-delivery', webhookDeliveryId],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/WebhookDelivery/{webhookDeliveryId}', { params: { path: { webhookDeliveryId } }, signal })),
    refetchInterval: ({ state: { data } }) => nextLookMs(data === undefined ? [] : [data]),
  });
