/** JSON Schema of one fact. */
interface FactSchema {
  readonly type: 'integer' | 'string' | 'boolean';
  readonly format?: 'date-time';
  readonly enum?: readonly string[];
  readonly description: string;
  readonly examples: readonly [string | number | boolean];
}

const int = (description: string, example: number): FactSchema => ({
  type: 'integer',
  description,
  examples: [example],
});
const text = (description: string, example: string): FactSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const flag = (description: string, example: boolean): FactSchema => ({
  type: 'boolean',
  description,
  examples: [example],
});
const instant = (description: string, example: string): FactSchema => ({
  ...text(description, example),
  format: 'date-time',
});
const word = (description: string, words: readonly [string, ...string[]]): FactSchema => ({
  ...text(description, words[0]),
  enum: words,
});

/** The facts that every event has, in this order; those that do not apply are null. */
export const COMMON_FACTS = {
  Sequence: int('The number of the event. A later event has a higher one; numbers may be missing in between.', 1042),
  SiteId: int('The site.', 1),
  ScheduledOrderId: int('The scheduled order; null where the event is not about one.', 1),
  Cycle: int('The number of the cycle, as in Cycles.', 3),
  OrderId: int('The Order that was written.', 98),
  Amount: int('In minor units of the currency, as in Cycles.', 3206),
  CurrencyIso: text('ISO 4217.', 'USD'),
  Simulated: flag('Whether it happened in a simulation.', false),
} as const;
export type CommonFact = keyof typeof COMMON_FACTS;

/** The facts that some types have besides. */
export const OWN_FACTS = {
  ScheduledOrderItemId: int('The item.', 1),
  FailureCode: int('Why, as in Cycles (docs/errors.md).', 2000),
  NextAttemptUtc: instant(
    'When it is tried again; null: not by itself, or when the cause has gone.',
    '2026-02-01T09:00:00.000Z',
  ),
  RetriesExhausted: flag(
    'Whether the look-ups of the retry schedule are used up. They go on, and a person may decide.',
    false,
  ),
  Charged: flag('Whether the attempt was charged.', true),
  OccurrenceUtc: instant('The occurrence.', '2026-02-01T09:00:00.000Z'),
  ShippingTotal: int('In minor units.', 500),
  TaxTotal: int('In minor units.', 206),
  PaymentIntegrationId: int('The integration; null where the site has none of the type.', 1),
  PaymentMethodType: word('The gateway.', ['GatewayOne', 'GatewayTwo']),
  Reason: text('Why, in a word.', 'Refused'),
  DifferenceId: int('The difference, as in Differences.', 1),
  Kind: text('What differs, in a word.', 'TwoCharges'),
  WebhookEndpointId: int('The endpoint.', 1),
  ShopOrderId: text('The shop’s id of the order.', '1042'),
  State: text('What became of it.', 'Failed'),
  Total: text('What was charged, a decimal.', '32.0600'),
  ShopTotal: text('The shop’s total, as it says it.', '32.05'),
  NowUtc: instant('What the test clock says now.', '2026-05-01T09:00:00.000Z'),
  Cycles: int('How many cycles the Advance has processed.', 90),
} as const satisfies Readonly<Record<string, FactSchema>>;
export type OwnFact = keyof typeof OWN_FACTS;
