import { logAction, snapshot } from '#libs/events';
import { readMissed, skip } from '#libs/ledger';
import type { Transaction } from '#libs/platform';
import { Conflict, updateRow } from '#libs/records';
import { Rejected } from '#libs/rules';
import { Refusal } from '../refusal.js';
import { type LockedMove, lockMoves } from './locked-move.js';
import type { MovingParts } from './moving.js';
import { type Reason, reasonOf } from './reasons.js';

/** `moveOn`: the next date is paid, or given up. `keepDate`: it is not paid. */
export type Decision = 'moveOn' | 'keepDate';

export interface Resolution {
  readonly ids: readonly number[];
  readonly decision: Decision;
  /** The person who says so. */
  readonly by: string;
}

const DECIDABLE: readonly (Reason | null)[] = ['PaidSinceExport', 'DatePassed'];

/** pk_migrated_subscriptions, pk_scheduled_orders. $1 order ids, $2 whether their next dates are kept. */
const DECIDE = `UPDATE migrated_subscriptions m SET state = 'Imported', reason = NULL,
  kept_date_utc = CASE WHEN $2 THEN o.next_occurrence_utc END, accounted_utc = greatest(m.accounted_utc, m.paid_utc)
FROM scheduled_orders o WHERE m.scheduled_order_id = ANY ($1::bigint[]) AND o.id = m.scheduled_order_id`;

/**
 * Stores a person's decision about subscriptions that are held because of a payment, or because their date has passed.
 * All or none. They must be checked again before they go live.
 * @returns of each order that moved on, how many dates it passed over.
 * @throws Refusal for one that is not held for such a reason.
 */
export function resolveHeld(
  { database, siteId }: MovingParts,
  resolution: Resolution,
): Promise<ReadonlyMap<number, number>> {
  return database.transaction(async (tx) => {
    const { ids, decision } = resolution;
    const moves = await lockMoves(tx, { siteId, state: 'Held', ids, most: ids.length });
    const byId = new Map(moves.map((move) => [move.order.id, move]));
    for (const id of ids) assertDecidable(id, byId.get(id));
    const missedDates = new Map<number, number>();
    if (decision === 'moveOn') {
      for (const move of moves) missedDates.set(move.order.id, await moveOn(tx, move, resolution.by));
    }
    await tx.execute(DECIDE, [ids, decision === 'keepDate']);
    return missedDates;
  });
}

function assertDecidable(id: number, move: LockedMove | undefined): asserts move is LockedMove {
  if (move === undefined) throw new Refusal(`Scheduled order ${id} is not held by the check, or not of this site.`);
  if (DECIDABLE.includes(reasonOf(move.reason ?? ''))) return;
  throw new Refusal(`Scheduled order ${id} is held for another reason, which needs no decision: ${move.reason ?? ''}`);
}

/**
 * Passes over the next date, and over later ones that have passed too, as a request does; the cycle in the ledger shows
 * it.
 * @returns how many dates.
 */
async function moveOn(tx: Transaction, { order }: LockedMove, by: string): Promise<number> {
  const { id } = order;
  const { json: previous, now } = await snapshot(tx, id);
  try {
    const change = await skip(tx, order, now);
    if (change.nextOccurrenceUtc === null) throw new Refusal(`Scheduled order ${id} has no further date to move to.`);
    await updateRow(tx, 'scheduled_orders', id, change, 'x.id');
  } catch (error) {
    if (error instanceof Rejected || error instanceof Conflict)
      throw new Refusal(`Scheduled order ${id}: ${error.message}`);
    throw error;
  }
  const description = `SkipScheduledOrder by migration:resolve (${by}).`;
  await logAction(tx, { actionType: 'SkipScheduledOrder', scheduledOrderId: id, caller: null, previous, description });
  return 1 + (await readMissed(tx, id));
}
