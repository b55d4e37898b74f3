import { logAction, snapshot } from '#libs/audit-log';
import { skip } from '#libs/cycles';
import type { Transaction } from '#libs/database';
import { updateRow } from '#libs/records';
import { Rejected } from '#libs/rules';
import { Refusal } from '../refusal.js';
import { type LockedMove, lockMoves } from './locked-move.js';
import type { MovingParts } from './parts.js';

/** `moveOn`: the next date is paid, or given up. `keepDate`: it is not paid. */
export type Decision = 'moveOn' | 'keepDate';

export interface Resolution {
  readonly ids: readonly number[];
  readonly decision: Decision;
  /** The person who says so. */
  readonly by: string;
}

const DECIDABLE = /^(PaidSinceExport|DatePassed): /;

/**
 * Stores a person's decision about subscriptions that are held because of a payment, or because their date has passed. All or none. They must be
 * checked again before they go live.
 * @throws Refusal for one that is not held for such a reason.
 */
export async function resolveHeld({ database, siteId }: MovingParts, resolution: Resolution): Promise<void> {
  await database.transaction(async (tx) => {
    const { ids } = resolution;
    const moves = await lockMoves(tx, { siteId, state: 'Held', ids, most: ids.length });
    const byId = new Map(moves.map((move) => [move.order.id, move]));
    for (const id of ids) assertDecidable(id, byId.get(id));
    for (const move of moves) if (resolution.decision === 'moveOn') await moveOn(tx, move, resolution.by);
    await tx.execute(
      `UPDATE migrated_subscriptions m SET state = 'Imported', reason = NULL, keeps_date = $2,
         accounted_utc = greatest(m.accounted_utc, m.paid_utc)
       WHERE m.scheduled_order_id = ANY ($1::bigint[])`,
      [ids, resolution.decision === 'keepDate'],
    );
  });
}

function assertDecidable(id: number, move: LockedMove | undefined): asserts move is LockedMove {
  if (move === undefined) throw new Refusal(`Scheduled order ${id} is not held by the check, or not of this site.`);
  if (DECIDABLE.test(move.reason ?? '')) return;
  throw new Refusal(`Scheduled order ${id} is held for another reason, which needs no decision: ${move.reason ?? ''}`);
}

/** Passes over the next date, as a request does; the cycle in the ledger shows it. */
async function moveOn(tx: Transaction, { order }: LockedMove, by: string): Promise<void> {
  const { id } = order;
  const { json: previous, now } = await snapshot(tx, id);
  try {
    const change = await skip(tx, order, now);
    if (change.nextOccurrenceUtc === null) throw new Refusal(`Scheduled order ${id} has no further date to move to.`);
    await updateRow(tx, 'scheduled_orders', id, change, 'x.id');
  } catch (error) {
    if (error instanceof Rejected) throw new Refusal(`Scheduled order ${id}: ${error.message}`);
    throw error;
  }
  const description = `SkipScheduledOrder by migration:resolve (${by}).`;
  await logAction(tx, { actionType: 'SkipScheduledOrder', scheduledOrderId: id, caller: null, previous, description });
}
