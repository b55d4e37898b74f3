import { ProcessingCycle } from '#libs/entities';
import { utcSql, view } from '#libs/records';
import { nextAttemptSql } from './cycles-sql.js';

/** An entry of `GET /api/ScheduledOrders/{id}/Cycles`; `Amount` in minor units (decisions.md §12). */
export const cycleView = view(ProcessingCycle, 'processing_cycles', [
  'cycle',
  'state',
  'dueUtc',
  { name: 'PassedOver', sql: (alias) => `${alias}.missed_occurrences` },
  { name: 'Attempts', sql: (alias) => `${alias}.attempt` },
  // The id is allocated with the claim. Until the Order is written, no Order has it.
  { name: 'OrderId', sql: (alias) => `CASE WHEN ${alias}.state = 'Completed' THEN ${alias}.order_id END` },
  'amount',
  'currencyIso',
  'paymentMethodType',
  'gatewayTransactionId',
  'failureCode',
  { name: 'NextAttemptUtc', sql: (alias) => utcSql(nextAttemptSql(alias)) },
  'createdUtc',
  'updatedUtc',
]);
