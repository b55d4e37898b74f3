import { type CommonFact, OWN_FACTS, type OwnFact } from './facts.js';

/** What a type of event means and has. Documentation, schemas and examples follow from this one table. */
export interface EventType {
  /** A sentence for the documentation. */
  readonly about: string;
  /** The facts that always have a value, besides Sequence, SiteId and Simulated. */
  readonly has: readonly (CommonFact | OwnFact)[];
  /** Facts of this type that may be null. */
  readonly mayHave: readonly (CommonFact | OwnFact)[];
  /** Facts that are null in the example. */
  readonly nullInExample?: readonly OwnFact[];
}

const ofOrder = (about: string, ...has: EventType['has']): EventType => ({
  about,
  has: ['ScheduledOrderId', ...has],
  mayHave: [],
});
const nullable = (type: EventType, ...mayHave: EventType['mayHave']): EventType => ({ ...type, mayHave });

const INTEGRATION: EventType = { about: '', has: ['PaymentMethodType'], mayHave: ['PaymentIntegrationId'] };

const PUSH: EventType = { about: '', has: ['ScheduledOrderId', 'Cycle', 'OrderId'], mayHave: ['ShopOrderId'] };

/** Everything that the service tells the outside (docs/events.md), also what other parts write. */
const TYPES = {
  'scheduled_order.created': ofOrder('A scheduled order was created.'),
  'scheduled_order.updated': ofOrder('A request changed it: its fields, its items with them, or its card.'),
  'scheduled_order.paused': ofOrder('A request paused it.'),
  'scheduled_order.cancelled': ofOrder('A request cancelled it: it has no next occurrence, until it is reactivated.'),
  'scheduled_order.activated': ofOrder('A request made it Active.'),
  'scheduled_order.deleted': ofOrder(
    'It was deleted, by itself or with its customer. Only the settlement of a charge that was under way can follow.',
  ),
  'scheduled_order.rescheduled': ofOrder('A request moved its next occurrence.'),
  'scheduled_order.skipped': ofOrder('A request skipped its next occurrence.'),
  'scheduled_order.retry_requested': ofOrder('A request made it due at once (Process).'),
  'scheduled_order.item_created': ofOrder('An item was added by a request of its own.', 'ScheduledOrderItemId'),
  'scheduled_order.item_updated': ofOrder('An item was changed by a request of its own.', 'ScheduledOrderItemId'),
  'scheduled_order.item_deleted': ofOrder('An item was deleted.', 'ScheduledOrderItemId'),
  'scheduled_order.processed': ofOrder(
    'A cycle was completed: it was paid, or there was nothing to pay.',
    'Cycle',
    'OrderId',
    'Amount',
    'CurrencyIso',
  ),
  'scheduled_order.payment_failed': nullable(
    ofOrder(
      'The payment was declined. NextAttemptUtc: null when it is not tried again.',
      'Cycle',
      'Amount',
      'CurrencyIso',
      'FailureCode',
    ),
    'NextAttemptUtc',
  ),
  'scheduled_order.failed': ofOrder(
    'A cycle ended without a payment, and is not tried again by itself.',
    'Cycle',
    'FailureCode',
  ),
  'scheduled_order.waiting': nullable(
    ofOrder(
      'A cycle waits, and the customer cannot help it: for the payment integration (FailureCode 1003), or for another try after a technical failure.',
      'Cycle',
      'FailureCode',
    ),
    'NextAttemptUtc',
  ),
  'scheduled_order.outcome_unknown': ofOrder(
    'Whether the cycle was charged is not known, and is being found out. It is told again when the retry schedule is used up.',
    'Cycle',
    'Amount',
    'CurrencyIso',
    'FailureCode',
    'RetriesExhausted',
  ),
  'scheduled_order.outcome_settled': ofOrder(
    'What had become of an unknown outcome is known. The event that follows from it comes next.',
    'Cycle',
    'Amount',
    'CurrencyIso',
    'Charged',
  ),
  'scheduled_order.upcoming': {
    ...nullable(
      ofOrder(
        'An occurrence comes: told UpcomingNoticeDays before it, with what it would cost now. FailureCode: why it could not be processed as the order is now.',
        'CurrencyIso',
        'OccurrenceUtc',
      ),
      'Amount',
      'ShippingTotal',
      'TaxTotal',
      'FailureCode',
    ),
    nullInExample: ['FailureCode'],
  },
  'order.created': { about: 'An Order was written: by a cycle, or by a request.', has: ['OrderId'], mayHave: [] },
  'order.pushed': {
    ...PUSH,
    about: 'An Order has arrived in the shop of its site, and is paid there.',
    has: [...PUSH.has, 'ShopOrderId'],
    mayHave: [],
  },
  'order.push_failed': {
    ...PUSH,
    about:
      'An Order does not stand in the shop as it was charged, and a person decides. State: `Failed` (it is not there) or `Differs`.',
    has: [...PUSH.has, 'State', 'Reason'],
  },
  'order.total_differs': {
    ...PUSH,
    about: 'The shop’s total of an Order that was pushed is another than what was charged.',
    has: [...PUSH.has, 'Total', 'ShopTotal'],
  },
  'order.twin_removed': {
    ...PUSH,
    about:
      'The shop had an order of a push that nobody had paid, a second one or one beside a person’s decision: it was deleted there.',
  },
  'order.cancelled_in_shop': {
    ...PUSH,
    about: 'An Order that had arrived in the shop was ended there. Reason: `Cancelled`, `Trashed` or `Deleted`.',
    has: [...PUSH.has, 'ShopOrderId', 'Reason'],
    mayHave: [],
  },
  'order.refunded_in_shop': {
    ...PUSH,
    about: 'An Order that had arrived in the shop was refunded there, whole.',
    has: [...PUSH.has, 'ShopOrderId'],
    mayHave: [],
  },
  'shop.refused': {
    about:
      'Pushes into the shop of a site wait until it is verified. Reason: `Refused` (it refuses the credentials, or has nothing at its address) or `Unreachable` (it has not answered for days).',
    has: ['Reason'],
    mayHave: [],
  },
  'payment_integration.refused': {
    ...INTEGRATION,
    about:
      'Orders wait for a payment integration. Reason: `Missing`, `Refused` (its credentials), or `WrongAccount` (they are of an account that knows none of the cards).',
    has: ['PaymentMethodType', 'Reason'],
  },
  'payment_integration.recovered': { ...INTEGRATION, about: 'It works again: nothing waits for it any more.' },
  'payment.differs': {
    about:
      'A gateway’s books, or a shop, and the ledger say something different about a payment or its Order (docs/processing.md, The audit).',
    has: ['DifferenceId', 'Kind'],
    mayHave: ['ScheduledOrderId', 'Cycle', 'OrderId', 'PaymentMethodType'],
  },
  'webhook_endpoint.disabled': {
    about: 'A webhook endpoint was disabled by the service.',
    has: ['WebhookEndpointId', 'Reason'],
    mayHave: [],
  },
  'test_clock.ready': {
    about: 'An Advance of the test clock of a simulated site is over: NowUtc says how far it came.',
    has: ['NowUtc', 'Cycles'],
    mayHave: [],
  },
} as const satisfies Readonly<Record<string, EventType>>;

