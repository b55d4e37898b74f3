import type { AccountPayment } from '#libs/gateways';
import type { SqlExecutor } from '#libs/platform';
import type { Candidate } from './candidate.js';
import { type Held, storedReason } from './reasons.js';

/** What the check has found about a subscription: null when it passed. */
export interface Result {
  readonly candidate: Candidate;
  readonly held: Held | null;
  /** Those because of which it is held; the newest first. */
  readonly payments: readonly AccountPayment[];
}

/**
 * Rows that an import or a person has changed in the meantime are left as they are: the next check judges them.
 * pk_migrated_subscriptions.
 */
const STORE = `UPDATE migrated_subscriptions m
SET state = CASE WHEN v.reason IS NULL THEN 'Passed' ELSE 'Held' END, reason = v.reason, paid_utc = v.paid_utc, checked_utc = $5
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) AS v (id, version, reason, paid_utc)
WHERE m.scheduled_order_id = v.id AND m.xmin::text = v.version`;

/** @param checkedUtc what is known about payments and prices is known of this instant. */
export async function storeResults(database: SqlExecutor, results: readonly Result[], checkedUtc: Date): Promise<void> {
  await database.execute(STORE, [
    results.map(({ candidate }) => candidate.id),
    results.map(({ candidate }) => candidate.version),
    results.map(({ held }) => held && storedReason(held)),
    results.map(({ payments: [newest] }) => newest?.chargedUtc ?? null),
    checkedUtc,
  ]);
}
