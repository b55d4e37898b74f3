import type { TestClockState } from '#libs/entities';
import type { SqlExecutor, Transaction } from '#libs/platform';
import { Conflict, Rejected } from '#libs/records';
import { CLOCKS_CHANNEL } from './notify.js';
import { isFreeSql } from './reading/cycles.js';
import { LAST_TRY_UTC } from './retries.js';

/** A test clock, locked: it stands, and no cycle of its site begins, until the transaction ends. */
export interface LockedClock {
  readonly siteId: number;
  readonly nowUtc: Date;
  readonly state: TestClockState;
}

/** pk_test_clocks. $1 site. */
const LOCK = `SELECT k.now_utc AS "nowUtc", k.state FROM test_clocks k WHERE k.site_id = $1 FOR UPDATE`;

/** Null when the site has none. */
export async function lockClock(tx: Transaction, siteId: number): Promise<LockedClock | null> {
  const [clock] = await tx.execute<Omit<LockedClock, 'siteId'>>(LOCK, [siteId]);
  return clock === undefined ? null : { siteId, ...clock };
}

/** ix_processing_cycles_simulated. $1 site. */
const IS_BUSY = `SELECT EXISTS (SELECT 1 FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = $1 AND c.worker IS NOT NULL) AS busy`;

/**
 * @throws Conflict while a worker is processing an order of the site. A statement of its own: it sees what was begun
 * before the lock.
 */
export async function assertIdle(tx: Transaction, { siteId }: LockedClock): Promise<void> {
  const [row] = await tx.execute<{ busy: boolean }>(IS_BUSY, [siteId]);
  if (!row!.busy) return;
  throw new Conflict(`Orders of site ${siteId} are being processed at this moment: ask again when they are done.`);
}

/** ix_processing_cycles_simulated. $1 site. */
const IS_LEASED = `SELECT EXISTS (SELECT 1 FROM processing_cycles c
  WHERE c.open AND c.simulated AND c.site_id = $1 AND c.worker IS NOT NULL AND c.lease_until_utc > now()) AS leased`;

/** Whether a worker is processing an order of the site, or may still be. */
export async function isLeased(database: SqlExecutor, siteId: number): Promise<boolean> {
  const [row] = await database.execute<{ leased: boolean }>(IS_LEASED, [siteId]);
  return row!.leased;
}

/** @throws Conflict during an Advance, and once the site is being deleted. */
export function assertReady({ siteId, state }: LockedClock): void {
  if (state === 'Ready') return;
  if (state === 'Deleting') {
    throw new Conflict(`Site ${siteId} is being deleted. If that was interrupted, send its DELETE again.`);
  }
  throw new Conflict(`The clock of site ${siteId} is Advancing: wait until its State is Ready.`);
}

/**
 * What comes next by the clock, or is due already. ix_scheduled_orders_site_due, ix_processing_cycles_simulated,
 * pk_integration_waits. $1 site.
 */
const NEXT = `SELECT least(
  (SELECT o.next_occurrence_utc FROM scheduled_orders o
   WHERE o.site_id = $1 AND o.status = 'Active' AND o.deleted_utc IS NULL AND o.simulated
     AND ${isFreeSql('o')}
   ORDER BY o.next_occurrence_utc, o.id LIMIT 1),
  (SELECT min(c.next_attempt_utc) FROM processing_cycles c WHERE c.open AND c.simulated AND c.site_id = $1),
  (SELECT min(w.next_probe_utc) FROM integration_waits w WHERE w.site_id = $1)) AS utc`;

/** The next occurrence, retry or probe: the present, when one is due already. @throws Conflict when nothing comes. */
export async function nextOfClock(tx: Transaction, { siteId, nowUtc }: LockedClock): Promise<Date> {
  const [next] = await tx.execute<{ utc: Date | null }>(NEXT, [siteId]);
  const utc = next?.utc ?? null;
  if (utc !== null && utc >= LAST_TRY_UTC)
    throw new Conflict(`Nothing comes next on site ${siteId} before the year 10000.`);
  if (utc === null) throw new Conflict(`Nothing comes next on site ${siteId}: it has no Active order.`);
  return utc < nowUtc ? nowUtc : utc;
}

/** @throws Rejected when a clock cannot say so: what is never tried is at the last time that there is. */
export function assertSayable(utc: Date, field: string): void {
  if (utc < LAST_TRY_UTC) return;
  throw new Rejected([{ field, message: `must lead to a time before ${LAST_TRY_UTC.toISOString()}.` }]);
}

/** pk_test_clocks. $1 site, $2 target. */
const ADVANCE = `UPDATE test_clocks SET state = 'Advancing', target_utc = $2, cycles = 0, updated_utc = now() WHERE site_id = $1`;

/** Asks the workers to lead the clock to `target`. @throws Conflict backwards. */
export async function advanceClock(tx: Transaction, { siteId, nowUtc }: LockedClock, target: Date): Promise<void> {
  if (target < nowUtc) {
    throw new Conflict(
      `The clock of site ${siteId} says ${nowUtc.toISOString()}: it does not go back to ${target.toISOString()}.`,
    );
  }
  await tx.execute(ADVANCE, [siteId, target]);
  await wake(tx);
}

/** pk_test_clocks. $1 site, $2 instant. */
const MOVE = `UPDATE test_clocks SET now_utc = $2, updated_utc = now() WHERE site_id = $1`;

/** Moves the clock alone: what is due then is overdue. */
export async function moveClock(tx: Transaction, { siteId }: LockedClock, to: Date): Promise<void> {
  await tx.execute(MOVE, [siteId, to]);
  await wake(tx);
}

async function wake(tx: Transaction): Promise<void> {
  await tx.execute(`SELECT pg_notify('${CLOCKS_CHANNEL}', '')`);
}
