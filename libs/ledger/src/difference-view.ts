import { PaymentDifference } from '#libs/entities';
import { utcSql, view } from '#libs/records';

/** A difference as the API shows it (decisions.md §12). */
export const differenceView = view(PaymentDifference, 'payment_differences', [
  'id',
  'siteId',
  'kind',
  'orderId',
  'scheduledOrderId',
  'cycle',
  'paymentIntegrationId',
  'paymentMethodType',
  'gatewayTransactionId',
  { name: 'Ours', sql: (alias) => `${alias}.ours` },
  { name: 'Theirs', sql: (alias) => `${alias}.theirs` },
  'state',
  { name: 'As', sql: (alias) => `${alias}.settled_as` },
  { name: 'By', sql: (alias) => `${alias}.settled_by` },
  'note',
  'createdUtc',
  { name: 'SettledUtc', sql: (alias) => utcSql(`${alias}.settled_utc`) },
]);
