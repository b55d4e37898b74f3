/** Why processing an order fails, by name. Source: decisions.md §9. */
export const FAILURE_CODES = {
  EmptyScheduledOrder: { code: 1000, name: 'EmptyScheduledOrder' },
  NoItemsToShip: { code: 1001, name: 'NoItemsToShip' },
  ShippingRateNotFound: { code: 1002, name: 'ShippingRateNotFound' },
  PaymentIntegrationNotFound: { code: 1003, name: 'PaymentIntegrationNotFound' },
  PaymentMethodNull: { code: 1004, name: 'PaymentMethodNull' },
  AmountNotChargeable: { code: 1005, name: 'AmountNotChargeable' },
  PaymentDiffers: { code: 1009, name: 'PaymentDiffers' },
  PaymentFailed: { code: 2000, name: 'PaymentFailed' },
  GatewayCommunicationFailed: { code: 2001, name: 'GatewayCommunicationFailed' },
  Unknown: { code: 99, name: 'Unknown' },
} as const;

export type FailureName = keyof typeof FAILURE_CODES;
export type FailureCode = (typeof FAILURE_CODES)[FailureName]['code'];

/** A failure that happened or would happen. `message` is a sentence for the shop. */
export interface Failure {
  readonly code: FailureCode;
  readonly name: FailureName;
  readonly message: string;
}

export const failure = (name: FailureName, message: string): Failure => ({ ...FAILURE_CODES[name], message });

/** The beginning of log descriptions: `2000 PaymentFailed: ` and the message (decisions.md §9). */
export const describeFailure = ({ code, name, message }: Failure): string => `${code} ${name}: ${message}`;
