/**
 * SQL: the state of the open cycle of an order; null: it has none. `order`: alias of its row of `scheduled_orders`.
 * uq_processing_cycles_open.
 */
export const openStateSql = (order: string): string =>
  `(SELECT c.state FROM processing_cycles c WHERE c.scheduled_order_id = ${order}.id AND c.open)`;

/** SQL: whether the order has no open cycle. */
export const isFreeSql = (order: string): string =>
  `NOT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.scheduled_order_id = ${order}.id AND c.open)`;
