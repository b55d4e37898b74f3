import type { ConnectionPool } from '#libs/database';
import type { KnownDatabase } from '#libs/entities';
import { CLAIM_DELIVERIES, LOCK_DUE_ENDPOINTS } from './deliveries.sql.js';
import type { DeliveryRow } from './delivery.js';
import { MOST_OF_ENDPOINT } from './in-flight.js';

/** Which endpoints a claim may take. */
export interface Claim {
  /** At most so many. */
  readonly endpoints: number;
  /** Those that have failed lately, or the others. */
  readonly isSuspect: boolean;
  /** Ids to leave out. */
  readonly except: readonly string[];
}

/** Leases due deliveries of due endpoints. @returns them, the lowest sequence first. */
export function claimDeliveries(pool: ConnectionPool, known: KnownDatabase, claim: Claim): Promise<DeliveryRow[]> {
  const { endpoints, isSuspect, except } = claim;
  return pool.transaction(async (tx) => {
    const due = await tx.execute<{ id: string }>(LOCK_DUE_ENDPOINTS, [
      known.generation,
      known.lsn,
      endpoints,
      isSuspect,
      except,
    ]);
    if (due.length === 0) return [];
    return tx.execute<DeliveryRow>(CLAIM_DELIVERIES, [due.map(({ id }) => id), MOST_OF_ENDPOINT]);
  });
}
