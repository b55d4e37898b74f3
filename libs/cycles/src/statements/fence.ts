/**
 * The condition that the worker of batch `b` (`id`, `cycle`, `worker`, `claim`) still owns cycle `c`. Every write of a worker has it. Each row of the
 * batch has its own values, because PostgreSQL would plan a constant as one row. (The worker is part of it because an older version that does not
 * raise the claim may run at the same time.)
 */
export const FENCE = `c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.worker = b.worker AND c.claim = b.claim`;

/** The columns of such a batch. `id`: of the order. */
export const OWNED = { id: 'bigint', cycle: 'bigint', worker: 'text', claim: 'bigint' } as const;
