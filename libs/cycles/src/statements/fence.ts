/**
 * Whose cycle `c` still is, for a batch `b` with `id`, `cycle`, `worker` and `claim`. Every write of a worker has it. The fence travels with
 * each row: a constant would be planned as one row. (The worker is part of it as long as a version may run beside that does not raise the claim.)
 */
export const FENCE = `c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.worker = b.worker AND c.claim = b.claim`;
