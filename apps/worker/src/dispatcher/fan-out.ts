import type { ConnectionPool } from '#libs/platform';
import { FAN_OUT, LOCK_ENDPOINTS_OF_SITES, MOVE_POSITION, NEXT_EVENTS, TAKE_POSITION } from './fan-out.sql.js';

/** The most events of one transaction. */
const BATCH = 500;

interface NextEvents {
  readonly last: number | null;
  readonly sites: string;
  readonly count: number;
}

/**
 * Makes deliveries of numbered events: one for each endpoint that wants them. At most one batch. @returns whether there
 * may be more.
 */
export function fanOut(pool: ConnectionPool): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const [position] = await tx.execute<{ sequence: number }>(TAKE_POSITION);
    if (position === undefined) return false;
    const [next] = await tx.execute<NextEvents>(NEXT_EVENTS, [position.sequence, BATCH]);
    const { last, sites, count } = next!;
    if (last === null) return false;
    const endpoints = await tx.execute<{ id: number }>(LOCK_ENDPOINTS_OF_SITES, [sites]);
    // A statement of its own, after the locks: it sees the deliveries that were finished until then.
    if (endpoints.length > 0) await tx.execute(FAN_OUT, [position.sequence, last, endpoints.map(({ id }) => id)]);
    await tx.execute(MOVE_POSITION, [last]);
    return count === BATCH;
  });
}
