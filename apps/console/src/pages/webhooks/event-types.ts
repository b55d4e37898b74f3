import type { Resource } from '../../api/client.ts';

export type EventType = NonNullable<Resource<'TestWebhook'>['EventType']>;

const KNOWN: Readonly<Record<EventType, true>> = {
  'scheduled_order.created': true,
  'scheduled_order.updated': true,
  'scheduled_order.paused': true,
  'scheduled_order.cancelled': true,
  'scheduled_order.activated': true,
  'scheduled_order.deleted': true,
  'scheduled_order.rescheduled': true,
  'scheduled_order.skipped': true,
  'scheduled_order.retry_requested': true,
  'scheduled_order.item_created': true,
  'scheduled_order.item_updated': true,
  'scheduled_order.item_deleted': true,
  'scheduled_order.processed': true,
  'scheduled_order.payment_failed': true,
  'scheduled_order.failed': true,
  'scheduled_order.waiting': true,
  'scheduled_order.outcome_unknown': true,
  'scheduled_order.outcome_settled': true,
  'scheduled_order.upcoming': true,
  'order.created': true,
  'order.pushed': true,
  'order.push_failed': true,
  'order.total_differs': true,
  'order.twin_removed': true,
  'order.cancelled_in_shop': true,
  'order.refunded_in_shop': true,
  'shop.refused': true,
  'payment_integration.refused': true,
  'payment_integration.recovered': true,
  'payment.differs': true,
  'webhook_endpoint.disabled': true,
  'test_clock.ready': true,
};

/** Every type that the API knows: the record above has a compiler's word for it. */
export const EVENT_TYPES = Object.keys(KNOWN) as readonly EventType[];

const groupOf = (type: string) => `${type.slice(0, type.indexOf('.'))}.*`;

/** What an endpoint can ask for: whole groups first. */
export const ASKABLE: readonly string[] = [...new Set(EVENT_TYPES.map(groupOf)), ...EVENT_TYPES];
