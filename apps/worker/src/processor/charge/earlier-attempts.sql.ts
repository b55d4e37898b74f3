/** What was sent for a cycle before its present attempt, the oldest first. pk_processing_cycles. $1 order id, $2 cycle. */
export const READ_PAST_ATTEMPTS = `SELECT c.past_attempts FROM processing_cycles c WHERE c.scheduled_order_id = $1 AND c.cycle = $2`;
