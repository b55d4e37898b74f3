import { bodyOf, outwardEvent } from '#libs/events';
import type { SqlExecutor } from '#libs/platform';
import { FREEZE_BODIES, SNAPSHOTS } from './deliveries.sql.js';
import { type DeliveryRow, eventOf, type Frozen } from './delivery.js';

/**
 * Writes down what is sent, before it is sent for the first time: every try sends the same bytes, also after the
 * endpoint's `Payload` or this program has changed. @returns the deliveries that may be sent; one whose lease was lost
 * is left out, and one whose event is no longer kept.
 */
export async function freezeBodies(database: SqlExecutor, rows: readonly DeliveryRow[]): Promise<Frozen[]> {
  const fresh = rows.filter((row) => row.body === null && eventOf(row) !== null);
  const bodies = await bodiesOf(database, fresh);
  const isFrozen = new Set<number>();
  if (fresh.length > 0) {
    const written = await database.execute<{ id: number }>(FREEZE_BODIES, [
      fresh.map(({ id }) => id),
      fresh.map(({ lease }) => lease),
      fresh.map(({ id }) => bodies.get(id)),
    ]);
    for (const { id } of written) isFrozen.add(id);
  }
  return rows.flatMap((row) => {
    const body = row.body ?? (isFrozen.has(row.id) ? bodies.get(row.id) : undefined);
    return body === undefined ? [] : [{ ...row, body }];
  });
}

async function bodiesOf(database: SqlExecutor, rows: readonly DeliveryRow[]): Promise<Map<number, string>> {
  const full = rows.filter(
    ({ payload, logId, scheduledOrderId }) => payload === 'Full' && logId !== null && scheduledOrderId !== null,
  );
  const snapshots = new Map<number, string>();
  if (full.length > 0) {
    const found = await database.execute<{ id: number; text: string }>(SNAPSHOTS, [
      full.map(({ id }) => id),
      full.map((row) => row.scheduledOrderId),
      full.map((row) => row.logId),
      full.map((row) => row.occurredUtc),
    ]);
    for (const { id, text } of found) snapshots.set(id, text);
  }
  return new Map(rows.map((row) => [row.id, bodyOf(outwardEvent(eventOf(row)!), snapshots.get(row.id) ?? null)]));
}