/** The name of a type, as it is sent. */
export type OutwardType = keyof typeof TYPES;
export const EVENT_TYPES: Readonly<Record<OutwardType, EventType>> = TYPES;
export const OUTWARD_TYPES = Object.keys(TYPES) as readonly OutwardType[];

/** The types that a pattern means: `a.b` is a type, `a.*` all that begin with `a.`. None: it is no pattern. */
export const typesMatching = (pattern: string): readonly OutwardType[] =>
  OUTWARD_TYPES.filter((type) => (pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern));

/** The facts that a type has of its own, in the order in which they are shown. */
export const ownFactsOf = (type: OutwardType): OwnFact[] => {
  const { has, mayHave } = EVENT_TYPES[type];
  return [...has, ...mayHave].filter((fact): fact is OwnFact => fact in OWN_FACTS);
};

/** No entry of the logs is written with these. */
const UNLOGGED: ReadonlySet<OutwardType> = new Set([
  'scheduled_order.upcoming',
  'scheduled_order.outcome_settled',
  'order.pushed',
  'order.push_failed',
  'order.total_differs',
  'order.twin_removed',
  'order.cancelled_in_shop',
  'order.refunded_in_shop',
]);

/** Whether an entry of the logs, with the scheduled order as it was then, may belong to an event of this type. */
export const mayHaveLogEntry = (type: OutwardType): boolean =>
  EVENT_TYPES[type].has.includes('ScheduledOrderId') && !UNLOGGED.has(type);
