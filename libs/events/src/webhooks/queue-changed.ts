import type { Transaction } from '#libs/platform';
import { LOOK_AGAIN, RELEASE_HEADS } from './queue.sql.js';

/**
 * After a change of an endpoint's deliveries, or of what they wait for: what nothing holds back any more may go. The
 * endpoint must be locked.
 */
export async function queueChanged(tx: Transaction, endpointId: number | string): Promise<void> {
  await tx.execute(RELEASE_HEADS, [endpointId]);
  await tx.execute(LOOK_AGAIN, [endpointId]);
}
