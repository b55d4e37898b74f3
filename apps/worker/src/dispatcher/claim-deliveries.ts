import type { KnownDatabase } from '#libs/entities';
import type { ConnectionPool } from '#libs/platform';
import { CLAIM_DELIVERIES, lockDueEndpoints } from './deliveries.sql.js';
import type { DeliveryRow } from './delivery.js';
import type { InFlight, Place } from './in-flight.js';

/** The most endpoints of one claim. */
const ENDPOINTS = 8;

/** What a claim has got. */
export interface Claimed {
  /** The endpoints that were due; none: there is nothing more to claim. */
  readonly due: readonly Place[];
  /** The lowest sequence first. */
  readonly deliveries: readonly DeliveryRow[];
}

/** Leases due deliveries of due endpoints, as many as there are places for. */
export function claimDeliveries(pool: ConnectionPool, known: KnownDatabase, inFlight: InFlight): Promise<Claimed> {
  return pool.transaction(async (tx) => {
    const due = await lockDueEndpoints(tx, known, ENDPOINTS, inFlight.full);
    const room = inFlight.room(due);
    const [ids, most] = [
      due.filter((_, n) => room[n]! > 0).map(({ endpointId }) => endpointId),
      room.filter((n) => n > 0),
    ];
    if (ids.length === 0) return { due: [], deliveries: [] };
    return { due, deliveries: await tx.execute<DeliveryRow>(CLAIM_DELIVERIES, [ids, most]) };
  });
}
