import { Batch, type BatchRow } from '#libs/platform';

/**
 * The condition that the worker of batch `b` (`id`, `cycle`, `worker`, `claim`) still owns cycle `c`. Every write of a
 * worker has it. Each row of the batch has its own values, because PostgreSQL would plan a constant as one row.
 */
export const FENCE = `c.scheduled_order_id = b.id AND c.cycle = b.cycle AND c.worker = b.worker AND c.claim = b.claim`;

/** The columns of such a batch. `id`: of the order. */
export const OWNED = { id: 'bigint', cycle: 'bigint', worker: 'text', claim: 'bigint' } as const;

/** What a worker may still write: it owns the cycle, and the attempt is the one that it knows. */
export const LEASED = `${FENCE} AND c.attempt = b.attempt`;
export const OF_LEASED = { ...OWNED, attempt: 'bigint' } as const;
export const LEASED_CYCLES = new Batch(OF_LEASED);

/** A cycle as its worker knows it. `id`: of the order. */
export type LeasedRow = BatchRow<typeof LEASED_CYCLES>;
